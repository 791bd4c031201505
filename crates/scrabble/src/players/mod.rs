//! Players: greedy, static, weighted, simulating; exact endgames and pre-endgames.

mod infer;
mod outlook;
mod player;
pub mod preendgame;
mod quick;
pub mod simulate;
mod static_player;
mod strong;
mod trial;
mod weighted;
mod win;

pub use infer::Inference;
pub use outlook::{FIGURES, Outlook, figures};
pub use player::{Player, Seen};
pub use quick::{Quick, Style};
pub use static_player::StaticPlayer;
pub use strong::{Strong, Think, endgame_turn};
pub use weighted::{Letters, PHASES, TERMS, Weighted, Weights, phase, weigh};
pub use win::{MOST_UNSEEN, WinModel};
