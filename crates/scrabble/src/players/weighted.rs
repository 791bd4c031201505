//! The weighted player of Dvořák 2006, section 6.3: five functions of a move, weighted by phase of the game.
//!
//! h1 points of the high-value letters (3 or more) played less those kept; h2 half the blanks kept less the blanks
//! played; h3 number of letters that occur more than once on the rack after the move; h4 value of the premium squares
//! the move opens, by size and reach; h5 the score. An exchange is a move like any other: its tiles are those given
//! back, it opens nothing and scores nothing. The thesis states h4 without a formula; [`opened`] gives ours.
//!
//! h1 to h4 ignore one-point letters and which letters combine, and no weights make up for it
//! (docs/results/scrabble.md). [`LetterTerms::Learned`] replaces the points of h1 and the repetitions of h3 by learned
//! leave values of single letters and pairs, and the value of a premium square by its positional weight.

use super::{EnginePlayer, PlayerView};
use crate::engine::leaves::{LeaveModel, pair_index};
use crate::engine::movegen::{MoveGenerator, NoLeaves, Rack};
use crate::rules::{Dictionary, Layout, MIN_BAG_FOR_EXCHANGE, Orientation, Play, PlayerMove, TileBoard};
use crate::with_graph;
use lexicon::Tile;

/// Phases of the game: the opening move, three thirds of the bag, the bag empty.
pub const PHASES: usize = 5;
/// Functions that have a weight; the fifth, the score, has weight 1.
pub const TERMS: usize = 4;

/// Twenty weights: four functions in five phases.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseWeights(pub [[f64; TERMS]; PHASES]);

impl PhaseWeights {
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

    /// Reads what [`PhaseWeights::to_text`] writes.
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

/// The phase of a game of `players` by tiles on the board, in the bag and in the set.
pub fn phase(placed: usize, bag: usize, tiles: usize, players: usize) -> usize {
    if placed == 0 {
        return 0;
    }
    if bag == 0 {
        return 4;
    }
    let drawable = tiles.saturating_sub(7 * players).max(1);
    let drawn = drawable.saturating_sub(bag);
    1 + (drawn * 3 / drawable).min(2)
}

/// How h1, h3 and h4 value letters and premium squares.
#[derive(Clone, Copy, Debug)]
pub enum LetterTerms<'a> {
    /// As in the thesis: by points, by the number of repeated letters, by size and reach of a premium square.
    Printed,
    /// By learned leave values of single letters and pairs, and by positional weights.
    Learned(&'a LeaveModel),
}

/// The weighted player.
pub struct Weighted<'a> {
    pub dictionary: &'a Dictionary,
    pub layout: &'a Layout,
    pub weights: PhaseWeights,
    /// Number of players in the game, for the phase.
    pub players: usize,
    letters: LetterTerms<'a>,
    plays: Vec<Play>,
}

impl<'a> Weighted<'a> {
    pub fn new(
        dictionary: &'a Dictionary,
        layout: &'a Layout,
        weights: PhaseWeights,
        letters: LetterTerms<'a>,
    ) -> Self {
        Self { dictionary, layout, weights, players: 2, letters, plays: Vec::new() }
    }

    /// h1 to h4 of a play.
    pub fn terms(&self, board: &TileBoard, rack: &[Tile], play: &Play) -> [f64; TERMS] {
        let [high_value, blanks, repeated] = self.rack_terms(rack, play.rack_tiles());
        let values = match self.letters {
            LetterTerms::Printed => &PRINTED,
            LetterTerms::Learned(_) => &LEARNED,
        };
        [high_value, blanks, repeated, opened(board, self.layout, play, values)]
    }

    /// h1, h2 and h3 of a move with these tiles of the rack.
    fn rack_terms(&self, rack: &[Tile], used: impl Iterator<Item = Tile>) -> [f64; TERMS - 1] {
        let (mut played, mut kept) = ([0i32; 64], [0i32; 64]);
        rack.iter().for_each(|&tile| kept[tile as usize] += 1);
        for tile in used {
            kept[tile as usize] -= 1;
            played[tile as usize] += 1;
        }
        let blanks = f64::from(kept[0]) / 2.0 - f64::from(played[0]);
        match self.letters {
            LetterTerms::Printed => {
                let values = self.dictionary.values();
                let high_value = |(tile, count): (usize, i32)| if values[tile] >= 3 { values[tile] * count } else { 0 };
                let repeated = letters(&kept).filter(|&(_, count)| count > 1).count() as i32;
                let high_value =
                    letters(&played).map(high_value).sum::<i32>() - letters(&kept).map(high_value).sum::<i32>();
                [f64::from(high_value), blanks, f64::from(repeated)]
            }
            LetterTerms::Learned(leaves) => {
                let (single, pair, _) = leaves.parts();
                let alone = |(tile, count): (usize, i32)| single[tile] * count;
                let together = |(a, count): (usize, i32)| {
                    let others = letters(&kept).take_while(|&(b, _)| b < a);
                    let with: i32 = others.map(|(b, other)| pair[pair_index(b, a)] * other).sum();
                    count * with + pair[pair_index(a, a)] * (count * (count - 1) / 2)
                };
                let alone = letters(&kept).map(alone).sum::<i32>() - letters(&played).map(alone).sum::<i32>();
                let together: i32 = letters(&kept).map(together).sum();
                [f64::from(alone) / 1000.0, blanks, f64::from(together) / 1000.0]
            }
        }
    }

