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
