//! The job queue: long work is cut into jobs that run on any thread or machine with the same result.
//!
//! ```
//! use jobs::{Batch, Flow, Job, LocalQueue, Queue, Registry, Task, Work, WorkError};
//!
//! /// Sums the numbers of its seed range.
//! struct Sum;
//!
//! impl Work for Sum {
//!     fn kind(&self) -> &'static str { "example.sum" }
//!     fn version(&self) -> u32 { 1 }
//!     fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
//!         Ok(task.seeds.clone().sum::<u64>().to_le_bytes().to_vec())
//!     }
//! }
//!
//! let queue = LocalQueue::new(Registry::new().with(Sum), 2);
//! let mut batch = Batch::new("sums");
//! for start in [0, 10, 20] {
//!     batch.jobs.push(Job {
//!         program: "example".into(), kind: "example.sum".into(), version: 1,
//!         params: vec![], seeds: start..start + 10, artifacts: vec![],
//!     });
//! }
//! let mut sums = Vec::new();
//! queue.run(&batch, &mut |_: usize, bytes: Vec<u8>| {
//!     sums.push(u64::from_le_bytes(bytes.try_into().unwrap()));
//!     Flow::Continue
//! }).unwrap();
//! assert_eq!(sums, [45, 145, 245]); // in the order of the jobs
//! ```
//!
//! - [`Work`] is a kind of work: parameters, a range of seeds and files in, bytes out. The lab implements it, the
//!   program registers it in a [`Registry`].
//! - A [`Job`] is one piece of work. Its id is the hash of everything its result depends on, so a job that runs twice
//!   counts once.
//! - A [`Queue`] runs the jobs of a [`Batch`] and returns the results in the order of the jobs: [`LocalQueue`] on
//!   threads of this process, optionally with its state in a store, and `nats::NatsQueue` on any number of machines
//!   that run `nats::worker`.
//!
//! Without the features `store` and `nats` the crate needs no event loop and no database.

mod batch;
mod execute;
mod hash;
mod job;
#[cfg(feature = "store")]
mod job_store;
mod local_queue;
#[cfg(feature = "nats")]
pub mod nats;
mod queue;
mod reorder_buffer;
mod work;

pub use batch::Batch;
pub use execute::ATTEMPTS;
pub use hash::Hash;
pub use job::Job;
#[cfg(feature = "store")]
pub use job_store::JobStore;
pub use local_queue::LocalQueue;
pub use queue::{Flow, Listener, Queue, QueueError, RunProgress};
pub use work::{Registry, Task, TaskControl, Work, WorkError};
