//! Does one job here and now: on a thread of this process or of a worker.

use crate::{Control, Job, Registry, Task, WorkError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// How often a job is tried that fails; one that is refused is not tried again.
pub const ATTEMPTS: u32 = 3;

/// Does a job. A panic of the work is a failure like another.
pub(crate) fn run_once(
    registry: &Registry,
    job: &Job,
    artifacts: &[PathBuf],
    control: &Control,
) -> Result<Vec<u8>, WorkError> {
    let work = registry.find(&job.kind, job.version)?;
    let task = Task { params: &job.params, seeds: job.seeds.clone(), artifacts, control };
    catch_unwind(AssertUnwindSafe(|| work.run(&task))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(WorkError::Failed(format!("the work broke down: {text}")))
    })
}
