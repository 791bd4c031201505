//! The engine: incremental line patterns, alpha-beta search, forced-win solvers.
//!
//! TtEntry points, from the outside in:
//!
//! * [`Engine`] — made from a [`Config`]; [`Engine::search`] is a function of (stones, side to move,
//!   [`SearchLimits`], stop flag) and returns a [`SearchReport`]. What an engine remembers between calls (its
//!   transposition table) is only a cache: with a node budget, one thread and a fresh or
//!   [`Engine::clear`]ed table the same question gives the same answer on every machine.
//! * [`Engine::policy`] — how likely each point is, without any search.
//! * [`solve`] — VCF and VCT: a win by fours, or by fours and threes, with its line.
//! * [`pattern_board::PatternBoard`] — the board with its patterns, for whoever wants to draw threats.
//!
//! ```
//! use gomoku::engine::{Config, Engine, SearchLimits};
//! use gomoku::rules::{Color, Point, Rule};
//! use std::sync::atomic::AtomicBool;
//!
//! let mut engine = Engine::new(Config { table_mb: 1, ..Config::new(Rule::Freestyle, 15) }).unwrap();
//! let stones = [(Point { x: 7, y: 7 }, Color::Black)];
//! let stop = AtomicBool::new(false);
//! let report = engine
//!     .search(&stones, Color::White, &SearchLimits::nodes(500), &stop, &mut |_| {})
//!     .unwrap();
//! assert_ne!(report.best, stones[0].0);
//! ```

mod api;
pub mod bench;
mod dfpn;
pub mod evaluator;
mod forbidden;
pub mod geometry;
mod iterative_deepening;
pub mod net;
pub mod pattern_board;
pub mod pattern_tables;
pub mod reason;
mod search;
pub mod shape;
mod solver;
mod transposition;
mod tuning;
mod vcf;
mod vct;
pub mod weights;

pub use api::{Config, Engine, EngineError, Evaluation, Score, SearchInfo, SearchLimits, SearchReport, Variation};
pub use dfpn::{DfPn, ProofNode};
pub use solver::{Solution, SolveKind, SolverRequest, solve, solve_request};
pub use tuning::Tuning;
pub use vcf::{Vcf, Verdict};
pub use vct::Vct;
