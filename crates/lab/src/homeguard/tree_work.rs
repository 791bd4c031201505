//! Growing trees as work for the queue.

use homeguard::engine::tree::{PlaythroughTree, TreeMaker, TreeSettings};
use homeguard::rules::Size;
use jobs::{Batch, Flow, Task, Work, WorkError};
use serde::{Deserialize, Serialize};

use super::tree_bytes;
use super::trees::{TreeSpec, TreesError};
use crate::job_submitter::{JobSubmitter, SubmitError, params};

/// Trees per job.
pub(super) const CHUNK: usize = 16;

/// A specification as job parameters. The numbers of the trees are the seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Trees {
    maps: u64,
    trees_per_map: u64,
    side: u64,
    settings: TreeSettings,
    seed: u64,
}

impl Trees {
    fn of(order: &TreeSpec) -> Self {
        Trees {
            maps: order.maps as u64,
            trees_per_map: order.trees_per_map as u64,
            side: order.size.side() as u64,
            settings: order.settings.clone(),
            seed: order.seed,
        }
    }

    fn order(self) -> Result<TreeSpec, WorkError> {
        let refused = |text: String| WorkError::Refused(text);
        if self.trees_per_map == 0 {
            return Err(refused("no trees per map".to_owned()));
        }
        Ok(TreeSpec {
            maps: self.maps as usize,
            trees_per_map: self.trees_per_map as usize,
            size: Size::new(self.side as usize).map_err(|error| refused(error.to_string()))?,
            settings: self.settings,
            seed: self.seed,
        })
    }
}

/// Grows trees of an order; the result is their bytes, one after another.
pub struct TreeWork;

impl Work for TreeWork {
    fn kind(&self) -> &'static str {
        "homeguard.trees"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let order = params::<Trees>(task.params)?.order()?;
        let (mut maker, mut bytes) = (TreeMaker::new(), Vec::new());
        for number in task.seeds.clone() {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            let tree =
                order.grow(number as usize, &mut maker).map_err(|error| WorkError::Refused(error.to_string()))?;
            tree_bytes::write(&tree, &mut bytes);
            task.control.progress(number + 1 - task.seeds.start, task.seeds.end - task.seeds.start);
        }
        Ok(bytes)
    }
}

/// Grows the trees of an order but for the first `had`; `take` gets them in their order.
pub(super) fn grow(
    submitter: JobSubmitter<'_>,
    order: &TreeSpec,
    had: usize,
    take: &mut dyn FnMut(PlaythroughTree) -> Result<(), TreesError>,
) -> Result<(), TreesError> {
    let mut batch = Batch::new(format!("homeguard: {} trees, seed {}", order.trees(), order.seed));
    let request = Trees::of(order);
    for start in (0..order.trees()).step_by(CHUNK) {
        let end = order.trees().min(start + CHUNK);
        if end <= had {
            batch.already_done.insert(batch.jobs.len());
        }
        batch.jobs.push(submitter.job(&TreeWork, &request, start as u64..end as u64, Vec::new()));
    }
    let mut failure = None;
    let mut take_job = |number: usize, bytes: &[u8]| -> Result<(), TreesError> {
        let answer = |text: String| TreesError::Work(SubmitError::Answer(text));
        let trees = tree_bytes::read_all(bytes).map_err(|problem| answer(format!("job {number}: {problem}")))?;
        let first = number * CHUNK;
        if trees.len() != order.trees().min(first + CHUNK) - first {
            return Err(answer(format!("job {number} has {} trees", trees.len())));
        }
        trees.into_iter().skip(had.saturating_sub(first)).try_for_each(&mut *take)
    };
    let ended = submitter.run(&batch, &mut |number, bytes: Vec<u8>| match take_job(number, &bytes) {
        Ok(()) => Flow::Continue,
        Err(error) => {
            failure = Some(error);
            Flow::Stop
        }
    });
    failure.map_or(Ok(()), Err)?;
    ended.map_err(|error| TreesError::Work(SubmitError::Queue(error)))
}
