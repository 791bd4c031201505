//! Where a command sends its long work.

use anyhow::Result;
#[cfg(not(feature = "queue"))]
use anyhow::bail;
use jobs::{LocalQueue, Queue};
use lab::job_submitter::{JobSubmitter, Programs, registry};

/// The store of a queue on other machines, if none is named.
#[cfg(feature = "queue")]
pub const STORE: &str = "sqlite:parlour.db";

#[derive(clap::Args)]
pub struct QueueArgs {
    /// Where the work is done: local (threads of this process), or nats://HOST:PORT with any number of `parlour worker`s
    #[arg(long, value_name = "QUEUE", default_value = "local")]
    pub queue: String,
    /// Where jobs and results are kept: sqlite:PATH or postgres://USER@HOST/DATABASE. With it an interrupted local run
    /// goes on; workers need it, as the store of the server from which they fetch files (sqlite:parlour.db if not given)
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
    /// What the lab hands its jobs in at.
    pub fn submitter(&self) -> JobSubmitter<'_> {
        JobSubmitter { queue: self.queue.as_ref(), program: &self.program, note: &|text| eprintln!("{text}") }
    }
}

/// Threads for work that takes the whole machine if nothing else is said.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The program as jobs and workers name it: features do not change what it computes.
pub fn program() -> String {
    format!("parlour {} ({})", env!("CARGO_PKG_VERSION"), env!("PARLOUR_COMMIT"))
}

/// The program with this very build of it: results that are kept for later must not outlive a change of the code.
fn this_build() -> String {
    let built = std::env::current_exe().and_then(|path| path.metadata()).and_then(|file| {
        let modified = file.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Ok(format!("{}-{}", modified.as_nanos(), file.len()))
    });
    format!("{}, build {}", program(), built.unwrap_or_default())
}

impl QueueArgs {
    /// Whether the work stays in this process.
    pub fn is_local(&self) -> bool {
        self.queue == "local"
    }

    /// Opens the queue; `threads` is for the local one.
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
        self.open_spread()
    }

    #[cfg(feature = "queue")]
    fn open_spread(&self) -> Result<OpenQueue> {
        anyhow::ensure!(self.queue.starts_with("nats://"), "--queue {}: use local or nats://HOST:PORT", self.queue);
        let store = jobs::JobStore::open(self.store.as_deref().unwrap_or(STORE))?;
        Ok(OpenQueue { queue: Box::new(jobs::nats::NatsQueue::new(&self.queue, store)), program: program() })
    }

    #[cfg(not(feature = "queue"))]
    fn open_spread(&self) -> Result<OpenQueue> {
        bail!("--queue {}: this build has no queue but the local one (build it with the feature `queue`)", self.queue)
    }
}
