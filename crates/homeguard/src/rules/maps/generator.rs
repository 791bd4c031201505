//! Generators: deterministic functions from a genome to covers (Šindelář 2024, section 4.2).

use crate::rules::{Cover, GridSquare, Size};

/// Turns a genome (values 0, 1, 2) into covers. Every genome of the right length gives a valid map.
pub trait MapGenerator {
    /// Number of genes for a board.
    fn genes(&self, size: Size) -> usize;
    /// The covers of a genome, one per cover site. Missing genes count as 0.
    fn covers(&self, size: Size, genome: &[u8]) -> Vec<Cover>;
}

/// Genes fill the cover sites left to right, top to bottom: the generator of the final version in the thesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckersGenerator;

impl MapGenerator for CheckersGenerator {
    fn genes(&self, size: Size) -> usize {
        size.sites()
    }

    fn covers(&self, size: Size, genome: &[u8]) -> Vec<Cover> {
        (0..size.sites()).map(|site| Cover::from_gene(genome.get(site).copied().unwrap_or(0))).collect()
    }
}

/// Bars on a lattice of grid lines: genes are horizontal bars row by row, then vertical bars.
///
/// The thesis gives the idea only. Our reading: lattice lines every `spacing` cells from the edge, a bar covers the
/// cells strictly between two crossings, a crossing takes the highest of the bars that meet there, and only cover
/// sites keep their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineGenerator {
    spacing: usize,
}

impl Default for LineGenerator {
    fn default() -> Self {
        LineGenerator { spacing: 4 }
    }
}

impl LineGenerator {
    /// A lattice with lines `spacing` cells apart; at least 2.
    pub fn new(spacing: usize) -> Self {
        LineGenerator { spacing: spacing.max(2) }
    }

    /// Coordinates of the lattice lines, centred on the board.
    fn lines(&self, size: Size) -> Vec<usize> {
        let offset = (size.side() - 1) % self.spacing / 2;
        (offset..size.side()).step_by(self.spacing).collect()
    }

    /// Start and end (exclusive) of every bar along a line, the open ends at the border included.
    fn bars(&self, size: Size) -> Vec<(usize, usize)> {
        let lines = self.lines(size);
        let mut bars = Vec::new();
        let mut from = 0;
        for &line in lines.iter().chain([&size.side()]) {
            if from < line {
                bars.push((from, line));
            }
            from = line + 1;
        }
        bars
    }
}

impl MapGenerator for LineGenerator {
    fn genes(&self, size: Size) -> usize {
        2 * self.lines(size).len() * self.bars(size).len()
    }

    fn covers(&self, size: Size, genome: &[u8]) -> Vec<Cover> {
        let (lines, bars) = (self.lines(size), self.bars(size));
        let side = size.side();
        let mut grid = vec![Cover::None; side * side];
        let mut genes = genome.iter().copied().chain(std::iter::repeat(0));
        for horizontal in [true, false] {
            for &line in &lines {
                for &(from, to) in &bars {
                    let cover = Cover::from_gene(genes.next().unwrap_or(0));
                    // crossings are the lattice cells right before and after the bar
                    let reach = from.saturating_sub(1)..(to + 1).min(side);
                    for along in reach {
                        let (x, y) = if horizontal { (along, line) } else { (line, along) };
                        let cell = &mut grid[y * side + x];
                        *cell = (*cell).max(cover);
                    }
                }
            }
        }
        size.all_sites()
            .map(|site| {
                let GridSquare { x, y } = size.site_square(site);
                grid[usize::from(y) * side + usize::from(x)]
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Map;

    #[test]
    fn checkers_is_the_genome_itself() {
        let size = Size::DEFAULT;
        let genome: Vec<u8> = (0..60).map(|i| i % 3).collect();
        let covers = CheckersGenerator.covers(size, &genome);
        assert_eq!(CheckersGenerator.genes(size), 60);
        assert!(covers.iter().zip(&genome).all(|(cover, gene)| cover.gene() == *gene));
    }

    #[test]
    fn lines_stay_on_the_lattice_and_are_always_valid() {
        for size in Size::ALL {
            for spacing in 2..6 {
                let lines = LineGenerator::new(spacing);
                let genes = lines.genes(size);
                let covers = lines.covers(size, &vec![2; genes]);
                let on_lattice = lines.lines(size);
                for site in size.all_sites() {
                    let square = size.site_square(site);
                    let lattice =
                        on_lattice.contains(&usize::from(square.x)) || on_lattice.contains(&usize::from(square.y));
                    assert_eq!(covers[site.index()] == Cover::Long, lattice, "{square}");
                }
                assert!(Map::with_covers(size, covers).is_ok());
                let none = lines.covers(size, &vec![0; genes]);
                assert!(none.iter().all(|cover| *cover == Cover::None));
            }
        }
    }

    #[test]
    fn one_gene_is_one_bar() {
        let size = Size::DEFAULT;
        let lines = LineGenerator::default();
        let genes = lines.genes(size);
        for gene in 0..genes {
            let mut genome = vec![0; genes];
            genome[gene] = 1;
            let count = lines.covers(size, &genome).iter().filter(|cover| **cover == Cover::Short).count();
            assert!((1..=3).contains(&count), "gene {gene} stamped {count}");
        }
    }
}
