//! Whole-game planning: dynamic programming over the sets of own cards that are still to be found.
//!
//! A clue is worth the cost it saves over the rest of the game. Cards that many clues join can wait for one another; a card
//! that goes with hardly any other is best taken together with some while that is possible.

use crate::engine::choice_model::{ClueOutcome, MAX_NUMBER};

/// Largest number of own cards for which every subset is planned (2^10 states).
pub(super) const MAX_PLANNED_CARDS: usize = 10;
/// Cost of a turn, in cards.
const TURN_COST: f64 = 2.0;

/// A clue as the plan sees it, now or in a later turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FutureClue {
    /// For each own card, its rate divided by the sum of the rates of all wrong cards.
    pub odds: Vec<f64>,
    /// Mean cost of a wrong card, in cards.
    pub loss: f64,
    /// The largest number the clue may be said with.
    pub most: usize,
}

/// Expected cost of the rest of the game, in cards, for every set of own cards still to be found (one bit per card).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SubsetPlan {
    left: Vec<f64>,
}

impl SubsetPlan {
    /// The plan that says the best clue in every state. Cards are found in the order of their odds; a turn that finds
    /// nothing is repeated.
    pub fn new(cards: usize, clues: &[FutureClue]) -> SubsetPlan {
        let mut orders: Vec<Vec<(usize, f64)>> =
            clues.iter().map(|clue| clue.odds.iter().copied().enumerate().collect()).collect();
        orders.iter_mut().for_each(|order| order.sort_by(|a, b| b.1.total_cmp(&a.1)));
        let mut plan = SubsetPlan { left: vec![0.0; 1 << cards] };
        for set in 1..plan.left.len() {
            let costs = clues.iter().zip(&orders).map(|(clue, order)| plan.cost_of(set, clue, order));
            let best = costs.fold(f64::INFINITY, f64::min);
            plan.left[set] = if best.is_finite() { best } else { TURN_COST * f64::from(set.count_ones()) };
        }
        plan
    }

    /// Expected cost of a set when this clue is said next with its best number, its turn included.
    fn cost_of(&self, set: usize, clue: &FutureClue, order: &[(usize, f64)]) -> f64 {
        let mut odds: f64 = order.iter().filter(|card| set >> card.0 & 1 == 1).map(|card| card.1).sum();
        // probability that all cards so far are found, that any card is, and the cost when the turn ended before
        let (mut reached, mut first, mut ended) = (1.0, 1.0, 0.0);
        let (mut rest, mut number, mut best) = (set, 0, f64::INFINITY);
        for &(card, own) in order.iter().filter(|card| set >> card.0 & 1 == 1) {
            let on = reached * odds / (odds + 1.0);
            if number == 0 {
                first = on;
            } else {
                ended += (reached - on) * self.left[rest];
            }
            reached = on;
            odds -= own;
            rest &= !(1 << card);
            number += 1;
            let turn = TURN_COST + ended + reached * self.left[rest] + (1.0 - reached) * clue.loss;
            best = best.min(turn / first);
            if number >= clue.most.min(MAX_NUMBER) || odds <= 0.0 {
                break;
            }
        }
        best
    }

    /// Expected cost that a clue saves for each number (index = number), from the rates of the own cards and its expected
    /// outcome. The cards with higher rates count as the ones found.
    pub fn saved(&self, own: &[f64], outcome: &ClueOutcome) -> [f64; MAX_NUMBER + 1] {
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|&a, &b| own[b].total_cmp(&own[a]));
        let all = self.left.len() - 1;
        let (mut rest, mut reached, mut ended) = (all, 1.0, 0.0);
        let mut saved = [0.0; MAX_NUMBER + 1];
        for number in 1..=MAX_NUMBER {
            let on = 1.0 - outcome.wrong[number];
            ended += (reached - on) * self.left[rest];
            reached = on;
            rest &= !order.get(number - 1).map_or(0, |card| 1 << card);
            saved[number] = self.left[all] - ended - reached * self.left[rest];
        }
        saved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::choice_model::expected_outcome;
    use rand::{RngExt, SeedableRng};