    /// Exchanges and their terms; of equal terms the exchange of most tiles.
    pub fn exchanges(&self, rack: &[Tile]) -> Vec<([f64; TERMS], Vec<Tile>)> {
        let mut found: Vec<([f64; TERMS], Vec<Tile>)> = Vec::new();
        for set in 1u32..1 << rack.len() {
            let given: Vec<Tile> =
                rack.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, &t)| t).collect();
            let [high_value, blanks, repeated] = self.rack_terms(rack, given.iter().copied());
            let terms = [high_value, blanks, repeated, 0.0];
            match found.iter_mut().find(|(other, _)| *other == terms) {
                Some((_, best)) if best.len() < given.len() => *best = given,
                Some(_) => {}
                None => found.push((terms, given)),
            }
        }
        found
    }

    /// The best exchange and its value h0.
    fn exchange(&self, board: &TileBoard, rack: &[Tile], bag: usize) -> Option<(f64, Vec<Tile>)> {
        if bag < MIN_BAG_FOR_EXCHANGE {
            return None;
        }
        let weights = self.weights_now(board, bag);
        let valued = self.exchanges(rack).into_iter().map(|(terms, given)| (weigh(&terms, weights), given));
        valued.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn weights_now(&self, board: &TileBoard, bag: usize) -> &[f64; TERMS] {
        &self.weights.0[phase(board.placed(), bag, self.dictionary.alphabet().tiles(), self.players)]
    }

    /// The value h0 of a play.
    pub fn value(&self, board: &TileBoard, rack: &[Tile], bag: usize, play: &Play) -> f64 {
        play.score as f64 + weigh(&self.terms(board, rack, play), self.weights_now(board, bag))
    }
}

/// The letters present with their counts, without blanks.
fn letters(counts: &[i32; 64]) -> impl Iterator<Item = (usize, i32)> + '_ {
    counts.iter().copied().enumerate().skip(1).filter(|&(_, count)| count > 0)
}

/// The weighted sum of h1 to h4.
pub fn weigh(terms: &[f64; TERMS], weights: &[f64; TERMS]) -> f64 {
    terms.iter().zip(weights).map(|(h, w)| h * w).sum()
}

/// Value of a premium square one to four squares from a tile laid: triple word, double word, triple letter, double
/// letter; and the factor of a square right before or after the word, which only an extension reaches.
struct PremiumValues {
    squares: [[f64; 4]; 4],
    ends: f64,
}

/// Our reading of "the size of the bonus and its reach": what the square adds (2, 1, 2, 1, twice for words) divided by
/// the number of tiles needed to reach it.
const PRINTED: PremiumValues = PremiumValues {
    squares: [
        [4.0, 2.0, 4.0 / 3.0, 1.0],
        [2.0, 1.0, 2.0 / 3.0, 0.5],
        [2.0, 1.0, 2.0 / 3.0, 0.5],
        [1.0, 0.5, 1.0 / 3.0, 0.25],
    ],
    ends: 1.0,
};

/// Weights of [`crate::engine::PositionalModel`], rounded; double letters are negligible.
const LEARNED: PremiumValues =
    PremiumValues { squares: [[2.8, 2.0, 1.3, 1.2], [0.2, 0.2, 0.8, 0.7], [0.1, 0.1, 0.6, 0.4], [0.0; 4]], ends: 0.25 };

/// h4: value of the premium squares the opponent can reach across the tiles laid, and next to the ends of the word.
fn opened(board: &TileBoard, layout: &Layout, play: &Play, values: &PremiumValues) -> f64 {
    let side = board.side() as isize;
    let (along, across) = match play.direction {
        Orientation::Across => ((0, 1), (1, 0)),
        Orientation::Down => ((1, 0), (0, 1)),
    };
    let reach = |(row, column): (usize, usize), (dr, dc): (isize, isize), far: usize| {
        let mut value = 0.0;
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
                (_, 2) => 3,
                _ => continue,
            };
            value += values.squares[size][reach - 1];
        }
        value
    };
    let back = |(r, c): (isize, isize)| (-r, -c);
    let beside: f64 = play
        .laid_tiles()
        .map(|(row, column, _)| reach((row, column), across, 4) + reach((row, column), back(across), 4))
        .sum();
    let ends = reach(play.square(0), back(along), 1) + reach(play.square(play.length as usize - 1), along, 1);
    beside + values.ends * ends
}

