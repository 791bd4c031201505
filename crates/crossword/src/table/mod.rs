//! Crosswords at a table: alone or together, without turns, the solution hidden until it is shown.

mod bots;
mod crossword;
mod draw;
mod hints;
mod settings;
mod shelf;
mod state;

pub use crossword::{Crossword, MAX_FILE};
pub use hints::hint;
pub use settings::Settings;
pub use shelf::{Library, Shelf, Shipped, Tongue};
pub use state::State;
