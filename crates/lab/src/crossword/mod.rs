//! Experiments with crosswords: the study's tables, and fitting the weights of the evidence.

pub mod fit;
pub mod recall;
pub mod tables;
pub mod tune;
