//! Search over joint orders: maximin over several rounds and mixed strategies by regret matching.

mod deep_maximin;
mod joint_orders;
mod mixed_strategy;
mod regret_matching;

pub use deep_maximin::{DeepMaximin, guaranteed};
pub use mixed_strategy::{MixedStrategy, MixedStrategyChoice, RoundContext};
pub use regret_matching::{Equilibrium, solve};

pub(crate) use joint_orders::{Candidate, Candidates, OrderOutcomes, VolleyDamage, exchange, settle_cells, taken};
pub(crate) use mixed_strategy::SearchLimits;
