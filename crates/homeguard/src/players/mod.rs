//! Players: greedy, maximin, deeper maximin, the mixed-strategy searcher, and the levels people meet.

mod stage;
mod study;

pub use study::{Greedy, Maximin, StudyPlayer};

pub(crate) use stage::{Candidate, Candidates, Lanes, Volley, exchange, settle_cells, taken};
