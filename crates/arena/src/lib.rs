//! Matches between players: game pairs, Elo with intervals, SPRT, Glicko-2, results that survive an interruption.
//!
//! ```
//! use arena::{Contest, MatchPlan, PlayedGame, Summary};
//! use std::sync::atomic::AtomicBool;
//!
//! /// The first player wins as Black and draws as White.
//! struct FirstIsBetter;
//!
//! impl Contest for FirstIsBetter {
//!     fn play(&self, _pair: u64, swapped: bool) -> PlayedGame {
//!         PlayedGame { points: if swapped { 0.5 } else { 1.0 }, plies: 20, fault: None }
//!     }
//! }
//!
//! let plan = MatchPlan { pairs: 50, workers: 1, sprt: None, file: None, title: "example".into() };
//! let results = arena::run(&FirstIsBetter, &plan, &AtomicBool::new(false), |_| {}).unwrap();
//! let summary = Summary::of(&results, None);
//! assert_eq!((summary.games, summary.p1_score), (100, 0.75));
//! assert!(summary.interval95[0] > 0.0); // Elo, 95 %
//! ```
//!
//! - A [`Contest`] plays single games. The arena plays them in pairs: the second game has the sides exchanged on the same
//!   opening or seed, which cancels the luck of the opening. [`BotContest`] is the contest of any [`game::Game`].
//! - [`run`] plays the pairs of a [`MatchPlan`] in parallel and keeps [`Results`]. With a file, results are written after
//!   every pair and an interrupted match resumes.
//! - [`Ledger`] does the same for pairs that are played elsewhere, for instance by a queue.
//! - [`Glicko`] is the rating of a person (Glicko-2).
//! - [`ratings()`] rates the players of a tournament with the Bradley–Terry model.
//! - [`Summary`] holds score, Elo, interval, faults and the verdict of a [`Sprt`].
//!
//! With node budgets a match is a function of its plan: the number of workers does not change the result, not even where
//! an SPRT stops, because the test looks at the pairs in their order.

mod bot_contest;
mod contest;
mod glicko;
mod ledger;
mod ratings;
mod results;
mod runner;
pub mod stats;
mod summary;

pub use bot_contest::{BotContest, Entrant};
pub use contest::{Contest, Fault, FaultKind, PlayedGame, Side};
pub use glicko::Glicko;
pub use ledger::Ledger;
pub use ratings::{PairScore, PlayerRating, ratings};
pub use results::{GamePair, Results, ResultsError};
pub use runner::{MatchPlan, run};
pub use stats::{Sprt, SprtVerdict};
pub use summary::Summary;
