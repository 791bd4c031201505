//! Codenames: rules, a judge of clues, players that give and take clues, and the measures of their quality.
//!
//! Entry points: [`Codenames`] is the game of the house; [`Tongue`] is what it knows of one language;
//! [`players`] give and guess; [`eval`] measures them on turns of people and against each other.
//! Source of the rules and of the players called *study*: `docs/codenames.md`.

pub mod eval;
pub mod formats;
pub mod meaning;
pub mod players;
pub mod rules;
pub mod services;
pub mod table;

pub use meaning::Tongue;
pub use table::Codenames;
