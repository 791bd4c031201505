//! Static regret: a surrogate fitness for the weighted player, the static equity its moves lose.
//!
//! Thirty games are a noisy measure of a player. The static equity of every move near the best is computed once over
//! the positions of many games; any weights are then scored on all of them in milliseconds, deterministically.

use game::Seed;
use scrabble::engine::movegen::{MoveGenerator, Rack};
use scrabble::engine::{MoveSort, OnePlyPlayer, PositionalModel, positional_features};
use scrabble::players::{LetterTerms, PHASES, PhaseWeights, TERMS, Weighted, phase, weigh};
use scrabble::{MIN_BAG_FOR_EXCHANGE, Play, TwoPlayerGame, rack_value, with_graph};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Moves considered per position: the highest scores and the highest equities.
const BY_SCORE: usize = 50;
const BY_EQUITY: usize = 20;

/// One candidate move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct JudgedMove {
    terms: [f64; TERMS],
    score: f64,
    /// Static equity below the best move of the position, in points.
    regret: f64,
}

/// Positions with their candidate moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegretPositions {
    games: u64,
    choices: Vec<JudgedMove>,
    /// Phase of every position, and the end of its range in `choices`.
    positions: Vec<(usize, usize)>,
}

impl RegretPositions {
    /// The moves of the static player in these games against greedy; `go_on` is called after each and may stop.
    pub fn collect(
        one_ply: OnePlyPlayer<'_>,
        positional: &PositionalModel,
        letters: LetterTerms<'_>,
        games: Range<u64>,
        seed: Seed,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Self {
        let one_ply = OnePlyPlayer { sort: MoveSort::Equity, ..one_ply };
        let greedy = OnePlyPlayer { sort: MoveSort::Score, ..one_ply };
        let (dictionary, layout) = (one_ply.dictionary, one_ply.layout);
        let mut cases = Self::default();
        let mut plays: Vec<Play> = Vec::new();
        with_graph!(dictionary, graph => {
            let generator = MoveGenerator::new(graph, dictionary.values(), layout);
            for number in games {
                let mut rng = seed.rng(number);
                let mut position = TwoPlayerGame::new(dictionary, layout, &mut rng);
                let seat = (number % 2) as usize;
                while !position.over {
                    let bag = position.bag.len();
                    let other = rack_value(dictionary, &position.racks[1 - position.to_move]);
                    if position.to_move == seat {
                        plays.clear();
                        let rack = one_ply.rack(position.rack(), bag, other);
                        generator.all(&position.board, &rack, &mut plays);
                        cases.add_position(&one_ply, positional, letters, &position, &rack, &plays);
                    }
                    let who = if position.to_move == seat { &one_ply } else { &greedy };
                    let (turn, _) = who.choose_with(&generator, &position.board, position.rack(), bag, other);
                    position.apply(dictionary, turn, &mut rng);
                }
                cases.games += 1;
                if !go_on(number) {
                    break;
                }
            }
        });
        cases
    }

    /// Adds a position.
    fn add_position(
        &mut self,
        one_ply: &OnePlyPlayer<'_>,
        positional: &PositionalModel,
        letters: LetterTerms<'_>,
        position: &TwoPlayerGame,
        rack: &Rack,
        plays: &[Play],
    ) {
        let (board, bag) = (&position.board, position.bag.len());
        let weighted = Weighted::new(one_ply.dictionary, one_ply.layout, PhaseWeights::GREEDY, letters);
        let keep = |play: &Play| rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
        let positional_equity = |play: Option<&Play>, kept: usize| {
            let (score, kept) = (play.map_or(0.0, |p| p.score as f64), rack.keep_value(kept) as f64 / 1000.0);
            let features = (bag > 0).then(|| positional_features(board, one_ply.layout, play, kept, bag));
            score + kept + features.map_or(0.0, |features| positional.correction(&features) / 1000.0)
        };
        let mut equities = Vec::new();
        for index in near_best(plays, |play| play.score as i32 * 1000 + rack.keep_value(keep(play))) {
            let play = &plays[index];
            let terms = weighted.terms(board, position.rack(), play);
            self.choices.push(JudgedMove { terms, score: play.score as f64, regret: 0.0 });
            equities.push(positional_equity(Some(play), keep(play)));
        }
        if bag >= MIN_BAG_FOR_EXCHANGE {
            for (terms, given) in weighted.exchanges(position.rack()) {
                let kept = rack.remaining(given.into_iter()).expect("tiles of the rack");
                self.choices.push(JudgedMove { terms, score: 0.0, regret: 0.0 });
                equities.push(positional_equity(None, kept));
            }
        }
        let best = equities.iter().copied().fold(f64::MIN, f64::max);
        let from = self.choices.len() - equities.len();
        self.choices[from..].iter_mut().zip(&equities).for_each(|(choice, equity)| choice.regret = best - equity);
        let phase = phase(board.placed(), bag, one_ply.dictionary.alphabet().tiles(), 2);
        self.positions.push((phase, self.choices.len()));
    }

    /// Appends the positions of later games.
    pub fn append(&mut self, later: &Self) {
        let before = self.choices.len();
        self.games += later.games;
        self.choices.extend_from_slice(&later.choices);
        self.positions.extend(later.positions.iter().map(|&(phase, to)| (phase, to + before)));
    }

    /// Number of positions per phase.
    pub fn phases(&self) -> [usize; PHASES] {
        let mut count = [0; PHASES];
        self.positions.iter().for_each(|&(phase, _)| count[phase] += 1);
        count
    }

    /// Static equity lost per game by moves chosen with these weights, in points.
    pub fn regret(&self, weights: &PhaseWeights) -> f64 {
        let (mut sum, mut from) = (0.0, 0);
        for &(phase, to) in &self.positions {
            let weights = &weights.0[phase];
            let mut best = (f64::MIN, 0.0);
            for choice in &self.choices[from..to] {
                let value = choice.score + weigh(&choice.terms, weights);
                if value > best.0 {
                    best = (value, choice.regret);
                }
            }
            sum += best.1;
            from = to;
        }
        sum / self.games.max(1) as f64
    }
}

/// The plays of highest score and those of highest equity, each once, in the order they were found.
fn near_best(plays: &[Play], equity: impl Fn(&Play) -> i32) -> Vec<usize> {
    let best = |most: usize, key: &dyn Fn(&Play) -> i32| {
        let mut order: Vec<usize> = (0..plays.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(key(&plays[i])), i));
        order.truncate(most);
        order
    };
    let mut chosen = best(BY_SCORE, &|play| play.score as i32);
    chosen.extend(best(BY_EQUITY, &equity));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(choices: &[([f64; TERMS], f64, f64)], phase: usize) -> RegretPositions {
        let choices: Vec<JudgedMove> =
            choices.iter().map(|&(terms, score, regret)| JudgedMove { terms, score, regret }).collect();
        RegretPositions { games: 1, positions: vec![(phase, choices.len())], choices }
    }

