//! The study's weighted player (section 5): five functions of a move, weighted by phase of the game.
//!
//! h1 dear letters (worth 3 or more) played less those kept; h2 half the blanks kept less the blanks used; h3 letters
//! on the rack after the move that it has more than once; h4 worth of the premium squares the move opens to the other; h5 the score.

use super::{Player, Seen};
use crate::movegen::{Generator, NoLeaves, Rack};
use crate::rules::{Board, Dictionary, Direction, EXCHANGE_NEEDS, Layout, Play, Turn};
use crate::with_graph;
use lexicon::Tile;

/// Phases of the game: the opening move, three thirds of the bag, the bag empty.
pub const PHASES: usize = 5;
/// Functions that have a weight; the fifth, the score, has weight 1.
pub const TERMS: usize = 4;

/// Twenty weights: four functions in five phases.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub [[f64; TERMS]; PHASES]);

impl Weights {
    /// All zero: the greedy player.
    pub const GREEDY: Self = Self([[0.0; TERMS]; PHASES]);

    /// Weights as text: one line of four numbers per phase.
    pub fn to_text(&self) -> String {
        let mut out = String::from("# weights of h1 h2 h3 h4, one line per phase: opening, three thirds, bag empty\n");
        for row in &self.0 {
            let row: Vec<String> = row.iter().map(|w| format!("{w:.4}")).collect();
            out += &(row.join(" ") + "\n");
        }
        out
    }

    /// Reads what [`Weights::to_text`] writes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut weights = Self::GREEDY;
        let rows = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
        let mut count = 0;
        for (i, line) in rows {
            let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
            let numbers = numbers.map_err(|_| format!("weights, line {}: {line:?} is not four numbers", i + 1))?;
            if numbers.len() != TERMS || count >= PHASES || numbers.iter().any(|n| !n.is_finite()) {
                return Err(format!("weights, line {}: expected {PHASES} lines of {TERMS} numbers", i + 1));
            }
            weights.0[count].copy_from_slice(&numbers);
            count += 1;
        }
        if count == PHASES { Ok(weights) } else { Err(format!("weights: {count} lines, expected {PHASES}")) }
    }
}

/// The phase of a game by tiles on the board and in the bag.
pub fn phase(placed: usize, bag: usize, tiles: usize) -> usize {
    if placed == 0 {
        return 0;
    }
    if bag == 0 {
        return 4;
    }
    let drawable = tiles.saturating_sub(14).max(1);
    let drawn = drawable.saturating_sub(bag);
    1 + (drawn * 3 / drawable).min(2)
}

/// The weighted player.
pub struct Weighted<'a> {
    pub dictionary: &'a Dictionary,
    pub layout: &'a Layout,
    pub weights: Weights,
    plays: Vec<Play>,
}

impl<'a> Weighted<'a> {
    pub fn new(dictionary: &'a Dictionary, layout: &'a Layout, weights: Weights) -> Self {
        Self { dictionary, layout, weights, plays: Vec::new() }
    }

    /// h1 to h4 of a play.
    pub fn terms(&self, board: &Board, rack: &[Tile], play: &Play) -> [f64; TERMS] {
        let values = self.dictionary.values();
        let mut counts = [0i32; 64];
        rack.iter().for_each(|&t| counts[t as usize] += 1);
        let (mut dear, mut blanks) = (0, 0.0);
        for tile in play.rack_tiles() {
            counts[tile as usize] -= 1;
            let value = values[tile as usize];
            dear += if value >= 3 { value } else { 0 };
            blanks -= (tile == 0) as i32 as f64;
        }
        let [kept_dear, kept_blanks, repeated, _] = self.kept_terms(&counts);
        [dear as f64 + kept_dear, blanks + kept_blanks, repeated, opened(board, self.layout, play)]
    }

    /// What the tiles kept add to h1, h2 and h3; all there is of them when tiles are exchanged.
    fn kept_terms(&self, counts: &[i32; 64]) -> [f64; TERMS] {
        let values = self.dictionary.values();
        let mut dear = 0;
        let mut repeated = 0;
        for (tile, &count) in counts.iter().enumerate().skip(1) {
            dear -= if values[tile] >= 3 { values[tile] * count } else { 0 };
            repeated += if count > 1 { count } else { 0 };
        }
        [dear as f64, counts[0] as f64 / 2.0, repeated as f64, 0.0]
    }