    fn clues(cards: usize, n: usize, seed: u64) -> Vec<FutureClue> {
        let mut rng = game::GameRng::seed_from_u64(seed);
        let mut future_clue = || FutureClue {
            odds: (0..cards).map(|_| rng.random_range(-3.0..3.0_f64).exp()).collect(),
            loss: rng.random_range(0.0..2.0),
            most: rng.random_range(1..=cards),
        };
        (0..n).map(|_| future_clue()).collect()
    }

    /// What is left of some cards when the first clue is any of these and later ones are the best: every course of a turn
    /// is written out, and what comes after it is computed anew.
    fn slowly(left: &[usize], clues: &[FutureClue]) -> f64 {
        if left.is_empty() {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for future_clue in clues {
            let mut order = left.to_vec();
            order.sort_by(|&a, &b| future_clue.odds[b].total_cmp(&future_clue.odds[a]));
            for number in 1..=future_clue.most.min(order.len()) {
                // chance that exactly so many are found, the last entry being all that were targeted
                let mut chances = vec![0.0; number + 1];
                let mut so_far = 1.0;
                for found in 0..number {
                    let rates: f64 = order[found..].iter().map(|&card| future_clue.odds[card]).sum();
                    chances[found] = so_far / (1.0 + rates);
                    so_far *= rates / (1.0 + rates);
                }
                chances[number] = so_far;
                let later: f64 = (1..=number).map(|found| chances[found] * slowly(&order[found..], clues)).sum();
                let once = TURN_COST + (1.0 - so_far) * future_clue.loss + later;
                // a turn that finds nothing is played again: a geometric series
                best = best.min(once / (1.0 - chances[0]));
            }
        }
        best
    }

    #[test]
    fn the_plan_is_what_trying_everything_gives() {
        for seed in 0..6 {
            let clues = clues(4, 5, seed);
            let plan = SubsetPlan::new(4, &clues);
            for set in 0..16_usize {
                let cards: Vec<usize> = (0..4).filter(|card| set >> card & 1 == 1).collect();
                let expected = slowly(&cards, &clues);
                assert!((plan.left[set] - expected).abs() < 1e-9, "{set:b}: {} {expected}", plan.left[set]);
            }
        }
    }

    #[test]
    fn if_every_card_took_a_turn_of_its_own_a_clue_would_save_what_it_finds() {
        let own = [3.0, 0.2, 1.0, 0.7];
        let look = expected_outcome(&own, 0.9);
        let plan = SubsetPlan { left: (0..16_u32).map(|set| f64::from(set.count_ones())).collect() };
        for (saved, found) in plan.saved(&own, &look).into_iter().zip(look.found) {
            assert!((saved - found).abs() < 1e-9, "{saved} {found}");
        }
    }

    #[test]
    fn a_word_that_goes_with_few_others_is_taken_along() {
        // clues for 0+1 and for 1+2: the card in the middle can wait, both ways lead to the same; but nothing else finds 3
        let clue = |odds: [f64; 4]| FutureClue { odds: odds.into(), loss: 0.0, most: 2 };
        let single = |card: usize| clue(std::array::from_fn(|k| if k == card { 50.0 } else { 0.0 }));
        let mut clues: Vec<FutureClue> = (0..4).map(single).collect();
        clues.extend([clue([50.0, 50.0, 0.0, 0.0]), clue([0.0, 50.0, 50.0, 0.0]), clue([0.0, 50.0, 0.0, 50.0])]);
        let plan = SubsetPlan::new(4, &clues);
        let (easy, hard) = (expected_outcome(&[9.0, 9.0, 0.0, 0.0], 0.1), expected_outcome(&[0.0, 9.0, 0.0, 9.0], 0.1));
        assert_eq!(easy, hard, "at once they bring the same");
        let (easy, hard) = (plan.saved(&[9.0, 9.1, 0.0, 0.0], &easy)[2], plan.saved(&[0.0, 9.1, 0.0, 9.0], &hard)[2]);
        assert!((easy - hard).abs() < 1e-9, "0 and 3 are alike here");
        clues.push(clue([50.0, 0.0, 50.0, 0.0]));
        let plan = SubsetPlan::new(4, &clues);
        let saved = |rates: [f64; 4]| plan.saved(&rates, &expected_outcome(&rates, 0.1))[2];
        assert!(
            saved([0.0, 9.1, 0.0, 9.0]) > saved([9.0, 9.1, 0.0, 0.0]) + 0.5,
            "3 goes with 1 only, 0 with 2 as well"
        );
    }
}
