//! Measures of quality against human data, as the commands print them.

pub mod associations;
pub mod clues;
pub mod pairs;
pub mod senses;
pub mod separation;
