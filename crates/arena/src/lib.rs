//! Matches between players: paired games, Elo with intervals, SPRT, results that survive an interruption.
//!
//! - A [`Contest`] plays single games; the arena asks for them in pairs, the second with the sides exchanged on the same
//!   opening or seed, so that luck with the opening cancels out. [`BotContest`] is the contest of any [`game::Game`].
//! - [`run`] plays the pairs of a [`MatchPlan`], several at once, and keeps [`Results`]; with a file they are written after
//!   every pair, and a match that was interrupted goes on where it stopped.
//! - [`Ledger`] is the same for somebody who has the pairs played elsewhere.
//! - [`Glicko`] is a rating with its uncertainty, for people who play one game at a time.
//! - [`Summary`] is what is said of the results: score, Elo, interval, faults, and the verdict of a [`Sprt`].
//!
//! With node budgets a match is a function of its plan: the number of workers changes nothing, not even where an SPRT
//! stops, because it looks at the pairs in their order.

mod bot_contest;
mod contest;
mod glicko;
mod ledger;
mod results;
mod runner;
pub mod stats;
mod summary;

pub use bot_contest::{BotContest, Entrant};
pub use contest::{Contest, Fault, FaultKind, PlayedGame, Side};
pub use glicko::Glicko;
pub use ledger::Ledger;
pub use results::{GamePair, Results, ResultsError};
pub use runner::{MatchPlan, run};
pub use stats::{Sprt, SprtVerdict};
pub use summary::Summary;
