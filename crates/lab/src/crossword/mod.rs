//! Experiments with crosswords: the tables of Gdowski 2019, and fitting of the evidence weights.

pub mod fit;
pub mod gdowski_tables;
pub mod recall;
pub mod tune;
