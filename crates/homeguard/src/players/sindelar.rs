//! The two opponents of Šindelář 2024 (section 9.5), greedy and maximin, with our tie-break.

use crate::engine::search::{Candidate, Candidates, OrderOutcomes, VolleyDamage, exchange, settle_cells};
use crate::rules::{Battlefield, Faction, Order, Troops};

/// A deterministic player that needs only the current troops: the fixed enemy of a game tree.
pub trait OneRoundPolicy {
    /// The pair of orders it gives, blind to the other side's current orders.
    fn orders(&self, board: &Battlefield, troops: &Troops, side: Faction) -> [Order; 2] {
        self.choose(board, troops, side).0
    }

    /// The orders with the cells they lead to.
    #[doc(hidden)]
    fn choose(&self, board: &Battlefield, troops: &Troops, side: Faction) -> ([Order; 2], [u8; 2]);
}

/// The pair of orders with the best score right after the move, the other side staying where it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyPolicy;

/// The pair of orders with the best worst case over all pairs of the other side in the same round.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaximinPolicy;

/// Tie-break: the smaller sum of squared distances to the nearest foe, so that soldiers do not idle out of range.
#[inline(always)]
pub(crate) fn remoteness(board: &Battlefield, cells: [u8; 2], foes: [u8; 2]) -> u32 {
    let nearest = |cell: u8| board.distance_squared(cell, foes[0]).min(board.distance_squared(cell, foes[1]));
    u32::from(nearest(cells[0])) + u32::from(nearest(cells[1]))
}

fn foes(troops: &Troops, side: Faction) -> [u8; 2] {
    match side {
        Faction::Home => [troops.at[2], troops.at[3]],
        Faction::Away => [troops.at[0], troops.at[1]],
    }
}

/// The change of `side`'s advantage when own and other pairs meet.
#[inline(always)]
pub(crate) fn meeting(board: &Battlefield, troops: &Troops, side: Faction, own: [u8; 2], other: [u8; 2]) -> i16 {
    match side {
        Faction::Home => exchange(board, settle_cells(board, troops, own, other), troops.hp),
        Faction::Away => -exchange(board, settle_cells(board, troops, other, own), troops.hp),
    }
}

impl OneRoundPolicy for GreedyPolicy {
    #[inline]
    fn choose(&self, board: &Battlefield, troops: &Troops, side: Faction) -> ([Order; 2], [u8; 2]) {
        let foes = foes(troops, side);
        let [p1, p2, e1, e2] = troops.hp;
        let (own, hp) = match side {
            Faction::Home => ([troops.at[0], troops.at[1]], [p1, p2, e1, e2]),
            Faction::Away => ([troops.at[2], troops.at[3]], [e1, e2, p1, p2]),
        };
        let hp = u32::from_le_bytes(hp);
        let firsts = board.free_orders(own[0], [own[1], foes[0], foes[1]]).0;
        let firsts = OrderOutcomes::of(board, own[0], firsts, foes);
        let seconds = board.free_orders(own[1], foes).0;
        let seconds = OrderOutcomes::of(board, own[1], seconds, foes);
        let nearest =
            |cell: u8| i32::from(board.distance_squared(cell, foes[0]).min(board.distance_squared(cell, foes[1])));
        let mut remote = [0; 6];
        for (i, outcome) in seconds.as_slice().iter().enumerate() {
            remote[i] = nearest(outcome.cell);
        }
        let mut best = Candidate::default();
        let mut best_key = i32::MIN;
        for a in firsts.as_slice() {
            let a_remote = nearest(a.cell);
            for (b, b_remote) in seconds.as_slice().iter().zip(remote) {
                // higher gain, then smaller remoteness, then the earlier pair
                let gain = VolleyDamage::of(a, b).clamped_gain(hp);
                let key = (i32::from(gain) << 16) - a_remote - b_remote;
                if key > best_key && (b.order == 0 || !board.is_close(b.cell, a.cell)) {
                    best_key = key;
                    best = Candidate { orders: [a.order, b.order], cells: [a.cell, b.cell] };
                }
            }
        }
        (best.orders(), best.cells)
    }
}

