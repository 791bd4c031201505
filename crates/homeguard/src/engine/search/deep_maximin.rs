//! Maximin over several rounds, with alpha-beta bounds between the rounds.

use super::joint_orders::{Candidates, after};
use crate::players::remoteness;
use crate::rules::{Battlefield, Faction, Order, Troops};

/// Maximin with a horizon of `rounds` rounds.
#[derive(Clone, Copy, Debug)]
pub struct DeepMaximin {
    /// Search horizon in rounds, at least 1.
    pub rounds: u8,
}

impl DeepMaximin {
    /// The pair of orders it gives.
    pub fn orders(&self, board: &Battlefield, troops: &Troops, side: Faction) -> [Order; 2] {
        let own = Candidates::of(board, troops, side);
        let other = Candidates::of(board, troops, !side);
        let foes = match side {
            Faction::Home => [troops.at[2], troops.at[3]],
            Faction::Away => [troops.at[0], troops.at[1]],
        };
        let mut order: Vec<usize> = (0..own.as_slice().len()).collect();
        // closest first: a later pair replaces the best only if it is better
        order.sort_by_key(|i| (remoteness(board, own.as_slice()[*i].cells, foes), *i));
        let mut best = (i32::MIN, 0);
        for i in order {
            let mut worst = i32::MAX;
            for reply in other.as_slice() {
                let next = after(board, troops, side, own.as_slice()[i].cells, reply.cells);
                let value = self.value(board, &next, side, self.rounds - 1, best.0, worst);
                worst = worst.min(value);
                if worst <= best.0 {
                    break;
                }
            }
            if worst > best.0 {
                best = (worst, i);
            }
        }
        own.as_slice()[best.1].orders()
    }

    /// The guaranteed advantage of `side` with `left` rounds to go; exact only strictly between the bounds.
    fn value(&self, board: &Battlefield, troops: &Troops, side: Faction, left: u8, low: i32, high: i32) -> i32 {
        let standing = i32::from(side.sign() * troops.score);
        if left == 0 || troops.kills.iter().any(|kills| *kills >= 2) {
            return standing;
        }
        let own = Candidates::of(board, troops, side);
        let other = Candidates::of(board, troops, !side);
        let mut best = low;
        let mut answer = i32::MIN;
        for pair in own.as_slice() {
            let mut worst = high;
            for reply in other.as_slice() {
                let next = after(board, troops, side, pair.cells, reply.cells);
                worst = worst.min(self.value(board, &next, side, left - 1, best, worst));
                if worst <= best {
                    break;
                }
            }
            answer = answer.max(worst);
            best = best.max(worst);
            if best >= high {
                break;
            }
        }
        answer
    }
}

/// The worst-case gain of a pair of orders in this round.
pub fn guaranteed(board: &Battlefield, troops: &Troops, side: Faction, orders: [Order; 2]) -> i16 {
    let own = side.soldiers();
    let cells = [0, 1].map(|i| board.target(troops.at(own[i]), orders[i]).unwrap_or(troops.at(own[i])).0);
    let replies = Candidates::of(board, troops, !side);
    let gain =
        |reply: &super::joint_orders::Candidate| crate::players::meeting(board, troops, side, cells, reply.cells);
    replies.as_slice().iter().map(gain).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::{MaximinPolicy, OneRoundPolicy};
    use crate::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};
    use crate::rules::{Orders, Size};
    use rand::{RngExt, SeedableRng};

    #[test]
    fn one_round_ahead_guarantees_what_maximin_guarantees() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(2);
        let size = Size::ALL[0];
        for _ in 0..10 {
            let map = random_map(size, &CheckersGenerator, GeneWeights::default(), PortalRules::default(), &mut rng);
            let board = Battlefield::new(map);
            let mut troops = Troops::start(&board);
            for _ in 0..15 {
                let guarantee = |own: [Order; 2]| {
                    let replies = troops.order_pairs(&board, Faction::Away);
                    let end = |reply: &[Order; 2]| {
                        let mut copy = troops;
                        copy.play(&board, Orders::of(own, *reply));
                        copy.score()
                    };
                    replies.iter().map(end).min()
                };
                let one = DeepMaximin { rounds: 1 }.orders(&board, &troops, Faction::Home);
                let plain = MaximinPolicy.orders(&board, &troops, Faction::Home);
                assert_eq!(guarantee(one), guarantee(plain));
                let any = Orders(std::array::from_fn(|_| Order::ALL[rng.random_range(0..6)]));
                troops.play(&board, any);
            }
        }
    }
}
