//! What a turn does to the turns after it, beyond the tiles it keeps: premium squares opened to the other, premium
//! squares taken away, how many tiles are turned over and how the bag runs out. A learned price for each, in points.
//!
//! The prices are the least-squares fit of "simulated two-ply equity less static equity" on these figures, over
//! candidates of the same position (`parlour scrabble outlook`).

use crate::movegen::MAX_RACK;
use crate::rules::{Board, Direction, Layout, Play, Premium};

/// Kinds of premium squares: triple and double word, triple and double letter.
const KINDS: usize = 4;
/// How far premium squares are looked for beside a tile.
const REACH: usize = 4;
const BESIDE: usize = 0;
const AHEAD: usize = BESIDE + KINDS * REACH;
const COVERED: usize = AHEAD + KINDS * REACH;
const LAID: usize = COVERED + KINDS;
const LEFT_IN_BAG: usize = LAID + MAX_RACK + 1;
/// Bags that become this small are counted one by one.
const SMALL_BAG: usize = 8;
const KEPT: usize = LEFT_IN_BAG + SMALL_BAG;
/// Stages of the game in which the worth of kept tiles is corrected: bags below 14, below 40, larger.
const STAGES: usize = 3;
/// Figures that have a price.
pub const FIGURES: usize = KEPT + STAGES;

/// Learned prices.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook(pub [f64; FIGURES]);

impl Default for Outlook {
    /// Nothing but score and kept tiles counts.
    fn default() -> Self {
        Self([0.0; FIGURES])
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

/// The figures of a turn: `play` is none for an exchange; `kept` is the worth of the tiles kept in points; `bag` is
/// how many tiles the bag holds before the turn.
pub fn figures(board: &Board, layout: &Layout, play: Option<&Play>, kept: f64, bag: usize) -> [f64; FIGURES] {
    let mut figures = [0.0; FIGURES];
    let laid = play.map_or(0, |p| p.laid as usize);
    figures[LAID + laid.min(MAX_RACK)] = 1.0;
    let left = bag.saturating_sub(laid);
    if left < SMALL_BAG {
        figures[LEFT_IN_BAG + left] = 1.0;
    }
    figures[KEPT + if bag < 14 { 0 } else { 1 + (bag >= 40) as usize }] = kept;
    let Some(play) = play else { return figures };
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
                figures[from + kind * REACH + reach as usize - 1] += 1.0;
            }
        }
    };
    let (along, across) = match play.direction {
        Direction::Across => ((0, 1), (1, 0)),
        Direction::Down => ((1, 0), (0, 1)),
    };
    let back = |(r, c): (isize, isize)| (-r, -c);
    for (row, column, _) in play.laid_tiles() {
        open(BESIDE, (row, column), across);
        open(BESIDE, (row, column), back(across));
    }
    open(AHEAD, play.square(0), back(along));
    open(AHEAD, play.square(play.length as usize - 1), along);
    for (row, column, _) in play.laid_tiles() {
        // a premium square is taken away from the other only if it could be reached already
        let (r, c) = (row as isize, column as isize);
        let reached = [(0, 1), (0, -1), (1, 0), (-1, 0)].iter().any(|(dr, dc)| taken(r + dr, c + dc));
        if let Some(kind) = kind(layout.premium(row * side as usize + column))
            && reached
        {
            figures[COVERED + kind] += 1.0;
        }
    }
    figures
}

impl Outlook {
    /// The correction of a turn's static equity, in thousandths of a point.
    pub fn correction(&self, figures: &[f64; FIGURES]) -> f64 {
        1000.0 * self.0.iter().zip(figures).map(|(price, figure)| price * figure).sum::<f64>()
    }

    /// The prices as text, one a line.
    pub fn to_text(&self) -> String {
        let numbers: String = self.0.iter().map(|price| format!("{price:.4}\n")).collect();
        format!("# prices of what a turn does to the turns after it, in points\n{numbers}")
    }

    /// Reads what [`Outlook::to_text`] writes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut outlook = Self::default();
        let mut count = 0;
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')) {
            let number: f64 = line.trim().parse().map_err(|_| format!("line {}: {line:?} is not a number", i + 1))?;
            if count == FIGURES || !number.is_finite() {
                return Err(format!("line {}: expected {FIGURES} finite numbers", i + 1));
            }
            outlook.0[count] = number;
            count += 1;
        }
        if count == FIGURES { Ok(outlook) } else { Err(format!("{count} numbers, expected {FIGURES}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_back_and_wrong_files_refused() {
        let mut outlook = Outlook::default();
        outlook.0.iter_mut().enumerate().for_each(|(i, price)| *price = i as f64 / 8.0 - 3.0);
        assert_eq!(Outlook::parse(&outlook.to_text()), Ok(outlook));
        assert!(Outlook::parse("1\n2\n").unwrap_err().contains("2 numbers"));
        assert!(Outlook::parse("1\nx\n").unwrap_err().contains("line 2"));
    }

    #[test]
    fn a_word_below_the_centre_opens_what_lies_beside_it() {
        let layout = Layout::named("standard").expect("shipped");
        let board = Board::new(&layout);
        let play = Play::new(Direction::Across, 7, 6, &[1, 2, 3]);
        let figures = figures(&board, &layout, Some(&play), 2.0, 86);
        assert_eq!(figures[LAID + 3], 1.0);
        assert_eq!(figures[KEPT + 2], 2.0);
        // double letters diagonally beside the centre, one above and one below each end of the word
        assert_eq!(figures[BESIDE + 3 * REACH], 4.0);
        assert_eq!(figures[COVERED..LAID], [0.0; KINDS]);
    }
}
