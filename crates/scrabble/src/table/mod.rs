//! Scrabble at a table: two to four seats, views that hide racks and bag, levels.

mod action;
mod bots;
mod game;
mod knowledge;
mod language;
mod settings;
mod state;
mod view;

pub use action::Action;
pub(crate) use bots::move_text;
pub use game::Scrabble;
pub(crate) use knowledge::SeatKnowledge;
pub use language::{GameLanguage, LanguageRegistry};
pub use settings::{Challenge, Settings};
pub use state::State;
pub use view::{HistoryTurn, LetterView, TileView, View};
