//! Gomoku: rules, players, formats, protocol, and an engine that learned by itself.

pub mod engine;
pub mod eval;
pub mod rules;
