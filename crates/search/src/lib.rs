//! Search for games of two sides with full information: iterative-deepening alpha-beta with a transposition table, and
//! tree search guided by a policy and a value.
//!
//! A game hands in a [`Tree`]: its own board with moves made and unmade in place. [`AlphaBeta`] owns the table and
//! answers with a [`SearchResult`]. [`puct`] searches where a network guesses: a [`PolicyValueGame`] game.
//! With a node limit the same tree and a fresh searcher give the same answer everywhere.

mod alphabeta;
mod puct;
mod table;
mod tree;

pub use alphabeta::{AlphaBeta, Limits, SearchResult};
pub use puct::{PolicyValueGame, RootMove, puct};
pub use table::{Bound, Entry, TranspositionTable};
pub use tree::{End, FORCED, MATE, Tree};
