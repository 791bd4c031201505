//! What makes the computer strong and what learns a player's preferences.
//!
//! - [`search`]: one round as a matrix game, maximin over several rounds, mixed strategies.
//! - [`tree`]: branch-limited playthrough trees and their statistics.
//! - [`encoder`]: the tree encoder of Šindelář 2024; [`generator`]: its map generator.
//! - [`quick_games`]: quick games that show how a map plays.
//! - [`preference`]: expected ratings of maps, proposals and profiles.

pub mod encoder;
pub mod generator;
pub mod preference;
pub mod quick_games;
pub mod search;
pub mod tree;
