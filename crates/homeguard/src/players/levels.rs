//! The levels that people and matches can choose.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::sindelar::{GreedyPolicy, MaximinPolicy, OneRoundPolicy};
use crate::engine::search::{DeepMaximin, MixedStrategy, RoundContext, SearchLimits};
use crate::rules::Order;

/// Search budget for one pair of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBudget {
    /// States searched. The same seed gives the same orders on every machine.
    Nodes(u64),
    /// Wall-clock time.
    Time(Duration),
}

/// The algorithm behind a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DecisionRule {
    /// Greedy that gives a random legal pair with this probability.
    Careless(f64),
    /// The greedy opponent of Šindelář 2024.
    GreedyPolicy,
    /// The maximin opponent of Šindelář 2024.
    MaximinPolicy,
    /// Maximin over two rounds.
    Deep,
    /// Mixed strategies with at most this many search passes.
    MixedStrategy(usize),
}

/// A named level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkillLevel {
    /// Stable id.
    pub id: &'static str,
    /// English name.
    pub name: &'static str,
    /// How it plays.
    pub description: &'static str,
    /// How it decides.
    pub skill: DecisionRule,
    /// Budget per round at a table without a clock.
    pub budget: OrderBudget,
}

const QUICK: OrderBudget = OrderBudget::Nodes(200_000);

/// All levels, weakest first.
pub const LEVELS: [SkillLevel; 8] = [
    SkillLevel {
        id: "recruit",
        name: "Recruit",
        description: "Wanders about and shoots when something is in range.",
        skill: DecisionRule::Careless(0.75),
        budget: QUICK,
    },
    SkillLevel {
        id: "private",
        name: "Private",
        description: "Sees the best shot of the moment, but often forgets himself.",
        skill: DecisionRule::Careless(0.4),
        budget: QUICK,
    },
    SkillLevel {
        id: "greedy",
        name: "Corporal",
        description: "Always takes the best exchange if you stood still.",
        skill: DecisionRule::GreedyPolicy,
        budget: QUICK,
    },
    SkillLevel {
        id: "maximin",
        name: "Sergeant",
        description: "Prepares for the worst you could do this round.",
        skill: DecisionRule::MaximinPolicy,
        budget: QUICK,
    },
    SkillLevel {
        id: "deep",
        name: "Lieutenant",
        description: "Prepares for the worst over two rounds.",
        skill: DecisionRule::Deep,
        budget: QUICK,
    },
    SkillLevel {
        id: "captain",
        name: "Captain",
        description: "Mixes its moves so that it cannot be read, one round deep.",
        skill: DecisionRule::MixedStrategy(1),
        budget: QUICK,
    },
    SkillLevel {
        id: "major",
        name: "Major",
        description: "Mixes its moves after looking two rounds ahead.",
        skill: DecisionRule::MixedStrategy(2),
        budget: QUICK,
    },
    SkillLevel {
        id: "hard",
        name: "Colonel",
        description: "Mixes its moves after a search of three rounds and more.",
        skill: DecisionRule::MixedStrategy(3),
        budget: OrderBudget::Nodes(400_000),
    },
];

/// A decision with its explanation.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderChoice {
    /// The pair of orders.
    pub orders: [Order; 2],
    /// The mixed strategy: pairs of orders with probabilities. Empty for deterministic players.
    pub strategy: Vec<([Order; 2], f64)>,
    /// Expected advantage in hit points where the player computes one.
    pub value: Option<f64>,
    /// True if the limit stopped the search before its last pass.
    pub stopped: bool,
}

impl SkillLevel {
    /// The level with an id.
    pub fn find(id: &str) -> Option<&'static SkillLevel> {
        LEVELS.iter().find(|level| level.id == id)
    }

    /// Decides for one side. The same seed and node budget give the same orders.
    pub fn play(
        &self,
        context: &RoundContext<'_>,
        budget: OrderBudget,
        seed: u64,
        stop: Option<&AtomicBool>,
    ) -> OrderChoice {
        let RoundContext { board, troops, side, .. } = *context;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = |orders| OrderChoice { orders, strategy: Vec::new(), value: None, stopped: false };
        match self.skill {
            DecisionRule::Careless(chance) if rng.random::<f64>() < chance => {
                let pairs = troops.order_pairs(board, side);
                plain(pairs[rng.random_range(0..pairs.len())])
            }
            DecisionRule::Careless(_) | DecisionRule::GreedyPolicy => plain(GreedyPolicy.orders(board, troops, side)),
            DecisionRule::MaximinPolicy => plain(MaximinPolicy.orders(board, troops, side)),
            DecisionRule::Deep => plain(DeepMaximin { rounds: 2 }.orders(board, troops, side)),
            DecisionRule::MixedStrategy(passes) => {
                let limits = match budget {
                    OrderBudget::Nodes(nodes) => SearchLimits { nodes, deadline: None, stop },
                    OrderBudget::Time(time) => {
                        SearchLimits { nodes: u64::MAX, deadline: Some(Instant::now() + time), stop }
                    }
                };
                let mixed = MixedStrategy { passes };
                let choice = mixed.choose(context, limits, &mut rng);
                OrderChoice {
                    orders: choice.orders,
                    strategy: choice.strategy,
                    value: Some(choice.value),
                    stopped: choice.stopped,
                }
            }
        }
    }
}
