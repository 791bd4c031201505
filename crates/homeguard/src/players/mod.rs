//! Players: greedy, maximin, deeper maximin, the mixed-strategy searcher, and the levels people meet.
//!
//! All of them see only the current troops: nobody knows the other side's orders of the round.

mod deep;
mod levels;
mod matrix;
mod mixed;
mod stage;
mod study;

pub use deep::{DeepMaximin, guaranteed};
pub use levels::{Effort, LEVELS, Played, Skill, Strength};
pub use matrix::{Equilibrium, solve};
pub use mixed::{Mixed, MixedChoice};
pub use study::{Greedy, Maximin, StudyPlayer};

pub(crate) use stage::{Lanes, Volley, settle_cells, taken};
