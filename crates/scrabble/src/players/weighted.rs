//! The study's weighted player (section 5): five functions of a move, weighted by phase of the game.
//!
//! h1 dear letters (worth 3 or more) played less those kept; h2 half the blanks kept less the blanks used; h3 letters
//! on the rack after the move that it has more than once; h4 worth of the premium squares the move opens to the other; h5 the score.
//! An exchange is a move like any other: the tiles given back are those of the move, nothing is opened and nothing scored.
//!
//! These functions see neither a letter worth one point nor which letters go together, and no weights make up for it
//! (docs/results/scrabble.md). With [`LetterTerms::Learned`] h1 and h3 go by what self-play found letters and pairs of
//! letters to be worth on the rack; everything else stays.

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

/// How h1 and h3 judge letters.
#[derive(Clone, Copy, Debug)]
pub enum LetterTerms<'a> {
    /// As the study does: by their points, and by how many are held more than once.
    Points,
    /// By the learned worth of single letters and of pairs.
    Learned(&'a LeaveModel),
}

/// The weighted player.
pub struct Weighted<'a> {
    pub dictionary: &'a Dictionary,
    pub layout: &'a Layout,
    pub weights: PhaseWeights,
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
        Self { dictionary, layout, weights, letters, plays: Vec::new() }
    }

    /// h1 to h4 of a play.
    pub fn terms(&self, board: &TileBoard, rack: &[Tile], play: &Play) -> [f64; TERMS] {
        let [high_value, blanks, repeated] = self.rack_terms(rack, play.rack_tiles());
        [high_value, blanks, repeated, opened(board, self.layout, play)]
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
            LetterTerms::Points => {
                let values = self.dictionary.values();
                let high_value = |(tile, count): (usize, i32)| if values[tile] >= 3 { values[tile] * count } else { 0 };
                let repeated: i32 = letters(&kept).map(|(_, count)| count).filter(|&count| count > 1).sum();
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

    /// Exchanges and their terms: of those with the same terms, the one that gives most tiles back.
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

    /// The tiles it would rather give back, with the value h0 of doing so.
    fn exchange(&self, board: &TileBoard, rack: &[Tile], bag: usize) -> Option<(f64, Vec<Tile>)> {
        if bag < MIN_BAG_FOR_EXCHANGE {
            return None;
        }
        let weights = self.weights_now(board, bag);
        let valued = self.exchanges(rack).into_iter().map(|(terms, given)| (weigh(&terms, weights), given));
        valued.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn weights_now(&self, board: &TileBoard, bag: usize) -> &[f64; TERMS] {
        &self.weights.0[phase(board.placed(), bag, self.dictionary.alphabet().tiles())]
    }

    /// The value h0 of a play.
    pub fn value(&self, board: &TileBoard, rack: &[Tile], bag: usize, play: &Play) -> f64 {
        play.score as f64 + weigh(&self.terms(board, rack, play), self.weights_now(board, bag))
    }
}

/// The letters of which there are some, with how many; blanks are none.
fn letters(counts: &[i32; 64]) -> impl Iterator<Item = (usize, i32)> + '_ {
    counts.iter().copied().enumerate().skip(1).filter(|&(_, count)| count > 0)
}

/// What h1 to h4 add up to with these weights.
pub fn weigh(terms: &[f64; TERMS], weights: &[f64; TERMS]) -> f64 {
    terms.iter().zip(weights).map(|(h, w)| h * w).sum()
}

/// Points the other is expected to gain from a premium square that lies one to four squares from a tile laid, by the
/// learned prices of [`super::PositionalModel`], rounded: triple word, double word, triple letter.
const PREMIUM_VALUE: [[f64; 4]; 3] = [[2.8, 2.0, 1.3, 1.2], [0.2, 0.2, 0.8, 0.7], [0.1, 0.1, 0.6, 0.4]];

/// Worth of the premium squares that the other can now reach across the tiles laid: bigger ones and nearer ones more.
/// What lies ahead of a word's ends is reached by lengthening the word only, and counts if it is next to them.
fn opened(board: &TileBoard, layout: &Layout, play: &Play) -> f64 {
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
                _ => continue,
            };
            value += PREMIUM_VALUE[size][reach - 1];
        }
        value
    };
    let back = |(r, c): (isize, isize)| (-r, -c);
    let beside: f64 = play
        .laid_tiles()
        .map(|(row, column, _)| reach((row, column), across, 4) + reach((row, column), back(across), 4))
        .sum();
    let ends = reach(play.square(0), back(along), 1) + reach(play.square(play.length as usize - 1), along, 1);
    beside + ends / 4.0
}

impl EnginePlayer for Weighted<'_> {
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        let mut plays = std::mem::take(&mut self.plays);
        plays.clear();
        with_graph!(self.dictionary, graph => {
            let rack = Rack::new(seen.rack, &NoLeaves);
            MoveGenerator::new(graph, self.dictionary.values(), self.layout).all(seen.board, &rack, &mut plays);
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

    fn house() -> (Dictionary, Layout) {
        let mut builder = LexiconBuilder::new(Alphabet::shipped("en").expect("shipped"));
        builder.add_text("cat\n");
        let dictionary = Dictionary::new(builder.build().expect("a lexicon")).expect("letters fit");
        (dictionary, Layout::named("standard").expect("shipped"))
    }

    #[test]
    fn an_exchange_counts_the_tiles_given_back_as_those_of_the_move() {
        let (dictionary, layout) = house();
        let weighted = Weighted::new(&dictionary, &layout, PhaseWeights::GREEDY, LetterTerms::Points);
        let rack = dictionary.alphabet().encode_rack("QEEA?").expect("a rack");
        let exchanges = weighted.exchanges(&rack);
        let find = |terms: [f64; TERMS]| {
            let given = exchanges.iter().find(|(t, _)| *t == terms).map(|(_, given)| given);
            given.map(|given| dictionary.alphabet().decode(given))
        };
        // Q goes (ten points either way), the blank is kept or goes too
        assert_eq!(find([10.0, 0.5, 2.0, 0.0]).as_deref(), Some("QA"), "both Es are kept");
        assert_eq!(find([10.0, 0.5, 0.0, 0.0]).map(|t| t.chars().count()), Some(4), "all that can go has gone");
        assert_eq!(find([-10.0, -1.0, 0.0, 0.0]).map(|t| t.chars().count()), Some(4));
        let mut terms: Vec<String> = exchanges.iter().map(|(t, _)| format!("{t:?}")).collect();
        terms.sort();
        terms.dedup();
        assert_eq!(terms.len(), exchanges.len(), "no two have the same terms");
    }

    #[test]
    fn learned_letters_are_judged_by_what_they_are_worth_alone_and_together() {
        let (dictionary, layout) = house();
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
