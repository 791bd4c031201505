//! The strong players: expected value under noisy guessers, and a posterior over the key.

mod acquaint;
mod costs;
mod give;
mod plan;
mod scales;
mod take;

pub(super) use give::give;
pub(super) use take::{next, rank, ranked};
