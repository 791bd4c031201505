//! Spymaster and operative by expected value: the spymaster averages over models of noisy operatives, the operative keeps
//! a posterior over the key.

mod clue;
mod costs;
mod evaluator;
mod guess;
mod plan;
mod posterior;

pub(crate) use clue::best_clues;
pub(crate) use guess::{next, rank, ranked};
