//! Options of commands that submit jobs to a queue.

use anyhow::Result;
#[cfg(not(feature = "queue"))]
use anyhow::bail;
use jobs::{LocalQueue, Queue};
use lab::job_submitter::{JobSubmitter, Programs, registry};

/// Default store of a distributed queue.
#[cfg(feature = "queue")]
pub const STORE: &str = "sqlite:parlour.db";

#[derive(clap::Args)]
pub struct QueueArgs {
    /// Queue: local (threads of this process), or nats://HOST:PORT with any number of `parlour worker`s
    #[arg(long, value_name = "QUEUE", default_value = "local")]
    pub queue: String,
    /// Store of jobs and results: sqlite:PATH or postgres://USER@HOST/DATABASE. A local run with a store can be resumed.
    /// A distributed run needs the store of the server that sends files to workers (default: sqlite:parlour.db)
    #[cfg(feature = "server")]
    #[arg(long, value_name = "ADDRESS")]
    pub store: Option<String>,
}

/// An open queue.
pub struct OpenQueue {
    queue: Box<dyn Queue>,
    program: String,
}

impl OpenQueue {
    /// Submits jobs of the lab to this queue.
    pub fn submitter(&self) -> JobSubmitter<'_> {
        JobSubmitter { queue: self.queue.as_ref(), program: &self.program, note: &|text| eprintln!("{text}") }
    }
}

/// Default number of threads for long work: one per core.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The identity of the program in jobs and workers. Features do not change results.
pub fn program() -> String {
    format!("parlour {} ({})", env!("CARGO_PKG_VERSION"), env!("PARLOUR_COMMIT"))
}

/// The identity of this build: stored results must not survive a change of the code.
fn this_build() -> String {
    let built = std::env::current_exe().and_then(|path| path.metadata()).and_then(|file| {
        let modified = file.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Ok(format!("{}-{}", modified.as_nanos(), file.len()))
    });
    format!("{}, build {}", program(), built.unwrap_or_default())
}

impl QueueArgs {
    /// Whether jobs run in this process.
    pub fn is_local(&self) -> bool {
        self.queue == "local"
    }

    /// Opens the queue. `threads` applies to the local queue.
    pub fn open(&self, threads: usize) -> Result<OpenQueue> {
        if self.is_local() {
            let local = LocalQueue::new(registry(Programs::Allowed), threads);
            #[cfg(feature = "server")]
            let local = match &self.store {
                Some(address) => local.with_store(jobs::JobStore::open(address)?),
                None => local,
            };
            return Ok(OpenQueue { queue: Box::new(local), program: this_build() });
        }
        self.open_distributed()
    }

    #[cfg(feature = "queue")]
    fn open_distributed(&self) -> Result<OpenQueue> {
        anyhow::ensure!(self.queue.starts_with("nats://"), "--queue {}: use local or nats://HOST:PORT", self.queue);
        let store = jobs::JobStore::open(self.store.as_deref().unwrap_or(STORE))?;
        Ok(OpenQueue { queue: Box::new(jobs::nats::NatsQueue::new(&self.queue, store)), program: program() })
    }

    #[cfg(not(feature = "queue"))]
    fn open_distributed(&self) -> Result<OpenQueue> {
        bail!("--queue {}: this build has no queue but the local one (build it with the feature `queue`)", self.queue)
    }
}
