//! What a game is, in one place, for every table of the house.
//!
//! A game is a value that implements [`Game`]: it owns the data it needs (lexicons, packs, weights) and no
//! game in progress. A game in progress is a [`Table`]: a [`Setup`] plus the events that happened, replayed.
//! What leaves the house is a [`Game::View`], made for one [`Viewer`]; a state cannot be sent, because it
//! does not implement `Serialize`.
//!
//! Entry points, in reading order:
//! - [`Seat`], [`SeatSet`], [`Viewer`]: who sits where and who looks.
//! - [`Game`]: settings, state, actions, views, outcome, notation, levels, services.
//! - [`Bot`]: a player that sees a view and a [`Budget`], never a state.
//! - [`Service`]: a typed request beside the table (analyse, hint, check a clue, propose a map).
//! - [`Table`]: the pure reducer of events that server, arena and tests share.
//! - [`conformance`]: the kit that every game passes.

mod bot;
mod budget;
pub mod conformance;
mod error;
mod outcome;
mod rng;
mod rules;
mod seat;
mod service;
mod table;

pub use bot::{Bot, BotError, Choice, Level, Thought};
pub use budget::{Budget, Control, Progress};
pub use error::RuleError;
pub use outcome::{Outcome, SeatResult};
pub use rng::{GameRng, Seed};
pub use rules::{Game, GameInfo, HistoryEntry, SeatPlan, Setup};
pub use seat::{Seat, SeatSet, Viewer};
pub use service::{Cost, Needs, Next, Service, ServiceCall, ServiceError, TypeSchema};
pub use table::{Ending, Event, Table, TableError};
