//! Gomoku in the lab: self-play, fitting of patterns and nets, promotion matches, tuning, and the experiments of the
//! thesis.

pub mod candidate;
pub mod chart;
pub mod compare;
pub mod fit_patterns;
pub mod match_play;
pub mod match_work;
pub mod openings;
pub mod prediction_eval;
pub mod problems;
pub mod promotion;
pub mod selfplay;
pub mod selfplay_work;
pub mod thesis;
pub mod tournament;
pub mod train;
pub mod train_net;
mod train_policy;
pub mod training_games;
pub mod tune;
