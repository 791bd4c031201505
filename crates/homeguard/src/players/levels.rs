//! The strengths people and tournaments can choose.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::deep::DeepMaximin;
use super::mixed::{Limits, Mixed};
use super::study::{Greedy, Maximin, StudyPlayer};
use crate::rules::{Board, Order, PlayRules, Side, Troops};

/// What a player may spend on one pair of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// States looked at: the same seed gives the same orders everywhere.
    Nodes(u64),
    /// Wall-clock time.
    Time(Duration),
}

/// How a strength decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skill {
    /// Greedy that gives a random legal pair with this probability.
    Careless(f64),
    /// The study's greedy player.
    Greedy,
    /// The study's maximin player.
    Maximin,
    /// Maximin over two rounds.
    Deep,
    /// Mixed strategies with at most this many passes of search.
    Mixed(usize),
}

/// A named strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Stable id.
    pub id: &'static str,
    /// English name.
    pub name: &'static str,
    /// How it plays.
    pub description: &'static str,
    /// How it decides.
    pub skill: Skill,
    /// What it spends at a table without a clock.
    pub effort: Effort,
}

const QUICK: Effort = Effort::Nodes(200_000);

/// All strengths, weakest first.
pub const LEVELS: [Strength; 8] = [
    Strength {
        id: "recruit",
        name: "Recruit",
        description: "Wanders about and shoots when something is in range.",
        skill: Skill::Careless(0.75),
        effort: QUICK,
    },
    Strength {
        id: "private",
        name: "Private",
        description: "Sees the best shot of the moment, but often forgets himself.",
        skill: Skill::Careless(0.4),
        effort: QUICK,
    },
    Strength {
        id: "greedy",
        name: "Corporal",
        description: "Always takes the best exchange if you stood still.",
        skill: Skill::Greedy,
        effort: QUICK,
    },
    Strength {
        id: "maximin",
        name: "Sergeant",
        description: "Prepares for the worst you could do this round.",
        skill: Skill::Maximin,
        effort: QUICK,
    },
    Strength {
        id: "deep",
        name: "Lieutenant",
        description: "Prepares for the worst over two rounds.",
        skill: Skill::Deep,
        effort: QUICK,
    },
    Strength {
        id: "captain",
        name: "Captain",
        description: "Mixes its moves so that it cannot be read, one round deep.",
        skill: Skill::Mixed(1),
        effort: QUICK,
    },
    Strength {
        id: "major",
        name: "Major",
        description: "Mixes its moves after looking two rounds ahead.",
        skill: Skill::Mixed(2),
        effort: QUICK,
    },
    Strength {
        id: "hard",
        name: "Colonel",
        description: "Mixes its moves after a search of three rounds and more.",
        skill: Skill::Mixed(3),
        effort: Effort::Nodes(400_000),
    },
];

/// A decision with what is worth telling about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The pair of orders.
    pub orders: [Order; 2],
    /// Other pairs it considered, with the probability of drawing each; empty for deterministic players.
    pub strategy: Vec<([Order; 2], f64)>,
    /// Expected advantage in hit points where the player computes one.
    pub value: Option<f64>,
    /// True if time ran out before it had looked as far as it wanted.
    pub stopped: bool,
}

impl Strength {
    /// The strength with an id.
    pub fn find(id: &str) -> Option<&'static Strength> {
        LEVELS.iter().find(|level| level.id == id)
    }

    /// Decides for one side. The same seed and node budget give the same orders.
    #[allow(clippy::too_many_arguments)]
    pub fn play(
        &self,
        board: &Board,
        troops: &Troops,
        side: Side,
        rules: &PlayRules,
        rounds_played: u16,
        effort: Effort,
        seed: u64,
        stop: Option<&AtomicBool>,
    ) -> Played {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = |orders| Played { orders, strategy: Vec::new(), value: None, stopped: false };
        match self.skill {
            Skill::Careless(chance) if rng.random::<f64>() < chance => {
                let pairs = troops.order_pairs(board, side);
                plain(pairs[rng.random_range(0..pairs.len())])
            }
            Skill::Careless(_) | Skill::Greedy => plain(Greedy.orders(board, troops, side)),
            Skill::Maximin => plain(Maximin.orders(board, troops, side)),
            Skill::Deep => plain(DeepMaximin { rounds: 2 }.orders(board, troops, side)),
            Skill::Mixed(passes) => {
                let limits = match effort {
                    Effort::Nodes(nodes) => Limits { nodes, deadline: None, stop },
                    Effort::Time(time) => Limits { nodes: u64::MAX, deadline: Some(Instant::now() + time), stop },
                };
                let mixed = Mixed { passes };
                let choice = mixed.choose(board, troops, side, rules, rounds_played, limits, &mut rng);
                Played {
                    orders: choice.orders,
                    strategy: choice.strategy,
                    value: Some(choice.value),
                    stopped: choice.stopped,
                }
            }
        }
    }
}