    /// The tiles it would rather give back, with the value h0 of doing so.
    fn exchange(&self, board: &Board, rack: &[Tile], bag: usize) -> Option<(f64, Vec<Tile>)> {
        if bag < EXCHANGE_NEEDS || rack.is_empty() {
            return None;
        }
        let phase = phase(board.placed(), bag, self.dictionary.alphabet().tiles());
        let value = |given: u32| {
            let mut counts = [0i32; 64];
            let kept = rack.iter().enumerate().filter(|(i, _)| given >> i & 1 == 0);
            kept.for_each(|(_, &t)| counts[t as usize] += 1);
            self.kept_terms(&counts).iter().zip(&self.weights.0[phase]).map(|(h, w)| h * w).sum::<f64>()
        };
        let sets = (1u32..1 << rack.len()).map(|given| (value(given), given));
        let (value, given) = sets.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        Some((value, rack.iter().enumerate().filter(|(i, _)| given >> i & 1 == 1).map(|(_, &t)| t).collect()))
    }

    /// The value h0 of a play.
    pub fn value(&self, board: &Board, rack: &[Tile], bag: usize, play: &Play) -> f64 {
        let phase = phase(board.placed(), bag, self.dictionary.alphabet().tiles());
        let terms = self.terms(board, rack, play);
        let weights = &self.weights.0[phase];
        play.score as f64 + terms.iter().zip(weights).map(|(h, w)| h * w).sum::<f64>()
    }
}

/// Points the other is expected to gain from a premium square that lies one to four squares from a tile laid, by the
/// learned prices of [`super::Outlook`], rounded: triple word, double word, triple letter.
const WORTH: [[f64; 4]; 3] = [[2.8, 2.0, 1.3, 1.2], [0.2, 0.2, 0.8, 0.7], [0.1, 0.1, 0.6, 0.4]];

/// Worth of the premium squares that the other can now reach across the tiles laid: bigger ones and nearer ones more.
/// What lies ahead of a word's ends is reached by lengthening the word only, and counts if it is next to them.
fn opened(board: &Board, layout: &Layout, play: &Play) -> f64 {
    let side = board.side() as isize;
    let (along, across) = match play.direction {
        Direction::Across => ((0, 1), (1, 0)),
        Direction::Down => ((1, 0), (0, 1)),
    };
    let reach = |(row, column): (usize, usize), (dr, dc): (isize, isize), far: usize| {
        let mut worth = 0.0;
        for reach in 1..=far {
            let (r, c) = (row as isize + dr * reach as isize, column as isize + dc * reach as isize);
            if !(0..side).contains(&r) || !(0..side).contains(&c) || board.at(r as usize, c as usize) != 0 {
                break;
            }
            let premium = layout.premium((r * side + c) as usize);
            let size = match (premium.word, premium.letter) {
                (3.., _) => 0,
                (2, _) => 1,
                (_, 3..) => 2,
                _ => continue,
            };
            worth += WORTH[size][reach - 1];
        }
        worth
    };
    let back = |(r, c): (isize, isize)| (-r, -c);
    let beside: f64 = play
        .laid_tiles()
        .map(|(row, column, _)| reach((row, column), across, 4) + reach((row, column), back(across), 4))
        .sum();
    let ends = reach(play.square(0), back(along), 1) + reach(play.square(play.length as usize - 1), along, 1);
    beside + ends / 4.0
}

impl Player for Weighted<'_> {
    fn choose(&mut self, seen: &Seen<'_>) -> Turn {
        let mut plays = std::mem::take(&mut self.plays);
        plays.clear();
        with_graph!(self.dictionary, graph => {
            let rack = Rack::new(seen.rack, &NoLeaves);
            Generator::new(graph, self.dictionary.values(), self.layout).all(seen.board, &rack, &mut plays);
        });
        let mut best: Option<(f64, usize)> = None;
        // only plays whose score could make up for the dearest terms are looked at closely
        let top = plays.iter().map(|p| p.score).max().unwrap_or(0);
        for (i, play) in plays.iter().enumerate().filter(|(_, p)| p.score + 40 >= top) {
            let value = self.value(seen.board, seen.rack, seen.bag, play);
            if best.is_none_or(|(b, _)| value > b) {
                best = Some((value, i));
            }
        }
        let turn = match (best, self.exchange(seen.board, seen.rack, seen.bag)) {
            (Some((value, i)), Some((other, _))) if value >= other => Turn::Play(plays[i]),
            (_, Some((_, tiles))) => Turn::Exchange(tiles),
            (Some((_, i)), None) => Turn::Play(plays[i]),
            (None, None) => Turn::Pass,
        };
        self.plays = plays;
        turn
    }
}
