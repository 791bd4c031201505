//! The queue: long work cut into jobs that may run on any thread or machine, with the same result.
//!
//! - [`Work`] is a kind of work: parameters, a range of seeds and files in, bytes out. The lab implements it, the
//!   program registers it in a [`Registry`].
//! - A [`Job`] is one piece of work; its id is the hash of everything its result depends on, so a job that runs twice
//!   counts once.
//! - A [`Queue`] runs the jobs of a [`Batch`] and hands the results over in the order of the jobs, whatever the order in
//!   which they end: [`Local`] on threads of this process, with its state in the store if it is given one, and
//!   `nats::Nats` on any number of machines that run `nats::worker`.
//!
//! Without the features `store` and `nats` this is a small library of threads: no event loop, no database.

mod batch;
mod hash;
mod job;
#[cfg(feature = "store")]
mod keep;
mod local;
#[cfg(feature = "nats")]
pub mod nats;
mod order;
mod queue;
mod run;
mod work;

pub use batch::Batch;
pub use hash::Hash;
pub use job::Job;
#[cfg(feature = "store")]
pub use keep::Keep;
pub use local::Local;
pub use queue::{Flow, Listener, Progress, Queue, QueueError};
pub use run::ATTEMPTS;
pub use work::{Control, Registry, Task, Work, WorkError};
