//! Matches through the queue: some pairs of games a job.

use crate::desk::Desk;
use arena::{Ledger, Pair, Plan, Played, Results, ResultsError};
use jobs::{Batch, Flow, Hash, Listener, QueueError, Task, Work, WorkError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A pair as it comes back from a job.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct PlayedPair {
    pair: Pair,
    /// The two games in the game's own format; empty if they are not wanted.
    records: [String; 2],
}

/// Plays the pairs of a task; what a match's work does. `play` answers a game and its record, if one is wanted.
pub(crate) fn play_pairs(task: &Task<'_>, play: impl Fn(u64, bool) -> (Played, String)) -> Result<Vec<u8>, WorkError> {
    let all = 2 * (task.seeds.end - task.seeds.start);
    let mut pairs = Vec::new();
    for pair in task.seeds.clone() {
        let half = |swapped: bool| {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            let half = play(pair, swapped);
            task.control.progress(2 * (pair - task.seeds.start) + 1 + u64::from(swapped), all);
            Ok(half)
        };
        let ((a, first), (b, second)) = (half(false)?, half(true)?);
        pairs.push(PlayedPair { pair: Pair { games: [a, b] }, records: [first, second] });
    }
    Ok(serde_json::to_vec(&pairs).expect("plain data has a form"))
}

/// A match to be played through the queue.
pub struct QueuedMatch<'m> {
    pub work: &'m dyn Work,
    /// The parameters of the work, in its form.
    pub params: Vec<u8>,
    /// Files of the work, in its order.
    pub files: Vec<PathBuf>,
    /// Pairs of one job.
    pub chunk: u64,
    /// Where records are put.
    pub records: Option<(PathBuf, &'static str)>,
}

/// Why a match was not finished.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Results(#[from] ResultsError),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error("{path}: {error}")]
    File { path: String, error: std::io::Error },
    #[error("a worker's answer cannot be read: {0}")]
    Answer(String),
}

/// Plays what is still missing of the plan. `heard` is told after every pair, `noted` what people should know.
pub fn run(
    desk: Desk<'_>,
    queued: &QueuedMatch<'_>,
    plan: &Plan,
    heard: &mut dyn FnMut(&Results),
    noted: &mut dyn FnMut(&str),
) -> Result<Results, MatchError> {
    let ledger = Ledger::open(plan)?;
    if ledger.is_decided() {
        return Ok(ledger.finish());
    }
    let mut batch = Batch::new(&plan.title);
    let files: Vec<Hash> =
        queued.files.iter().map(|path| batch.file(path).map_err(|error| at(path, error))).collect::<Result<_, _>>()?;
    for seeds in chunks(&ledger.missing(), queued.chunk) {
        let mut job = desk.job(queued.work, &(), seeds, files.clone());
        job.params.clone_from(&queued.params);
        batch.jobs.push(job);
    }
    let mut table = Table { ledger, batch: &batch, records: queued.records.as_ref(), heard, noted, failure: None };
    desk.queue.run(&batch, &mut table)?;
    match table.failure {
        Some(failure) => Err(failure),
        None => Ok(table.ledger.finish()),
    }
}

fn at(path: &Path, error: std::io::Error) -> MatchError {
    MatchError::File { path: path.display().to_string(), error }
}

/// Ranges of at most `most` numbers that cover rising numbers.
fn chunks(numbers: &[u64], most: u64) -> Vec<std::ops::Range<u64>> {
    let mut ranges: Vec<std::ops::Range<u64>> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some(range) if range.end == number && range.end - range.start < most.max(1) => range.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    ranges
}

/// Takes the pairs as they come.
struct Table<'m, 'p> {
    ledger: Ledger<'p>,
    batch: &'m Batch,
    records: Option<&'m (PathBuf, &'static str)>,
    heard: &'m mut dyn FnMut(&Results),
    noted: &'m mut dyn FnMut(&str),
    failure: Option<MatchError>,
}

impl Table<'_, '_> {
    fn take(&mut self, number: usize, bytes: &[u8]) -> Result<bool, MatchError> {
        let answer = |text: String| MatchError::Answer(text);
        let pairs: Vec<PlayedPair> = serde_json::from_slice(bytes).map_err(|error| answer(error.to_string()))?;
        let seeds = self.batch.jobs[number].seeds.clone();
        if pairs.len() as u64 != seeds.end - seeds.start {
            return Err(answer(format!("{} pairs instead of {}", pairs.len(), seeds.end - seeds.start)));
        }
        for (pair, played) in seeds.zip(pairs) {
            if let Some((folder, ending)) = self.records {
                for (letter, record) in ['a', 'b'].into_iter().zip(&played.records) {
                    let path = folder.join(format!("{pair:05}{letter}.{ending}"));
                    std::fs::write(&path, record).map_err(|error| at(&path, error))?;
                }
            }
            let decided = self.ledger.add(pair, played.pair)?;
            (self.heard)(self.ledger.results());
            if decided {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Listener for Table<'_, '_> {
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow {
        match self.take(number, &bytes) {
            Ok(false) => Flow::Continue,
            Ok(true) => Flow::Stop,
            Err(error) => {
                self.failure = Some(error);
                Flow::Stop
            }
        }
    }

    fn note(&mut self, text: &str) {
        (self.noted)(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::Contest;
    use jobs::{Local, Registry};
    use std::sync::atomic::AtomicBool;

    /// The first player wins two of three games, by a fixed rule.
    struct Coins;

    impl Contest for Coins {
        fn play(&self, pair: u64, swapped: bool) -> Played {
            let roll = (pair * 2 + u64::from(swapped)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            Played { points: f64::from(u8::from(roll % 3 > 0)), plies: 9, fault: None }
        }
    }

    struct CoinsWork;

    impl Work for CoinsWork {
        fn kind(&self) -> &'static str {
            "test.coins"
        }

        fn version(&self) -> u32 {
            1
        }

        fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
            play_pairs(task, |pair, swapped| (Coins.play(pair, swapped), String::new()))
        }
    }

    #[test]
    fn a_match_through_the_queue_is_the_match_without_it() {
        for sprt in [None, Some(arena::Sprt::new(0.0, 60.0))] {
            let plan = Plan { pairs: 120, workers: 1, sprt, file: None, title: "coins".to_owned() };
            let expected = arena::run(&Coins, &plan, &AtomicBool::new(false), |_| {}).unwrap();
            assert_eq!(expected.pairs.len() < 120, sprt.is_some(), "the test must decide before the end");
            for (threads, chunk) in [(1, 1), (3, 1), (2, 7)] {
                let queue = Local::new(Registry::new().with(CoinsWork), threads);
                let desk = Desk { queue: &queue, program: "test" };
                let queued =
                    QueuedMatch { work: &CoinsWork, params: Vec::new(), files: Vec::new(), chunk, records: None };
                let results = run(desk, &queued, &plan, &mut |_| {}, &mut |_| {}).unwrap();
                assert_eq!(results, expected);
            }
        }
    }

    #[test]
    fn numbers_are_covered_once_in_ranges_that_are_not_too_long() {
        assert_eq!(chunks(&[0, 1, 2, 5, 6, 9], 2), [0..2, 2..3, 5..7, 9..10]);
        assert_eq!(chunks(&[3], 0), [3..4]);
        assert_eq!(chunks(&[], 4), []);
    }
}
