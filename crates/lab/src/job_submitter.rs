//! Submits jobs of the lab to a queue, and registers the lab's kinds of work.

use jobs::{Batch, Flow, Hash, Job, Listener, Queue, QueueError, Registry, Work, WorkError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::Range;

/// A queue with the identity of the submitting program.
#[derive(Clone, Copy)]
pub struct JobSubmitter<'q> {
    pub queue: &'q dyn Queue,
    pub program: &'q str,
    /// Takes messages for the user: a rejected worker, a retried job.
    pub note: &'q dyn Fn(&str),
}

/// Error of submitted work.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("invalid result of a worker: {0}")]
    Answer(String),
}

/// A listener that forwards messages.
struct Forwarding<'l> {
    take: &'l mut dyn FnMut(usize, Vec<u8>) -> Flow,
    note: &'l dyn Fn(&str),
}

impl Listener for Forwarding<'_> {
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow {
        (self.take)(number, bytes)
    }

    fn note(&mut self, text: &str) {
        (self.note)(text);
    }
}

impl JobSubmitter<'_> {
    /// Runs a batch. `take` gets the results in the order of the jobs.
    pub fn run(&self, batch: &Batch, take: &mut dyn FnMut(usize, Vec<u8>) -> Flow) -> Result<(), QueueError> {
        self.queue.run(batch, &mut Forwarding { take, note: self.note })
    }

    /// Runs a batch with typed results. `take` gets them in the order of the jobs.
    pub(crate) fn values<T: DeserializeOwned>(
        &self,
        batch: &Batch,
        take: &mut dyn FnMut(usize, T) -> Flow,
    ) -> Result<(), SubmitError> {
        let mut failure = None;
        self.run(batch, &mut |number, bytes| match postcard::from_bytes(&bytes) {
            Ok(value) => take(number, value),
            Err(error) => {
                failure = Some(SubmitError::Answer(format!("job {number}: {error}")));
                Flow::Stop
            }
        })?;
        failure.map_or(Ok(()), Err)
    }

    /// A job of some work.
    pub fn job<P: Serialize>(&self, work: &dyn Work, params: &P, seeds: Range<u64>, artifacts: Vec<Hash>) -> Job {
        Job {
            program: self.program.to_owned(),
            kind: work.kind().to_owned(),
            version: work.version(),
            params: answer(params),
            seeds,
            artifacts,
        }
    }
}

/// Serialises a result.
pub(crate) fn answer<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data has a form")
}

/// Parses the parameters of a job.
pub(crate) fn params<P: DeserializeOwned>(bytes: &[u8]) -> Result<P, WorkError> {
    postcard::from_bytes(bytes).map_err(|error| WorkError::Refused(format!("the parameters cannot be read: {error}")))
}

/// A file of a job by its index.
pub(crate) fn file<'t>(task: &'t jobs::Task<'_>, place: usize) -> Result<&'t std::path::Path, WorkError> {
    let missing = || WorkError::Refused(format!("the job names {} files; it needs more", task.artifacts.len()));
    task.artifacts.get(place).map(std::path::PathBuf::as_path).ok_or_else(missing)
}

/// Reads a file of a job.
pub(crate) fn read(path: &std::path::Path) -> Result<Vec<u8>, WorkError> {
    std::fs::read(path).map_err(|error| WorkError::Failed(format!("{}: {error}", path.display())))
}

/// Whether jobs may start external programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// Jobs come from this process.
    Allowed,
    /// Jobs come over the network.
    Refused,
}

/// All kinds of work of the lab.
pub fn registry(programs: Programs) -> Registry {
    Registry::new()
        .with(crate::corpus_counting::CountWork)
        .with(crate::gomoku::match_work::GomokuWork { programs })
        .with(crate::gomoku::promotion::PromotionWork)
        .with(crate::gomoku::selfplay_work::SelfPlayWork)
        .with(crate::homeguard::matches::HomeguardWork)
        .with(crate::homeguard::encode_work::EncodeWork)
        .with(crate::homeguard::measure_work::MeasureWork)
        .with(crate::homeguard::tree_work::TreeWork)
        .with(crate::scrabble::fitness::RegretPositionsWork::default())
        .with(crate::scrabble::fitness::FitnessWork::default())
        .with(crate::scrabble::leaves::LeavesWork::default())
}
