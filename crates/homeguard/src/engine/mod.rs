//! What makes the computer strong and what learns a player's preferences.
//!
//! - [`search`]: one round as a matrix game, maximin over several rounds, mixed strategies.
//! - [`tree`]: branch-limited playthrough trees and their statistics.
//! - [`preference`]: expected ratings of maps, proposals and profiles.

pub mod preference;
pub mod search;
pub mod tree;
