//! Players by name, from random stones to the engine, and the levels that people choose.

mod baseline;
mod baseline_vcf;
mod heuristic;
mod levels;
mod named;
mod row_counts;
pub mod swap2;
mod thought;

pub use baseline::{Baseline, BaselineMove};
pub use heuristic::BlunderModel;
pub use levels::{DEFAULT_LEVEL, levels};
pub(crate) use named::engine_stones;
pub use named::{Clock, Decision, NAMES, Nets, Player, Resources, player};
pub use thought::ThoughtLine;
