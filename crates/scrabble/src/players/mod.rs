//! Players built from the engine: static, weighted (Dvořák 2006) and simulating.

mod player;
mod static_player;
mod strong;
mod weighted;

pub use player::{EnginePlayer, PlayerView};
pub use static_player::StaticPlayer;
pub use strong::{MoveBudget, Strong, endgame_turn};
pub use weighted::{LetterTerms, PHASES, PhaseWeights, TERMS, Weighted, phase, weigh};