impl EnginePlayer for Weighted<'_> {
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        self.choose_move(seen.board, seen.rack, seen.bag)
    }
}

impl Weighted<'_> {
    /// The move of highest h0.
    pub fn choose_move(&mut self, board: &TileBoard, rack: &[Tile], bag: usize) -> PlayerMove {
        let mut plays = std::mem::take(&mut self.plays);
        plays.clear();
        with_graph!(self.dictionary, graph => {
            let rack = Rack::new(rack, &NoLeaves);
            MoveGenerator::new(graph, self.dictionary.values(), self.layout).all(board, &rack, &mut plays);
        });
        let mut best: Option<(f64, usize)> = None;
        for (i, play) in plays.iter().enumerate() {
            let value = self.value(board, rack, bag, play);
            if best.is_none_or(|(b, _)| value > b) {
                best = Some((value, i));
            }
        }
        let turn = match (best, self.exchange(board, rack, bag)) {
            (Some((value, i)), Some((other, _))) if value >= other => PlayerMove::Play(plays[i]),
            (_, Some((_, tiles))) => PlayerMove::Exchange(tiles),
            (Some((_, i)), None) => PlayerMove::Play(plays[i]),
            (None, None) => PlayerMove::Pass,
        };
        self.plays = plays;
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexicon::{Alphabet, LexiconBuilder};

    fn fixture() -> (Dictionary, Layout) {
        let mut builder = LexiconBuilder::new(Alphabet::shipped("en").expect("shipped"));
        builder.add_text("cat\n");
        let dictionary = Dictionary::new(builder.build().expect("a lexicon")).expect("letters fit");
        (dictionary, Layout::named("standard").expect("shipped"))
    }

    #[test]
    fn an_exchange_counts_the_tiles_given_back_as_those_of_the_move() {
        let (dictionary, layout) = fixture();
        let weighted = Weighted::new(&dictionary, &layout, PhaseWeights::GREEDY, LetterTerms::Printed);
        let rack = dictionary.alphabet().encode_rack("QEEA?").expect("a rack");
        let exchanges = weighted.exchanges(&rack);
        let find = |terms: [f64; TERMS]| {
            let given = exchanges.iter().find(|(t, _)| *t == terms).map(|(_, given)| given);
            given.map(|given| dictionary.alphabet().decode(given))
        };
        // Q is exchanged (ten points), the blank is kept or exchanged
        assert_eq!(find([10.0, 0.5, 1.0, 0.0]).as_deref(), Some("QA"), "both Es are kept");
        assert_eq!(
            find([10.0, 0.5, 0.0, 0.0]).map(|t| t.chars().count()),
            Some(4),
            "the largest exchange with these terms"
        );
        assert_eq!(find([-10.0, -1.0, 0.0, 0.0]).map(|t| t.chars().count()), Some(4));
        let mut terms: Vec<String> = exchanges.iter().map(|(t, _)| format!("{t:?}")).collect();
        terms.sort();
        terms.dedup();
        assert_eq!(terms.len(), exchanges.len(), "no two have the same terms");
    }

    #[test]
    fn learned_letters_use_the_values_of_singles_and_pairs() {
        let (dictionary, layout) = fixture();
        let (mut single, mut pair, triple) = {
            let zero = LeaveModel::zero(dictionary.alphabet().len());
            let (single, pair, triple) = zero.parts();
            (single.to_vec(), pair.to_vec(), triple.to_vec())
        };
        let rack = dictionary.alphabet().encode_rack("EEEQS?").expect("a rack");
        let tile = |at: usize| rack[at] as usize;
        let (e, q, s) = (tile(0), tile(3), tile(4));
        (single[e], single[q], single[s]) = (1_000, -6_000, 8_000);
        pair[pair_index(e, e)] = -2_000;
        pair[pair_index(e.min(s), e.max(s))] = 500;
        let leaves = LeaveModel::from_parts(single, pair, triple);
        let weighted = Weighted::new(&dictionary, &layout, PhaseWeights::GREEDY, LetterTerms::Learned(&leaves));
        // Q goes, EEES and the blank stay: 3 + 8 kept, -6 played; three pairs of Es, three of E and S
        assert_eq!(weighted.rack_terms(&rack, [rack[3]].into_iter()), [17.0, 0.5, -6.0 + 1.5]);
        // the blank and an E go
        let gone = [rack[0], *rack.last().expect("a blank")];
        assert_eq!(weighted.rack_terms(&rack, gone.into_iter()), [2.0 - 6.0 + 8.0 - 1.0, -1.0, -2.0 + 1.0]);
    }
}
