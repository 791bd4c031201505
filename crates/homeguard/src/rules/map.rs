//! A map: covers, portals and where the soldiers start. Every `Map` that exists is playable.

use super::geometry::{Floor, GridSquare, Site, Size, SizeError};

/// The cover on a site. The order of the variants matters: the highest cover on a line of fire decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cover {
    /// No cover.
    #[default]
    None,
    /// Short cover, drawn as a rock: halves damage unless the shooter stands right behind it.
    Short,
    /// Long cover, drawn as a tree: stops every shot.
    Long,
}

impl Cover {
    /// The three values in the order of their gene numbers.
    pub const ALL: [Cover; 3] = [Cover::None, Cover::Short, Cover::Long];

    /// The cover of a gene; values above 2 are long.
    pub fn from_gene(gene: u8) -> Cover {
        match gene {
            0 => Cover::None,
            1 => Cover::Short,
            _ => Cover::Long,
        }
    }

    /// The gene number of this cover.
    pub fn gene(self) -> u8 {
        self as u8
    }
}

/// Most portal pairs a map can carry: one capital letter each in the text format.
pub const MAX_PORTALS: usize = 26;

/// A playable map. Respawn cells are the two corners of the main diagonal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    size: Size,
    covers: Vec<Cover>,
    portals: Vec<[Floor; 2]>,
    starts: [[Floor; 2]; 2],
}

/// Why a set of covers, portals and starts is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The side length is not playable.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Wrong number of covers for the size.
    #[error("a {size} map has {expected} cover sites, but {given} covers were given")]
    Covers {
        /// The board.
        size: Size,
        /// The number of cover sites.
        expected: usize,
        /// The number given.
        given: usize,
    },
    /// More portals than letters.
    #[error("{0} portal pairs were given; at most 26 fit, one per letter")]
    TooManyPortals(usize),
    /// A cell is used twice by portals.
    #[error("the cell {0} belongs to two portals; each cell may be in at most one pair")]
    PortalReused(GridSquare),
    /// A portal on a start cell.
    #[error("a portal lies on the start cell {0}; starts and portals must differ")]
    PortalOnStart(GridSquare),
    /// A portal whose ends already touch.
    #[error("the portal between {0} and {1} joins a cell with itself")]
    PortalToItself(GridSquare, GridSquare),
    /// Two soldiers would start too close together.
    #[error("soldiers start on {0} and {1}, which are equal or neighbours; keep one cell between")]
    StartsTooClose(GridSquare, GridSquare),
    /// A cell number outside the board.
    #[error("cell number {cell} is outside a {size} board")]
    Outside {
        /// The number.
        cell: usize,
        /// The board.
        size: Size,
    },
}

impl Map {
    /// Builds a map after checking everything; portals and starts are put into scan order.
    pub fn new(
        size: Size,
        covers: Vec<Cover>,
        mut portals: Vec<[Floor; 2]>,
        mut starts: [[Floor; 2]; 2],
    ) -> Result<Self, MapError> {
        if covers.len() != size.sites() {
            return Err(MapError::Covers { size, expected: size.sites(), given: covers.len() });
        }
        if portals.len() > MAX_PORTALS {
            return Err(MapError::TooManyPortals(portals.len()));
        }
        let cells = portals.iter().flatten().chain(starts.iter().flatten());
        if let Some(outside) = cells.copied().find(|cell| cell.index() >= size.floors()) {
            return Err(MapError::Outside { cell: outside.index(), size });
        }
        portals.iter_mut().for_each(|pair| pair.sort_unstable());
        portals.sort_unstable();
        starts.iter_mut().for_each(|pair| pair.sort_unstable());
        let mut used = vec![false; size.floors()];
        for pair in &portals {
            let [a, b] = pair.map(|cell| size.floor_square(cell));
            if a == b {
                return Err(MapError::PortalToItself(a, b));
            }
            for cell in pair {
                if starts.iter().flatten().any(|start| start == cell) {
                    return Err(MapError::PortalOnStart(size.floor_square(*cell)));
                }
                if std::mem::replace(&mut used[cell.index()], true) {
                    return Err(MapError::PortalReused(size.floor_square(*cell)));
                }
            }
        }
        let soldiers = [starts[0][0], starts[0][1], starts[1][0], starts[1][1]].map(|cell| size.floor_square(cell));
        for (i, a) in soldiers.iter().enumerate() {
            for b in &soldiers[i + 1..] {
                if a.chebyshev(*b) <= 1 {
                    return Err(MapError::StartsTooClose(*a, *b));
                }
            }
        }
        Ok(Map { size, covers, portals, starts })
    }

