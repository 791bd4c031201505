//! Scrabble as a game of the house: tables for two to four, views that hide racks and bag, levels, services.

mod bot;
mod export;
mod game_impl;
mod known;
mod language;
mod services;
mod state;
mod view;

pub use game_impl::Scrabble;
pub use language::{Language, Languages};
pub use state::{Action, Challenge, Settings, State};
pub use view::{HistoryTurn, LetterView, TileView, View};
