//! Runs one job on the calling thread.

use crate::{Job, Registry, Task, TaskControl, WorkError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Maximum number of attempts at a failing job. A refused job is not retried.
pub const ATTEMPTS: u32 = 3;

/// Runs a job once. A panic of the work counts as a failure.
pub(crate) fn run_once(
    registry: &Registry,
    job: &Job,
    artifacts: &[PathBuf],
    control: &TaskControl,
) -> Result<Vec<u8>, WorkError> {
    let work = registry.find(&job.kind, job.version)?;
    let task = Task { params: &job.params, seeds: job.seeds.clone(), artifacts, control };
    catch_unwind(AssertUnwindSafe(|| work.run(&task))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(WorkError::Failed(format!("the work panicked: {text}")))
    })
}
