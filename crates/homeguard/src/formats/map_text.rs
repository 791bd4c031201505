//! One map as rows of characters (Šindelář 2024, section 6.4).
//!
//! ` ` or `.` empty, `0` short cover, `1` long cover, `2` home start, `3` away start, a capital letter twice a portal.

use crate::rules::{Cover, Floor, GridSquare, Map, MapError, Size, SizeError};

/// How empty cells are written. Both are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// A space, as in the files of the thesis.
    Space,
    /// A dot, which survives programs that trim.
    Dot,
}

/// Why a text is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapTextError {
    /// The number of rows is not a board side.
    #[error("the map has {0} rows: a board has an odd number of rows, 7 to 15")]
    Rows(usize),
    /// A row is longer than the board.
    #[error("row {row} has {given} characters, but the map has {expected} rows and must be square")]
    RowLength {
        /// Row number from 1.
        row: usize,
        /// Its length.
        given: usize,
        /// The side of the board.
        expected: usize,
    },
    /// A character with no meaning.
    #[error(
        "row {row}, column {column}: '{found}' means nothing here; use space or '.', 0 short cover, 1 long cover, 2 and 3 starts, A–Z portals"
    )]
    Character {
        /// Row number from 1.
        row: usize,
        /// Column number from 1.
        column: usize,
        /// The character found.
        found: char,
    },
    /// A cover on a floor cell or a start on a cover site.
    #[error(
        "row {row}, column {column}: '{found}' cannot stand on a {place}; covers need an odd, soldiers and portals an even sum of row and column"
    )]
    WrongPlace {
        /// Row number from 1.
        row: usize,
        /// Column number from 1.
        column: usize,
        /// The character found.
        found: char,
        /// The class of the cell.
        place: &'static str,
    },
    /// Not two starts for a side.
    #[error("'{mark}' occurs {found} times: each side starts with exactly two soldiers")]
    Starts {
        /// `2` or `3`.
        mark: char,
        /// How often it occurs.
        found: usize,
    },
    /// A portal letter that does not occur twice.
    #[error("portal {letter} has {found} ends instead of two")]
    Portal {
        /// The letter.
        letter: char,
        /// How often it occurs.
        found: usize,
    },
    /// The parts are readable but do not make a map.
    #[error(transparent)]
    Map(#[from] MapError),
}

/// Writes a map as rows joined by line feeds, without one at the end.
pub fn map_to_text(map: &Map, blank: Blank) -> String {
    let size = map.size();
    let blank = match blank {
        Blank::Space => ' ',
        Blank::Dot => '.',
    };
    let mut rows = vec![vec![blank; size.side()]; size.side()];
    let mut put = |square: GridSquare, mark: char| {
        rows[usize::from(square.y)][usize::from(square.x)] = mark;
    };
    for site in size.all_sites() {
        match map.cover(site) {
            Cover::None => {}
            Cover::Short => put(size.site_square(site), '0'),
            Cover::Long => put(size.site_square(site), '1'),
        }
    }
    for (side, mark) in map.starts().iter().zip(['2', '3']) {
        for cell in side {
            put(size.floor_square(*cell), mark);
        }
    }
    for (pair, letter) in map.portals().iter().zip('A'..='Z') {
        for cell in pair {
            put(size.floor_square(*cell), letter);
        }
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    rows.join("\n")
}

/// Reads a map. Rows may be shorter than the board (trailing blanks were trimmed); one line feed may follow the last.
pub fn map_from_text(text: &str) -> Result<Map, MapTextError> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let rows: Vec<&str> = text.split('\n').map(|row| row.strip_suffix('\r').unwrap_or(row)).collect();
    let size = Size::new(rows.len()).map_err(|SizeError(rows)| MapTextError::Rows(rows))?;
    let mut covers = vec![Cover::None; size.sites()];
    let mut starts: [Vec<Floor>; 2] = Default::default();
    let mut portals: [Vec<Floor>; 26] = Default::default();
    for (y, row) in rows.iter().enumerate() {
        let given = row.chars().count();
        if given > size.side() {
            return Err(MapTextError::RowLength { row: y + 1, given, expected: size.side() });
        }
        for (x, found) in row.chars().enumerate() {
            let square = GridSquare { x: x as u8, y: y as u8 };
            let (row, column) = (y + 1, x + 1);
            let misplaced = |place| MapTextError::WrongPlace { row, column, found, place };
            let floor = || size.floor_at(square).ok_or_else(|| misplaced("cover site"));
            match found {
                ' ' | '.' => {}
                '0' | '1' => {
                    let site = size.site_at(square).ok_or_else(|| misplaced("floor cell"))?;
                    covers[site.index()] = if found == '0' { Cover::Short } else { Cover::Long };
                }
                '2' => starts[0].push(floor()?),
                '3' => starts[1].push(floor()?),
                'A'..='Z' => portals[found as usize - 'A' as usize].push(floor()?),
                _ => return Err(MapTextError::Character { row, column, found }),
            }
        }
    }
    let two = |cells: &Vec<Floor>, mark| match cells[..] {
        [a, b] => Ok([a, b]),
        _ => Err(MapTextError::Starts { mark, found: cells.len() }),
    };
    let starts = [two(&starts[0], '2')?, two(&starts[1], '3')?];
    let mut pairs = Vec::new();
    for (cells, letter) in portals.iter().zip('A'..='Z') {
        match cells[..] {
            [] => {}
            [a, b] => pairs.push([a, b]),
            _ => {
                return Err(MapTextError::Portal { letter, found: cells.len() });
            }
        }
    }
    Ok(Map::new(size, covers, pairs, starts)?)
}
