//! Plays the pairs of a match in parallel, and resumes interrupted matches.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::{Contest, GamePair, Ledger, Results, ResultsError, Sprt};

/// The plan of a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// Number of pairs, of two games each.
    pub pairs: u64,
    /// Number of parallel games.
    pub workers: usize,
    /// Stops the match early when it decides.
    pub sprt: Option<Sprt>,
    /// Results file, for resuming.
    pub file: Option<PathBuf>,
    /// Description of the match; identifies the file.
    pub title: String,
}

/// Plays the missing pairs of a plan. Calls `on_pair` after every pair. `stop` ends the match after the running games.
pub fn run(
    contest: &dyn Contest,
    plan: &MatchPlan,
    stop: &AtomicBool,
    on_pair: impl Fn(&Results) + Sync,
) -> Result<Results, ResultsError> {
    let ledger = Ledger::open(plan)?;
    let missing = ledger.missing();
    let (next, decided) = (AtomicU64::new(0), AtomicBool::new(ledger.is_decided()));
    let shared = Mutex::new((ledger, None::<ResultsError>));
    std::thread::scope(|scope| {
        for _ in 0..plan.workers.max(1) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) && !decided.load(Ordering::Relaxed) {
                    let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) else { break };
                    let pair = GamePair { games: [contest.play(number, false), contest.play(number, true)] };
                    let mut held = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    let (ledger, failure) = &mut *held;
                    match ledger.add(number, pair) {
                        Ok(false) => {}
                        Ok(true) => decided.store(true, Ordering::Relaxed),
                        Err(error) => {
                            failure.get_or_insert(error);
                            decided.store(true, Ordering::Relaxed);
                        }
                    }
                    on_pair(ledger.results());
                }
            });
        }
    });
    let (ledger, failure) = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    match failure {
        Some(error) => Err(error),
        None => Ok(ledger.finish()),
    }
}
