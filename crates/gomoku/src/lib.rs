//! Gomoku: rules, players, formats, protocol, and an engine that learned by itself.

pub mod engine;
pub mod eval;
pub mod formats;
pub mod net;
pub mod players;
pub mod protocol;
pub mod reason;
pub mod rules;
pub mod services;
pub mod table;

pub use table::Gomoku;
