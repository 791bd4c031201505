//! From candidates per entry to beliefs about the whole grid.
//!
//! Every entry has listed candidates with probabilities, and a chance that its answer is in no list; then a letter model
//! says how likely any string is. [`propagate`] passes beliefs between crossing entries until they settle (exact on grids
//! without loops); [`repair`] turns beliefs into one filled grid and improves it by exchanging whole answers.

mod letters;
mod model;
mod propagate;
mod repair;

pub use letters::{Letter, LetterModel, Letters};
pub use model::{Candidate, EntryModel, GridModel, ModelError};
pub use propagate::{Beliefs, propagate, propagate_watched};
pub use repair::{Filling, repair};
