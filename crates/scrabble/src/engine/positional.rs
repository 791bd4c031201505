//! The positional model: a linear correction of static equity by what a move does to the following turns.
//!
//! Features: premium squares opened to the opponent, premium squares covered, tiles played and tiles left in the bag.
//! The weights are the least-squares fit of simulated two-ply equity less static equity over candidates of the same
//! position (`parlour scrabble positional`).

use crate::engine::movegen::MAX_RACK;
use crate::rules::{Layout, Orientation, Play, Premium, TileBoard};

/// Kinds of premium squares: triple and double word, triple and double letter.
const KINDS: usize = 4;
/// Distance in squares up to which premium squares count as opened.
const REACH: usize = 4;
const BESIDE: usize = 0;
const AHEAD: usize = BESIDE + KINDS * REACH;
const COVERED: usize = AHEAD + KINDS * REACH;
const LAID: usize = COVERED + KINDS;
const LEFT_IN_BAG: usize = LAID + MAX_RACK + 1;
/// Bags smaller than this have a feature per tile.
const SMALL_BAG: usize = 8;
const KEPT: usize = LEFT_IN_BAG + SMALL_BAG;
/// Stages that scale the leave value: bags below 14 tiles, below 40, larger.
const STAGES: usize = 3;
/// Number of features.
pub const FEATURES: usize = KEPT + STAGES;

/// Learned weights, in points per feature.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionalModel(pub [f64; FEATURES]);

impl Default for PositionalModel {
    /// No correction.
    fn default() -> Self {
        Self([0.0; FEATURES])
    }
}

fn kind(premium: Premium) -> Option<usize> {
    match (premium.word, premium.letter) {
        (3.., _) => Some(0),
        (2, _) => Some(1),
        (_, 3..) => Some(2),
        (_, 2) => Some(3),
        _ => None,
    }
}

/// The features of a move: `play` is none for an exchange, `kept` is the leave value in points, `bag` the number of
/// tiles in the bag before the move.
pub fn positional_features(
    board: &TileBoard,
    layout: &Layout,
    play: Option<&Play>,
    kept: f64,
    bag: usize,
) -> [f64; FEATURES] {
    let mut features = [0.0; FEATURES];
    let laid = play.map_or(0, |p| p.laid as usize);
    features[LAID + laid.min(MAX_RACK)] = 1.0;
    let left = bag.saturating_sub(laid);
    if left < SMALL_BAG {
        features[LEFT_IN_BAG + left] = 1.0;
    }
    features[KEPT + if bag < 14 { 0 } else { 1 + (bag >= 40) as usize }] = kept;
    let Some(play) = play else { return features };
    let side = board.side() as isize;
    let inside = |r: isize, c: isize| (0..side).contains(&r) && (0..side).contains(&c);
    let taken = |r: isize, c: isize| inside(r, c) && board.at(r as usize, c as usize) != 0;
    let mut open = |from: usize, (row, column): (usize, usize), (dr, dc): (isize, isize)| {
        for reach in 1..=REACH as isize {
            let (r, c) = (row as isize + dr * reach, column as isize + dc * reach);
            if !inside(r, c) || taken(r, c) {
                break;
            }
            if let Some(kind) = kind(layout.premium((r * side + c) as usize)) {
                features[from + kind * REACH + reach as usize - 1] += 1.0;
            }
        }
    };
    let (along, across) = match play.direction {
        Orientation::Across => ((0, 1), (1, 0)),
        Orientation::Down => ((1, 0), (0, 1)),
    };
    let back = |(r, c): (isize, isize)| (-r, -c);
    for (row, column, _) in play.laid_tiles() {
        open(BESIDE, (row, column), across);
        open(BESIDE, (row, column), back(across));
    }
    open(AHEAD, play.square(0), back(along));
    open(AHEAD, play.square(play.length as usize - 1), along);
    for (row, column, _) in play.laid_tiles() {
        // a covered premium square counts only if the opponent could already reach it
        let (r, c) = (row as isize, column as isize);
        let reached = [(0, 1), (0, -1), (1, 0), (-1, 0)].iter().any(|(dr, dc)| taken(r + dr, c + dc));
        if let Some(kind) = kind(layout.premium(row * side as usize + column))
            && reached
        {
            features[COVERED + kind] += 1.0;
        }
    }
    features
}

impl PositionalModel {
    /// The correction of a move's static equity, in thousandths of a point.
    pub fn correction(&self, features: &[f64; FEATURES]) -> f64 {
        1000.0 * self.0.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f64>()
    }

    /// The weights as text, one per line.
    pub fn to_text(&self) -> String {
        let numbers: String = self.0.iter().map(|weight| format!("{weight:.4}\n")).collect();
        format!("# positional model: weights in points\n{numbers}")
    }

    /// Reads what [`PositionalModel::to_text`] writes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut positional = Self::default();
        let mut count = 0;
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')) {
            let number: f64 = line.trim().parse().map_err(|_| format!("line {}: {line:?} is not a number", i + 1))?;
            if count == FEATURES || !number.is_finite() {
                return Err(format!("line {}: expected {FEATURES} finite numbers", i + 1));
            }
            positional.0[count] = number;
            count += 1;
        }
        if count == FEATURES { Ok(positional) } else { Err(format!("{count} numbers, expected {FEATURES}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_back_and_wrong_files_refused() {
        let mut positional = PositionalModel::default();
        positional.0.iter_mut().enumerate().for_each(|(i, weight)| *weight = i as f64 / 8.0 - 3.0);
        assert_eq!(PositionalModel::parse(&positional.to_text()), Ok(positional));
        assert!(PositionalModel::parse("1\n2\n").unwrap_err().contains("2 numbers"));
        assert!(PositionalModel::parse("1\nx\n").unwrap_err().contains("line 2"));
    }

    #[test]
    fn a_word_below_the_centre_opens_what_lies_beside_it() {
        let layout = Layout::named("standard").expect("shipped");
        let board = TileBoard::new(&layout);
        let play = Play::new(Orientation::Across, 7, 6, &[1, 2, 3]);
        let features = positional_features(&board, &layout, Some(&play), 2.0, 86);
        assert_eq!(features[LAID + 3], 1.0);
        assert_eq!(features[KEPT + 2], 2.0);
        // double letters diagonally beside the centre, one above and one below each end of the word
        assert_eq!(features[BESIDE + 3 * REACH], 4.0);
        assert_eq!(features[COVERED..LAID], [0.0; KINDS]);
    }
}
