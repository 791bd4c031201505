//! Homeguard's long-running work: trees by the thousand, judging the taste model, and the study's experiments.

pub mod stats;
pub mod taste;
pub mod trees;