    /// An empty map with the usual starts: home at (2, 0) and (0, 2), away in the corners of the anti-diagonal.
    pub fn empty(size: Size) -> Self {
        Map::with_covers(size, vec![Cover::None; size.sites()]).expect("the usual starts are legal on every size")
    }

    /// A map with the usual starts and no portals.
    pub fn with_covers(size: Size, covers: Vec<Cover>) -> Result<Self, MapError> {
        Map::new(size, covers, Vec::new(), Map::usual_starts(size))
    }

    /// The usual starts for a size (Šindelář 2024, section 9.4; the home cells are our reading).
    pub fn usual_starts(size: Size) -> [[Floor; 2]; 2] {
        let far = size.side() as u8 - 1;
        let at = |x, y| size.floor_at(GridSquare { x, y }).expect("corners and (2, 0) are floor");
        [[at(2, 0), at(0, 2)], [at(far, 0), at(0, far)]]
    }

    /// The same covers and starts with other portals.
    pub fn with_portals(&self, portals: Vec<[Floor; 2]>) -> Result<Self, MapError> {
        Map::new(self.size, self.covers.clone(), portals, self.starts)
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The cover of each site, in scan order.
    pub fn covers(&self) -> &[Cover] {
        &self.covers
    }

    /// The cover of one site.
    pub fn cover(&self, site: Site) -> Cover {
        self.covers[site.index()]
    }

    /// The cover on a square; floor squares have none.
    pub fn cover_at(&self, square: GridSquare) -> Cover {
        self.size.site_at(square).map_or(Cover::None, |site| self.cover(site))
    }

    /// Portal pairs in scan order of their first cells.
    pub fn portals(&self) -> &[[Floor; 2]] {
        &self.portals
    }

    /// Start cells: `[home, away]`, two soldiers each.
    pub fn starts(&self) -> [[Floor; 2]; 2] {
        self.starts
    }

    /// Respawn cells `[home, away]`: the corners of the main diagonal (Šindelář 2024, section 9.4).
    pub fn respawns(&self) -> [Floor; 2] {
        [Floor(0), Floor((self.size.floors() - 1) as u8)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_starts_are_playable_on_every_size() {
        for size in Size::ALL {
            let map = Map::empty(size);
            let [home, away] = map.starts();
            assert_eq!(size.floor_square(home[0]), GridSquare { x: 2, y: 0 });
            assert_eq!(size.floor_square(home[1]), GridSquare { x: 0, y: 2 });
            let far = size.side() as u8 - 1;
            assert_eq!(size.floor_square(away[0]), GridSquare { x: far, y: 0 });
            assert_eq!(size.floor_square(away[1]), GridSquare { x: 0, y: far });
        }
    }

    #[test]
    fn impossible_maps_are_refused_with_the_reason() {
        let size = Size::DEFAULT;
        let empty = Map::empty(size);
        let start = empty.starts()[0][0];
        let refused = |portals: Vec<[Floor; 2]>| empty.with_portals(portals).unwrap_err();
        assert!(matches!(refused(vec![[start, Floor(30)]]), MapError::PortalOnStart(_)));
        assert!(matches!(refused(vec![[Floor(30), Floor(40)], [Floor(50), Floor(30)]]), MapError::PortalReused(_)));
        assert!(matches!(refused(vec![[Floor(30), Floor(30)]]), MapError::PortalToItself(..)));
        assert!(matches!(refused(vec![[Floor(30), Floor(61)]]), MapError::Outside { cell: 61, .. }));
        let near = [[Floor(0), Floor(6)], [Floor(20), Floor(30)]];
        assert!(matches!(Map::new(size, empty.covers().to_vec(), Vec::new(), near), Err(MapError::StartsTooClose(..))));
    }
}
