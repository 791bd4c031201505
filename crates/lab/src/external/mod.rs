//! External engines as processes, and matches against them.

mod brain;
mod command_line;
pub mod gomoku;

pub use brain::{Brain, BrainFault};
pub use command_line::split;
