//! From candidates per entry to posterior probabilities over the whole grid.
//!
//! Every entry has listed candidates with probabilities and a probability that its answer is unlisted; a letter model then
//! gives the probability of any string. [`propagate`] runs loopy belief propagation between crossing entries (exact on grids
//! without loops; Pearl 1988, used for crosswords by Littman, Keim and Shazeer 2002). [`local_search()`] turns the beliefs into
//! one filled grid and improves it by exchanging answers (compare Ginsberg 2011 and Wallace et al. 2022).

mod alphabet;
mod belief_propagation;
mod letter_model;
mod local_search;
mod model;

pub use alphabet::{GridAlphabet, LetterIndex};
pub use belief_propagation::{Beliefs, Propagation, propagate};
pub use letter_model::{BOUNDARY, LetterModel};
pub use local_search::{GridAssignment, local_search};
pub use model::{EntryModel, GridModel, ListedAnswer, ModelError};
