//! Search for two-player games with perfect information: iterative-deepening alpha-beta with a transposition table, and
//! PUCT tree search guided by a policy and a value.
//!
//! A game implements [`Tree`]: its own board with moves made and unmade in place. With a node limit, the same tree and a
//! fresh searcher give the same result on every machine.
//!
//! ```
//! use search::{AlphaBeta, End, Limits, Tree, FORCED};
//! use std::sync::atomic::AtomicBool;
//!
//! /// Take one to three matches; whoever takes the last one wins.
//! struct Pile(i32);
//!
//! impl Tree for Pile {
//!     type Move = i32;
//!     fn key(&self) -> u64 { self.0 as u64 }
//!     fn end(&self) -> Option<End> { (self.0 == 0).then_some(End::Lost) }
//!     fn evaluate(&mut self) -> i32 { 0 }
//!     fn proof(&mut self, _depth: u32) -> Option<i32> { None }
//!     fn moves(&mut self, into: &mut Vec<i32>) { into.extend(1..=self.0.min(3)) }
//!     fn make(&mut self, taken: i32) { self.0 -= taken }
//!     fn unmake(&mut self, taken: i32) { self.0 += taken }
//! }
//!
//! let limits = Limits { nodes: 100_000, time: None, depth: 12 };
//! let result = AlphaBeta::new(10).search(&mut Pile(7), limits, &AtomicBool::new(false), |_| {}).unwrap();
//! assert_eq!(result.best, 3); // leaves four
//! assert!(result.score > FORCED);
//! ```
//!
//! [`puct()`] searches a [`PolicyValueGame`]: a game with a network that gives priors of moves and a value.

mod alphabeta;
mod puct;
mod table;
mod tree;

pub use alphabeta::{AlphaBeta, Limits, SearchResult};
pub use puct::{PolicyValueGame, RootMove, puct};
pub use table::{Bound, Entry, TranspositionTable};
pub use tree::{End, FORCED, MATE, Tree};
