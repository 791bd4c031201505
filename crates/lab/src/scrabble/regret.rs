//! A quick stand-in for games when the weighted player is evolved: how much worse, in the eyes of the static player,
//! the turns are that it would choose.
//!
//! Games tell little about a player: thirty of them say about as much as tossing a coin. What the static player thinks
//! of every turn worth a look is worked out once, over the turns of many games; then any weights are judged on all of
//! these positions in milliseconds, and equal weights always equally.

use game::Seed;
use scrabble::movegen::{Generator, Rack};
use scrabble::players::{Letters, Outlook, PHASES, Quick, Style, TERMS, Weighted, Weights, figures, phase, weigh};
use scrabble::{EXCHANGE_NEEDS, Play, Position, with_graph, worth};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Plays of a position that are looked at: those of highest score, and those the static player likes best.
const BY_SCORE: usize = 50;
const BY_EQUITY: usize = 20;

/// One turn that could be taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Choice {
    terms: [f64; TERMS],
    score: f64,
    /// Points less than the best turn of the position, as the static player sees it.
    regret: f64,
}

/// Positions with the turns that could be taken in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cases {
    games: u64,
    choices: Vec<Choice>,
    /// Phase of every position, and where its choices end.
    positions: Vec<(usize, usize)>,
}

impl Cases {
    /// The turns of the static player in games against greedy, by their numbers; `go_on` is asked after each.
    pub fn collect(
        quick: Quick<'_>,
        outlook: &Outlook,
        letters: Letters<'_>,
        games: Range<u64>,
        seed: Seed,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Self {
        let quick = Quick { style: Style::Static, ..quick };
        let greedy = Quick { style: Style::Greedy, ..quick };
        let (dictionary, layout) = (quick.dictionary, quick.layout);
        let mut cases = Self::default();
        let mut plays: Vec<Play> = Vec::new();
        with_graph!(dictionary, graph => {
            let generator = Generator::new(graph, dictionary.values(), layout);
            for number in games {
                let mut rng = seed.rng(number);
                let mut position = Position::new(dictionary, layout, &mut rng);
                let seat = (number % 2) as usize;
                while !position.over {
                    let bag = position.bag.len();
                    let other = worth(dictionary, &position.racks[1 - position.to_move]);
                    if position.to_move == seat {
                        plays.clear();
                        let rack = quick.rack(position.rack(), bag, other);
                        generator.all(&position.board, &rack, &mut plays);
                        cases.look(&quick, outlook, letters, &position, &rack, &plays);
                    }
                    let who = if position.to_move == seat { &quick } else { &greedy };
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
    fn look(
        &mut self,
        quick: &Quick<'_>,
        outlook: &Outlook,
        letters: Letters<'_>,
        position: &Position,
        rack: &Rack,
        plays: &[Play],
    ) {
        let (board, bag) = (&position.board, position.bag.len());
        let weighted = Weighted::new(quick.dictionary, quick.layout, Weights::GREEDY, letters);
        let keep = |play: &Play| rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
        let judged = |play: Option<&Play>, kept: usize| {
            let (score, kept) = (play.map_or(0.0, |p| p.score as f64), rack.keep_value(kept) as f64 / 1000.0);
            let figures = (bag > 0).then(|| figures(board, quick.layout, play, kept, bag));
            score + kept + figures.map_or(0.0, |figures| outlook.correction(&figures) / 1000.0)
        };
        let mut equities = Vec::new();
        for index in worth_a_look(plays, |play| play.score as i32 * 1000 + rack.keep_value(keep(play))) {
            let play = &plays[index];
            let terms = weighted.terms(board, position.rack(), play);
            self.choices.push(Choice { terms, score: play.score as f64, regret: 0.0 });
            equities.push(judged(Some(play), keep(play)));
        }
        if bag >= EXCHANGE_NEEDS {
            for (terms, given) in weighted.exchanges(position.rack()) {
                let kept = rack.remaining(given.into_iter()).expect("tiles of the rack");
                self.choices.push(Choice { terms, score: 0.0, regret: 0.0 });
                equities.push(judged(None, kept));
            }
        }
        // without a choice there is nothing to regret
        let best = equities.iter().copied().fold(f64::MIN, f64::max);
        let from = self.choices.len() - equities.len();
        self.choices[from..].iter_mut().zip(&equities).for_each(|(choice, equity)| choice.regret = best - equity);
        let phase = phase(board.placed(), bag, quick.dictionary.alphabet().tiles());
        self.positions.push((phase, self.choices.len()));
    }

    /// Adds the cases of games that come after these.
    pub fn append(&mut self, later: &Self) {
        let before = self.choices.len();
        self.games += later.games;
        self.choices.extend_from_slice(&later.choices);
        self.positions.extend(later.positions.iter().map(|&(phase, to)| (phase, to + before)));
    }

    /// Positions of each phase.
    pub fn phases(&self) -> [usize; PHASES] {
        let mut count = [0; PHASES];
        self.positions.iter().for_each(|&(phase, _)| count[phase] += 1);
        count
    }

    /// Points a game that turns chosen with these weights are worse than the best, as the static player sees it.
    pub fn regret(&self, weights: &Weights) -> f64 {
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
fn worth_a_look(plays: &[Play], equity: impl Fn(&Play) -> i32) -> Vec<usize> {
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

    fn case(choices: &[([f64; TERMS], f64, f64)], phase: usize) -> Cases {
        let choices: Vec<Choice> =
            choices.iter().map(|&(terms, score, regret)| Choice { terms, score, regret }).collect();
        Cases { games: 1, positions: vec![(phase, choices.len())], choices }
    }

    impl Cases {
        /// Two positions in which greedy gives points away: a blank for eight points, dear letters for two.
        pub(in crate::scrabble) fn example() -> Self {
            let mut cases = case(&[([0.0, -1.0, 0.0, 0.0], 30.0, 12.0), ([0.0, 0.5, 0.0, 0.0], 22.0, 0.0)], 2);
            let other = case(&[([-10.0, 0.0, 0.0, 0.0], 11.0, 3.0), ([10.0, 0.0, 0.0, 0.0], 9.0, 0.0)], 0);
            cases.append(&other);
            Self { games: 1, ..cases }
        }
    }

    #[test]
    fn weights_are_judged_by_the_turns_they_choose() {
        let cases = Cases::example();
        assert_eq!(cases.phases(), [1, 0, 1, 0, 0]);
        let mut careful = Weights::GREEDY;
        careful.0[2][1] = 20.0;
        assert_eq!((cases.regret(&Weights::GREEDY), cases.regret(&careful)), (15.0, 3.0));
        careful.0[0][0] = 0.5;
        assert_eq!(cases.regret(&careful), 0.0);
    }

    #[test]
    fn a_look_is_worth_what_scores_and_what_keeps_well() {
        let scores: Vec<i16> = (0..200).collect();
        let plays: Vec<Play> = scores
            .iter()
            .map(|&score| {
                let mut play = Play::new(scrabble::Direction::Across, 7, 7, &[1, 2]);
                play.score = score;
                play
            })
            .collect();
        let chosen = worth_a_look(&plays, |play| -(play.score as i32));
        assert_eq!(chosen.len(), BY_SCORE + BY_EQUITY);
        assert!(chosen.contains(&199) && chosen.contains(&0) && !chosen.contains(&100));
        assert_eq!(worth_a_look(&plays[..3], |play| play.score as i32), [0, 1, 2]);
    }
}
