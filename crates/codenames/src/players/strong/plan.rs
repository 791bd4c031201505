//! What is left to play: a plan over everything that is still to be found.
//!
//! A clue is worth what it saves of the whole game and not the cards it finds at once: words that many clues join can
//! wait for one another, a word that goes with hardly any other is best taken along when it can be.

use crate::players::race::{MOST, Outlook};

/// The most own cards whose every subset is planned for.
pub(super) const PLANNED: usize = 10;
/// What a turn is worth, in cards.
const TURN: f64 = 2.0;

/// What a clue promises to find when it is said, now or later.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Promise {
    /// For each own card, how many times faster its clock is than those of all wrong cards together.
    pub odds: Vec<f64>,
    /// What a wrong card costs, in cards.
    pub harm: f64,
    /// The largest number it may be said with.
    pub most: usize,
}

/// What is left to play, in cards, for every set of own cards that may still be to find (a bit for each).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    left: Vec<f64>,
}

impl Plan {
    /// What is left when each turn the clue is said that leaves least. Cards are taken to be found in the order of their
    /// odds; when a turn finds nothing, the same is to do again.
    pub fn new(cards: usize, promises: &[Promise]) -> Plan {
        let mut orders: Vec<Vec<(usize, f64)>> =
            promises.iter().map(|promise| promise.odds.iter().copied().enumerate().collect()).collect();
        orders.iter_mut().for_each(|order| order.sort_by(|a, b| b.1.total_cmp(&a.1)));
        let mut plan = Plan { left: vec![0.0; 1 << cards] };
        for set in 1..plan.left.len() {
            let said = promises.iter().zip(&orders).map(|(promise, order)| plan.after(set, promise, order));
            let best = said.fold(f64::INFINITY, f64::min);
            plan.left[set] = if best.is_finite() { best } else { TURN * f64::from(set.count_ones()) };
        }
        plan
    }

    /// What is left of a set, the turn of this clue included, when it is said with the best number.
    fn after(&self, set: usize, promise: &Promise, order: &[(usize, f64)]) -> f64 {
        let mut odds: f64 = order.iter().filter(|card| set >> card.0 & 1 == 1).map(|card| card.1).sum();
        // chance that everything so far is found, that anything is, and what remains when it ends before
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
            let turn = TURN + ended + reached * self.left[rest] + (1.0 - reached) * promise.harm;
            best = best.min(turn / first);
            if number >= promise.most.min(MOST) || odds <= 0.0 {
                break;
            }
        }
        best
    }

    /// What a clue saves for each number (index = number), from the rates of all own cards and its outlook: the faster
    /// cards are taken to be those that are found.
    pub fn saved(&self, own: &[f64], look: &Outlook) -> [f64; MOST + 1] {
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|&a, &b| own[b].total_cmp(&own[a]));
        let all = self.left.len() - 1;
        let (mut rest, mut reached, mut ended) = (all, 1.0, 0.0);
        let mut saved = [0.0; MOST + 1];
        for number in 1..=MOST {
            let on = 1.0 - look.wrong[number];
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
    use crate::players::race::outlook;
    use rand::{RngExt, SeedableRng};

    fn promises(cards: usize, n: usize, seed: u64) -> Vec<Promise> {
        let mut rng = game::GameRng::seed_from_u64(seed);
        let mut promise = || Promise {
            odds: (0..cards).map(|_| rng.random_range(-3.0..3.0_f64).exp()).collect(),
            harm: rng.random_range(0.0..2.0),
            most: rng.random_range(1..=cards),
        };
        (0..n).map(|_| promise()).collect()
    }

    /// What is left of some cards when the first clue is any of these and later ones are the best: every course of a turn
    /// is written out, and what comes after it is asked anew.
    fn slowly(left: &[usize], promises: &[Promise]) -> f64 {
        if left.is_empty() {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for promise in promises {
            let mut order = left.to_vec();
            order.sort_by(|&a, &b| promise.odds[b].total_cmp(&promise.odds[a]));
            for number in 1..=promise.most.min(order.len()) {
                // chance that exactly so many are found, the last entry being all that were asked for
                let mut chances = vec![0.0; number + 1];
                let mut so_far = 1.0;
                for found in 0..number {
                    let rates: f64 = order[found..].iter().map(|&card| promise.odds[card]).sum();
                    chances[found] = so_far / (1.0 + rates);
                    so_far *= rates / (1.0 + rates);
                }
                chances[number] = so_far;
                let later: f64 = (1..=number).map(|found| chances[found] * slowly(&order[found..], promises)).sum();
                let once = TURN + (1.0 - so_far) * promise.harm + later;
                // a turn that finds nothing is played again: a geometric series
                best = best.min(once / (1.0 - chances[0]));
            }
        }
        best
    }

    #[test]
    fn the_plan_is_what_trying_everything_gives() {
        for seed in 0..6 {
            let promises = promises(4, 5, seed);
            let plan = Plan::new(4, &promises);
            for set in 0..16_usize {
                let cards: Vec<usize> = (0..4).filter(|card| set >> card & 1 == 1).collect();
                let expected = slowly(&cards, &promises);
                assert!((plan.left[set] - expected).abs() < 1e-9, "{set:b}: {} {expected}", plan.left[set]);
            }
        }
    }

    #[test]
    fn if_every_card_took_a_turn_of_its_own_a_clue_would_save_what_it_finds() {
        let own = [3.0, 0.2, 1.0, 0.7];
        let look = outlook(&own, 0.9);
        let plan = Plan { left: (0..16_u32).map(|set| f64::from(set.count_ones())).collect() };
        for (saved, found) in plan.saved(&own, &look).into_iter().zip(look.found) {
            assert!((saved - found).abs() < 1e-9, "{saved} {found}");
        }
    }

    #[test]
    fn a_word_that_goes_with_few_others_is_taken_along() {
        // clues for 0+1 and for 1+2: the card in the middle can wait, both ways lead to the same; but nothing else finds 3
        let clue = |odds: [f64; 4]| Promise { odds: odds.into(), harm: 0.0, most: 2 };
        let single = |card: usize| clue(std::array::from_fn(|k| if k == card { 50.0 } else { 0.0 }));
        let mut promises: Vec<Promise> = (0..4).map(single).collect();
        promises.extend([clue([50.0, 50.0, 0.0, 0.0]), clue([0.0, 50.0, 50.0, 0.0]), clue([0.0, 50.0, 0.0, 50.0])]);
        let plan = Plan::new(4, &promises);
        let (easy, hard) = (outlook(&[9.0, 9.0, 0.0, 0.0], 0.1), outlook(&[0.0, 9.0, 0.0, 9.0], 0.1));
        assert_eq!(easy, hard, "at once they bring the same");
        let (easy, hard) = (plan.saved(&[9.0, 9.1, 0.0, 0.0], &easy)[2], plan.saved(&[0.0, 9.1, 0.0, 9.0], &hard)[2]);
        assert!((easy - hard).abs() < 1e-9, "0 and 3 are alike here");
        promises.push(clue([50.0, 0.0, 50.0, 0.0]));
        let plan = Plan::new(4, &promises);
        let saved = |rates: [f64; 4]| plan.saved(&rates, &outlook(&rates, 0.1))[2];
        assert!(
            saved([0.0, 9.1, 0.0, 9.0]) > saved([9.0, 9.1, 0.0, 0.0]) + 0.5,
            "3 goes with 1 only, 0 with 2 as well"
        );
    }
}