impl OneRoundPolicy for MaximinPolicy {
    #[inline]
    fn choose(&self, board: &Battlefield, troops: &Troops, side: Faction) -> ([Order; 2], [u8; 2]) {
        let foes = foes(troops, side);
        let own = Candidates::of(board, troops, side);
        let other = Candidates::of(board, troops, !side);
        let (own, other) = (own.as_slice(), other.as_slice());
        let mut keys = [0u32; 36];
        let mut closest = 0;
        for (i, candidate) in own.iter().enumerate() {
            keys[i] = remoteness(board, candidate.cells, foes) << 6 | i as u32;
            if keys[i] < keys[closest] {
                closest = i;
            }
        }
        // The closest pair goes first: a later pair that only equals the best is then given up at its first tie.
        let (mut best, mut best_value, mut refutation) = (closest, i16::MIN, 0);
        let mut consider = |i: usize| {
            let cells = own[i].cells;
            let mut worst = i16::MAX;
            for step in 0..other.len() {
                // the reply that refuted the last pair comes first (killer heuristic)
                let j = match step {
                    0 => refutation,
                    step if step <= refutation => step - 1,
                    step => step,
                };
                let value = meeting(board, troops, side, cells, other[j].cells);
                if value < worst {
                    worst = value;
                    if worst < best_value || (worst == best_value && keys[i] > keys[best]) {
                        refutation = j;
                        return;
                    }
                }
            }
            best = i;
            best_value = worst;
        };
        consider(closest);
        for i in (0..own.len()).filter(|i| *i != closest) {
            consider(i);
        }
        (own[best].orders(), own[best].cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};
    use crate::rules::{Orders, Size};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The definition, word by word, with the ordinary round function.
    fn oracle(board: &Battlefield, troops: &Troops, side: Faction, worst_case: bool) -> [Order; 2] {
        let replies = if worst_case { troops.order_pairs(board, !side) } else { vec![[Order::Stay; 2]] };
        let gain = |own: [Order; 2], other: [Order; 2]| {
            let mut copy = *troops;
            let orders = match side {
                Faction::Home => Orders::of(own, other),
                Faction::Away => Orders::of(other, own),
            };
            copy.play(board, orders);
            side.sign() * (copy.score() - troops.score())
        };
        let remote = |own: [Order; 2]| -> i32 {
            side.soldiers()
                .iter()
                .zip(own)
                .map(|(soldier, order)| {
                    let cell = board.target(troops.at(*soldier), order).unwrap();
                    (!side)
                        .soldiers()
                        .iter()
                        .map(|foe| board.square(cell).distance_squared(board.square(troops.at(*foe))))
                        .min()
                        .unwrap()
                })
                .sum()
        };
        let mut best: Option<(i16, i32, [Order; 2])> = None;
        for own in troops.order_pairs(board, side) {
            let value = replies.iter().map(|other| gain(own, *other)).min().unwrap();
            let key = (value, -remote(own));
            if best.is_none_or(|(v, r, _)| key > (v, r)) {
                best = Some((key.0, key.1, own));
            }
        }
        best.unwrap().2
    }

    #[test]
    fn both_players_equal_their_definitions() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..25 {
            let size = Size::ALL[rng.random_range(0..3)];
            let map = random_map(size, &CheckersGenerator, GeneWeights::default(), PortalRules::default(), &mut rng);
            let board = Battlefield::new(map);
            let mut troops = Troops::start(&board);
            for _ in 0..20 {
                for side in Faction::BOTH {
                    assert_eq!(GreedyPolicy.orders(&board, &troops, side), oracle(&board, &troops, side, false));
                    assert_eq!(MaximinPolicy.orders(&board, &troops, side), oracle(&board, &troops, side, true));
                }
                let any = Orders(std::array::from_fn(|_| Order::ALL[rng.random_range(0..6)]));
                let drawn = Orders::of(
                    GreedyPolicy.orders(&board, &troops, Faction::Home),
                    MaximinPolicy.orders(&board, &troops, Faction::Away),
                );
                troops.play(&board, if rng.random() { any } else { drawn });
            }
        }
    }
}
