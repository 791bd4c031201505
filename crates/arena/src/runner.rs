//! Plays the pairs of a match, several at once, and goes on where an earlier run stopped.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::stats::Pentanomial;
use crate::{Contest, Pair, Results, ResultsError, Sprt, SprtVerdict};

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Pairs in all; each is two games.
    pub pairs: u64,
    /// Games at once.
    pub workers: usize,
    /// Ends the match early when it decides.
    pub sprt: Option<Sprt>,
    /// Where results are kept between runs.
    pub file: Option<PathBuf>,
    /// What the match is, in words; guards the file.
    pub title: String,
}

/// Plays what is still missing of the plan. `heard` is told after every pair; `stop` ends the match after the games that
/// are being played.
pub fn run(
    contest: &dyn Contest,
    plan: &Plan,
    stop: &AtomicBool,
    heard: impl Fn(&Results) + Sync,
) -> Result<Results, ResultsError> {
    let results = match &plan.file {
        Some(path) => Results::open(path, &plan.title)?,
        None => Results::new(&plan.title),
    };
    let done: Vec<u64> = results.pairs.keys().copied().collect();
    let missing: Vec<u64> = (0..plan.pairs).filter(|number| done.binary_search(number).is_err()).collect();
    let (next, decided) = (AtomicU64::new(0), AtomicBool::new(verdict(&results, plan.sprt)));
    let shared = Mutex::new((results, None::<ResultsError>));
    std::thread::scope(|scope| {
        for _ in 0..plan.workers.max(1) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) && !decided.load(Ordering::Relaxed) {
                    let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) else { break };
                    let pair = Pair { games: [contest.play(number, false), contest.play(number, true)] };
                    let mut held = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    let (results, failure) = &mut *held;
                    results.pairs.insert(number, pair);
                    if let Some(path) = &plan.file
                        && let Err(error) = results.save(path)
                    {
                        failure.get_or_insert(error);
                        decided.store(true, Ordering::Relaxed);
                    }
                    if verdict(results, plan.sprt) {
                        decided.store(true, Ordering::Relaxed);
                    }
                    heard(results);
                }
            });
        }
    });
    let (mut results, failure) = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error);
    }
    trim(&mut results, plan.sprt);
    Ok(results)
}

/// Whether a test is decided by the pairs without a gap.
fn verdict(results: &Results, sprt: Option<Sprt>) -> bool {
    let Some(test) = sprt else { return false };
    let mut pairs = Pentanomial::default();
    results.prefix().any(|pair| {
        pairs.add(pair.points());
        test.verdict(&pairs) != SprtVerdict::Undecided
    })
}

/// Drops what was played beyond the pair that decided, so that the number of workers does not show.
fn trim(results: &mut Results, sprt: Option<Sprt>) {
    let Some(test) = sprt else { return };
    let mut pairs = Pentanomial::default();
    let decided_at = results.prefix().position(|pair| {
        pairs.add(pair.points());
        test.verdict(&pairs) != SprtVerdict::Undecided
    });
    if let Some(last) = decided_at {
        results.pairs.retain(|&number, _| number <= last as u64);
    }
}
