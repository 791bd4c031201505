//! Matches through the queue, several game pairs per job.

use crate::job_submitter::JobSubmitter;
use arena::{GamePair, Ledger, MatchPlan, PlayedGame, Results, ResultsError};
use jobs::{Batch, Flow, Hash, QueueError, Task, Work, WorkError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A played pair as a job returns it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct PlayedPair {
    pair: GamePair,
    /// Records of the two games in the game's format; empty if not requested.
    records: [String; 2],
}

/// Plays the pairs of a task. `play` returns a game and its record, if requested.
pub(crate) fn play_pairs(
    task: &Task<'_>,
    play: impl Fn(u64, bool) -> (PlayedGame, String),
) -> Result<Vec<u8>, WorkError> {
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
        pairs.push(PlayedPair { pair: GamePair { games: [a, b] }, records: [first, second] });
    }
    Ok(serde_json::to_vec(&pairs).expect("plain data has a form"))
}

/// A match to play through the queue.
pub struct QueuedMatch<'m> {
    pub work: &'m dyn Work,
    /// Serialised parameters of the work.
    pub params: Vec<u8>,
    /// Files of the work, in its order.
    pub files: Vec<PathBuf>,
    /// Pairs per job.
    pub chunk: u64,
    /// Folder and file extension of records.
    pub records: Option<(PathBuf, &'static str)>,
}

/// Why a match failed.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Results(#[from] ResultsError),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error("{path}: {error}")]
    File { path: String, error: std::io::Error },
    #[error("invalid result of a worker: {0}")]
    Answer(String),
}

/// Plays the missing pairs of a plan. Calls `on_pair` after every pair.
pub fn run(
    submitter: JobSubmitter<'_>,
    queued: &QueuedMatch<'_>,
    plan: &MatchPlan,
    on_pair: &mut dyn FnMut(&Results),
) -> Result<Results, MatchError> {
    let ledger = Ledger::open(plan)?;
    if ledger.is_decided() {
        return Ok(ledger.finish());
    }
    let mut batch = Batch::new(&plan.title);
    let files: Vec<Hash> =
        queued.files.iter().map(|path| batch.file(path).map_err(|error| at(path, error))).collect::<Result<_, _>>()?;
    let missing = ledger.missing();
    for start in (0..plan.pairs).step_by(queued.chunk.max(1) as usize) {
        let seeds = start..plan.pairs.min(start + queued.chunk.max(1));
        if !missing.iter().any(|pair| seeds.contains(pair)) {
            batch.already_done.insert(batch.jobs.len());
        }
        let mut job = submitter.job(queued.work, &(), seeds, files.clone());
        job.params.clone_from(&queued.params);
        batch.jobs.push(job);
    }
    let mut table = Collector { ledger, batch: &batch, records: queued.records.as_ref(), on_pair };
    let mut failure = None;
    submitter.run(&batch, &mut |number, bytes| match table.take(number, &bytes) {
        Ok(false) => Flow::Continue,
        Ok(true) => Flow::Stop,
        Err(error) => {
            failure = Some(error);
            Flow::Stop
        }
    })?;
    match failure {
        Some(failure) => Err(failure),
        None => Ok(table.ledger.finish()),
    }
}

fn at(path: &Path, error: std::io::Error) -> MatchError {
    MatchError::File { path: path.display().to_string(), error }
}

/// Collects pairs as jobs finish.
struct Collector<'m, 'p> {
    ledger: Ledger<'p>,
    batch: &'m Batch,
    records: Option<&'m (PathBuf, &'static str)>,
    on_pair: &'m mut dyn FnMut(&Results),
}

impl Collector<'_, '_> {
    /// Takes the pairs of a job. Returns whether the match is decided.
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
            (self.on_pair)(self.ledger.results());
            if decided {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::Contest;
    use jobs::{Listener, LocalQueue, Registry};
    use std::sync::atomic::AtomicBool;

    /// The first player wins two of three games, by a fixed rule.
    struct Coins;

    impl Contest for Coins {
        fn play(&self, pair: u64, swapped: bool) -> PlayedGame {
            let roll = (pair * 2 + u64::from(swapped)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            PlayedGame { points: f64::from(u8::from(!roll.is_multiple_of(3))), plies: 9, fault: None }
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
            let plan = MatchPlan { pairs: 120, workers: 1, sprt, file: None, title: "coins".to_owned() };
            let expected = arena::run(&Coins, &plan, &AtomicBool::new(false), |_| {}).unwrap();
            assert_eq!(expected.pairs.len() < 120, sprt.is_some(), "the test must decide before the end");
            for (threads, chunk) in [(1, 1), (3, 1), (2, 7)] {
                let queue = LocalQueue::new(Registry::new().with(CoinsWork), threads);
                let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
                let queued =
                    QueuedMatch { work: &CoinsWork, params: Vec::new(), files: Vec::new(), chunk, records: None };
                let results = run(submitter, &queued, &plan, &mut |_| {}).unwrap();
                assert_eq!(results, expected);
            }
        }
    }

    #[test]
    fn a_match_goes_on_from_its_file_as_the_same_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = Some(folder.path().join("results.json"));
        let plan = MatchPlan { pairs: 20, workers: 1, sprt: None, file, title: "coins".to_owned() };
        let queue = Seen(LocalQueue::new(Registry::new().with(CoinsWork), 2), std::cell::RefCell::default());
        let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
        let queued =
            |chunk| QueuedMatch { work: &CoinsWork, params: Vec::new(), files: Vec::new(), chunk, records: None };
        let mut ledger = Ledger::open(&plan).unwrap();
        for number in [0, 1, 2, 6, 7, 8] {
            let games = [Coins.play(number, false), Coins.play(number, true)];
            ledger.add(number, GamePair { games }).unwrap();
        }
        let results = run(submitter, &queued(3), &plan, &mut |_| {}).unwrap();
        let whole = MatchPlan { file: None, ..plan.clone() };
        assert_eq!(results, arena::run(&Coins, &whole, &AtomicBool::new(false), |_| {}).unwrap());
        assert_eq!(run(submitter, &queued(3), &plan, &mut |_| {}).unwrap(), results);
        let seen = queue.1.into_inner();
        assert_eq!(seen.iter().map(|(_, had)| *had).collect::<Vec<_>>(), [2, 7]);
        assert_eq!(seen[0].0, seen[1].0, "the same run");
    }

    /// A queue that remembers the runs it was given, and how many jobs of each were not needed.
    struct Seen(LocalQueue, std::cell::RefCell<Vec<(String, usize)>>);

    impl jobs::Queue for Seen {
        fn run(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError> {
            self.1.borrow_mut().push((batch.run_id(), batch.already_done.len()));
            self.0.run(batch, listener)
        }
    }
}
