//! Players: greedy, static, weighted, simulating; exact endgames and pre-endgames.

mod player;
mod quick;

pub use player::{Player, Seen};
pub use quick::{Quick, Style};
