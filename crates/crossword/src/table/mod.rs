//! Crosswords at a table: alone or together, without turns, the solution hidden until it is revealed.

mod action;
mod bots;
mod game;
mod hints;
mod languages;
mod library;
mod render_text;
mod settings;
mod solving;
mod state;
mod view;

pub use action::{Action, CellLetters, HintStep, Scope};
pub use game::{Crossword, MAX_FILE};
pub use hints::hint;
pub use languages::{LanguageResourceCache, LanguageResources};
pub use library::{LibraryPuzzle, PuzzleLibrary};
pub use settings::Settings;
pub use solving::{CellState, MAX_LETTERS, SolvingError, SolvingSession};
pub use state::State;
pub use view::{CellView, ClueView, HintView, View};
