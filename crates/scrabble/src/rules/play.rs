//! A play: tiles laid in one lane.

use super::board::{BLANK, Orientation};
use super::layout::MAX_SIDE;
use lexicon::Tile;

/// Tiles laid in one row or column, with what they score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    pub direction: Orientation,
    /// Row of a play across, column of a play down.
    pub lane: u8,
    /// Where the main word starts in its lane.
    pub start: u8,
    /// Letters of the main word.
    pub length: u8,
    /// Tiles laid.
    pub laid: u8,
    pub score: i16,
    /// The main word: 0 where a tile already lies, otherwise the tile laid, with [`BLANK`] for a blank.
    word: [u8; MAX_SIDE],
}

impl Play {
    /// A play of the given word squares (0 where a tile already lies); the score is filled in by the rules.
    pub fn new(direction: Orientation, lane: usize, start: usize, word: &[u8]) -> Self {
        let mut squares = [0; MAX_SIDE];
        squares[..word.len()].copy_from_slice(word);
        let laid = word.iter().filter(|&&t| t != 0).count() as u8;
        let (lane, start, length) = (lane as u8, start as u8, word.len() as u8);
        Self { direction, lane, start, length, laid, score: 0, word: squares }
    }

    /// A play whose parts are already known.
    #[inline(always)]
    pub(crate) fn from_parts(
        direction: Orientation,
        lane: u8,
        start: u8,
        length: u8,
        laid: u8,
        score: i16,
        word: [u8; MAX_SIDE],
    ) -> Self {
        Self { direction, lane, start, length, laid, score, word }
    }

    /// Turns the tile laid on a square of the main word into a blank.
    #[inline(always)]
    pub(crate) fn make_blank(&mut self, offset: u8) {
        self.word[offset as usize] |= BLANK;
    }

    /// The main word square by square: 0 where a tile already lies.
    pub fn tiles(&self) -> &[u8] {
        &self.word[..self.length as usize]
    }

    /// The rack tiles it uses, 0 for each blank.
    pub fn rack_tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.tiles().iter().filter(|&&t| t != 0).map(|&t| if t & BLANK != 0 { 0 } else { t })
    }

    /// Row and column of the main word's first square.
    pub fn origin(&self) -> (usize, usize) {
        self.square(0)
    }

    /// Row and column of a square of the main word.
    pub fn square(&self, index: usize) -> (usize, usize) {
        let along = self.start as usize + index;
        match self.direction {
            Orientation::Across => (self.lane as usize, along),
            Orientation::Down => (along, self.lane as usize),
        }
    }

    /// Row, column and tile of every tile laid.
    pub fn laid_tiles(&self) -> impl Iterator<Item = (usize, usize, u8)> + '_ {
        self.tiles().iter().enumerate().filter(|&(_, &t)| t != 0).map(|(i, &t)| {
            let (row, column) = self.square(i);
            (row, column, t)
        })
    }
}
