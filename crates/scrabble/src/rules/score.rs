//! Placement and score of a play, square by square: the slow, obvious way, and the reference for move generation.

use super::board::{BLANK, Orientation, TileBoard, letter};
use super::layout::Layout;
use super::play::Play;
use lexicon::Tile;

/// The bonus for laying a full rack.
pub const BINGO: i32 = 50;

/// Why the placement of a play is illegal; whether its words exist is checked elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    #[error("the play leaves the board")]
    OffBoard,
    #[error("square {0} is taken")]
    Taken(String),
    #[error("square {0} is empty but the play leaves it out")]
    Gap(String),
    #[error("the word continues beyond the play: {0}")]
    Incomplete(String),
    #[error("no tile was laid")]
    NoTiles,
    #[error("the first play covers the start square")]
    Start,
    #[error("the first play lays at least two tiles")]
    Short,
    #[error("the play touches no tile")]
    Loose,
    #[error("a single tile makes no word")]
    NoWord,
}

/// A play that fits, with its words and score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPlay {
    pub score: i32,
    /// All words made, the main word first, as letters.
    pub words: Vec<Vec<Tile>>,
}

fn name(row: usize, column: usize) -> String {
    format!("{}{}", (b'A' + column as u8) as char, row + 1)
}

/// Checks the placement of a play and scores it; `full_rack` is the number of tiles that earns the bonus.
pub fn check_play(
    board: &TileBoard,
    layout: &Layout,
    values: &[i32; 64],
    play: &Play,
    full_rack: usize,
) -> Result<ScoredPlay, PlayError> {
    let placement = Placement { board, layout, values, play };
    placement.check_squares()?;
    placement.check_ends()?;
    let words = placement.words();
    if board.placed() == 0 {
        if !words.covers_start {
            return Err(PlayError::Start);
        }
        if play.laid < 2 {
            return Err(PlayError::Short);
        }
    } else if !words.touches {
        return Err(PlayError::Loose);
    }
    words.scored(if play.laid as usize >= full_rack { BINGO } else { 0 })
}

/// A play on its board.
struct Placement<'p> {
    board: &'p TileBoard,
    layout: &'p Layout,
    values: &'p [i32; 64],
    play: &'p Play,
}

/// The words a play makes, with their sums.
#[derive(Default)]
struct PlayWords {
    main: Vec<Tile>,
    main_sum: i32,
    main_multiplier: i32,
    cross: Vec<Vec<Tile>>,
    cross_total: i32,
    touches: bool,
    covers_start: bool,
}

impl Placement<'_> {
    /// The tile on a square, 0 outside the board.
    fn tile_at(&self, row: isize, column: isize) -> u8 {
        let side = self.board.side() as isize;
        let inside = (0..side).contains(&row) && (0..side).contains(&column);
        if inside { self.board.at(row as usize, column as usize) } else { 0 }
    }

    fn tile_value(&self, tile: u8) -> i32 {
        if tile & BLANK != 0 { 0 } else { self.values[tile as usize] }
    }

    /// The step along the play.
    fn step(&self) -> (isize, isize) {
        if self.play.direction == Orientation::Across { (0, 1) } else { (1, 0) }
    }

    /// Every square of the play is on the board, and exactly the empty ones get a tile.
    fn check_squares(&self) -> Result<(), PlayError> {
        let (play, side) = (self.play, self.board.side());
        if play.laid == 0 {
            return Err(PlayError::NoTiles);
        }
        if play.start as usize + play.length as usize > side || play.lane as usize >= side {
            return Err(PlayError::OffBoard);
        }
        for (i, &tile) in play.tiles().iter().enumerate() {
            let (row, column) = play.square(i);
            match (tile != 0, self.board.at(row, column) != 0) {
                (true, true) => return Err(PlayError::Taken(name(row, column))),
                (false, false) => return Err(PlayError::Gap(name(row, column))),
                _ => {}
            }
        }
        Ok(())
    }

    /// The squares before and after the main word are empty.
    fn check_ends(&self) -> Result<(), PlayError> {
        let (dr, dc) = self.step();
        let (row, column) = self.play.origin();
        let (row, column, length) = (row as isize, column as isize, self.play.length as isize);
        for (r, c) in [(row - dr, column - dc), (row + dr * length, column + dc * length)] {
            if self.tile_at(r, c) != 0 {
                return Err(PlayError::Incomplete(name(r as usize, c as usize)));
            }
        }
        Ok(())
    }

    fn words(&self) -> PlayWords {
        let side = self.board.side();
        let mut words = PlayWords { main_multiplier: 1, ..PlayWords::default() };
        for (i, &tile) in self.play.tiles().iter().enumerate() {
            let (r, c) = self.play.square(i);
            if tile == 0 {
                words.touches = true;
                words.main_sum += self.tile_value(self.board.at(r, c));
                words.main.push(letter(self.board.at(r, c)));
                continue;
            }
            words.covers_start |= r * side + c == self.layout.start();
            let premium = self.layout.premium(r * side + c);
            let value = self.tile_value(tile) * premium.letter as i32;
            words.main_sum += value;
            words.main_multiplier *= premium.word as i32;
            words.main.push(letter(tile));
            let (word, sum) = self.cross_word(r as isize, c as isize, tile, value);
            if word.len() > 1 {
                words.touches = true;
                words.cross_total += sum * premium.word as i32;
                words.cross.push(word);
            }
        }
        words
    }

    /// The word across the play through a tile just laid, and its sum; `value` is what that tile counts.
    fn cross_word(&self, r: isize, c: isize, tile: u8, value: i32) -> (Vec<Tile>, i32) {
        let (dr, dc) = self.step();
        let mut back = 1;
        while self.tile_at(r - dc * back, c - dr * back) != 0 {
            back += 1;
        }
        let (mut word, mut sum) = (Vec::new(), value);
        for k in 1 - back.. {
            if k == 0 {
                word.push(letter(tile));
                continue;
            }
            match self.tile_at(r + dc * k, c + dr * k) {
                0 => break,
                t => {
                    word.push(letter(t));
                    sum += self.tile_value(t);
                }
            }
        }
        (word, sum)
    }
}

impl PlayWords {
    fn scored(self, bonus: i32) -> Result<ScoredPlay, PlayError> {
        let mut score = self.cross_total + bonus;
        let mut words = Vec::new();
        if self.main.len() > 1 {
            score += self.main_sum * self.main_multiplier;
            words.push(self.main);
        }
        words.extend(self.cross);
        if words.is_empty() { Err(PlayError::NoWord) } else { Ok(ScoredPlay { score, words }) }
    }
}
