//! Gomoku's lab: self-play, fitting of pattern weights and nets, matches between generations; the study's networks and experiments.

pub mod chart;
pub mod compare;
pub mod contender;
pub mod contest;
pub mod duel;
pub mod foretelling;
pub mod gate;
pub mod nets;
pub mod openings;
pub mod patterns;
mod reading;
pub mod records;
pub mod rng;
pub mod selfplay;
pub mod selfplay_work;
pub mod study;
pub mod train;
pub mod tune;