    impl RegretPositions {
        /// Two positions in which greedy loses equity: a blank for eight points, high-value letters for two.
        pub(in crate::scrabble) fn example() -> Self {
            let mut cases = case(&[([0.0, -1.0, 0.0, 0.0], 30.0, 12.0), ([0.0, 0.5, 0.0, 0.0], 22.0, 0.0)], 2);
            let other = case(&[([-10.0, 0.0, 0.0, 0.0], 11.0, 3.0), ([10.0, 0.0, 0.0, 0.0], 9.0, 0.0)], 0);
            cases.append(&other);
            Self { games: 1, ..cases }
        }
    }

    #[test]
    fn regret_follows_from_the_moves_chosen() {
        let cases = RegretPositions::example();
        assert_eq!(cases.phases(), [1, 0, 1, 0, 0]);
        let mut careful = PhaseWeights::GREEDY;
        careful.0[2][1] = 20.0;
        assert_eq!((cases.regret(&PhaseWeights::GREEDY), cases.regret(&careful)), (15.0, 3.0));
        careful.0[0][0] = 0.5;
        assert_eq!(cases.regret(&careful), 0.0);
    }

    #[test]
    fn high_scores_and_high_equities_are_candidates() {
        let scores: Vec<i16> = (0..200).collect();
        let plays: Vec<Play> = scores
            .iter()
            .map(|&score| {
                let mut play = Play::new(scrabble::Orientation::Across, 7, 7, &[1, 2]);
                play.score = score;
                play
            })
            .collect();
        let chosen = near_best(&plays, |play| -(play.score as i32));
        assert_eq!(chosen.len(), BY_SCORE + BY_EQUITY);
        assert!(chosen.contains(&199) && chosen.contains(&0) && !chosen.contains(&100));
        assert_eq!(near_best(&plays[..3], |play| play.score as i32), [0, 1, 2]);
    }
}
