//! Playthrough trees: the player's orders branch, the enemy is a fixed AI, and after each iteration only some leaves
//! are kept (Šindelář 2024, sections 4.9, 6.5 and 9.5).

mod data;
mod maker;
mod metrics;
mod reservoir;
mod select;
mod settings;

pub use data::{PlaythroughTree, equal_branches};
pub use maker::{TreeError, TreeMaker};
pub use metrics::TreeMetrics;
pub use settings::{Enemy, Iteration, Selector, TreeSettings};
