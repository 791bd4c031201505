//! Files: the study's turn records (`.cnwa`, `.cnwae`), JSON lines of turns, and board files.

mod board;
mod cnwa;
mod turns;

pub use board::{BoardCard, BoardFile};
pub use cnwa::{read_cnwa, write_cnwa, write_cnwae};
pub use turns::{TurnRecord, read_turns};
