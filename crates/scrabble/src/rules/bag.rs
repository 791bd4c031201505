//! The bag.

use lexicon::{Alphabet, Tile};
use rand::RngExt;

/// Tiles not yet drawn, in the order they will be drawn from the end.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bag(Vec<Tile>);

impl Bag {
    /// A full bag of an alphabet, shuffled.
    pub fn full(alphabet: &Alphabet, rng: &mut impl RngExt) -> Self {
        let mut bag = Self(full_set(alphabet));
        bag.shuffle(rng);
        bag
    }

    /// A bag of these tiles, drawn from the end.
    pub fn of(tiles: Vec<Tile>) -> Self {
        Self(tiles)
    }

    /// Number of tiles.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tiles, the next one last.
    pub fn tiles(&self) -> &[Tile] {
        &self.0
    }

    /// Mixes the tiles.
    pub fn shuffle(&mut self, rng: &mut impl RngExt) {
        for i in (1..self.0.len()).rev() {
            self.0.swap(i, rng.random_range(0..=i));
        }
    }

    /// Fills a rack up to `size` tiles.
    pub fn fill(&mut self, rack: &mut Vec<Tile>, size: usize) {
        while rack.len() < size
            && let Some(tile) = self.0.pop()
        {
            rack.push(tile);
        }
    }

    /// Puts tiles back at random places.
    pub fn put_back(&mut self, tiles: &[Tile], rng: &mut impl RngExt) {
        for &tile in tiles {
            let at = rng.random_range(0..=self.0.len());
            self.0.insert(at, tile);
        }
    }
}

/// All tiles of an alphabet, in order, blanks first.
pub fn full_set(alphabet: &Alphabet) -> Vec<Tile> {
    let mut tiles = Vec::with_capacity(alphabet.tiles());
    for tile in 0..=alphabet.len() {
        tiles.extend(std::iter::repeat_n(tile as Tile, alphabet.count(tile as Tile) as usize));
    }
    tiles
}
