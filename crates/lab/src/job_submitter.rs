//! Where the lab hands in jobs, and the kinds of work it can do.

use jobs::{Batch, Flow, Hash, Job, Listener, Queue, QueueError, Registry, Work, WorkError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::Range;

/// A queue, and the program in whose name jobs are handed in.
#[derive(Clone, Copy)]
pub struct JobSubmitter<'q> {
    pub queue: &'q dyn Queue,
    pub program: &'q str,
    /// Hears what people should know: a worker that was refused, a job that is tried again.
    pub note: &'q dyn Fn(&str),
}

/// Why work that was handed in gave nothing that can be used.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("a worker's answer cannot be used: {0}")]
    Answer(String),
}

/// A listener that passes notes on.
struct Noting<'l> {
    take: &'l mut dyn FnMut(usize, Vec<u8>) -> Flow,
    note: &'l dyn Fn(&str),
}

impl Listener for Noting<'_> {
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow {
        (self.take)(number, bytes)
    }

    fn note(&mut self, text: &str) {
        (self.note)(text);
    }
}

impl JobSubmitter<'_> {
    /// Runs a batch; `take` gets the results in the order of the jobs.
    pub fn run(&self, batch: &Batch, take: &mut dyn FnMut(usize, Vec<u8>) -> Flow) -> Result<(), QueueError> {
        self.queue.run(batch, &mut Noting { take, note: self.note })
    }

    /// Runs a batch whose results are values; `take` gets them in the order of the jobs.
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

/// A result as bytes.
pub(crate) fn answer<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data has a form")
}

/// Reads the parameters of a job.
pub(crate) fn params<P: DeserializeOwned>(bytes: &[u8]) -> Result<P, WorkError> {
    postcard::from_bytes(bytes).map_err(|error| WorkError::Refused(format!("the parameters cannot be read: {error}")))
}

/// The file at one place of a job's list.
pub(crate) fn file<'t>(task: &'t jobs::Task<'_>, place: usize) -> Result<&'t std::path::Path, WorkError> {
    let missing = || WorkError::Refused(format!("the job names {} files; it needs more", task.artifacts.len()));
    task.artifacts.get(place).map(std::path::PathBuf::as_path).ok_or_else(missing)
}

/// Reads a file of a job.
pub(crate) fn read(path: &std::path::Path) -> Result<Vec<u8>, WorkError> {
    std::fs::read(path).map_err(|error| WorkError::Failed(format!("{}: {error}", path.display())))
}

/// Whether jobs may start programs of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// Jobs come from this process itself, on the order of whoever started it.
    Allowed,
    /// Jobs come over the network.
    Refused,
}

/// Every kind of work of the lab.
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
