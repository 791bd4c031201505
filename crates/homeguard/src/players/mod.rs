//! Players: the two opponents of Šindelář 2024 (section 9.5) and the levels people meet.
//!
//! Every player sees only the current troops. No player knows the other side's orders of the round.

mod levels;
mod sindelar;

pub use levels::{DecisionRule, LEVELS, OrderBudget, OrderChoice, SkillLevel};
pub use sindelar::{GreedyPolicy, MaximinPolicy, OneRoundPolicy};

pub(crate) use sindelar::{meeting, remoteness};
