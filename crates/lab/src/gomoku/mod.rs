//! Gomoku's lab: self-play, fitting of pattern weights and nets, matches between generations.

pub mod chart;
pub mod duel;
pub mod nets;
pub mod openings;
pub mod patterns;
pub mod records;
pub mod rng;
pub mod selfplay;
pub mod train;
