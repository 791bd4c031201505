//! The promises of a queue, on threads: order, one result a job, failures that say why, going on after an end.

use jobs::{Batch, Flow, Job, Listener, LocalQueue, Queue, QueueError, Registry, Task, Work, WorkError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Squares its seeds; jobs with a smaller seed take longer, so that they end out of order.
struct Squares(Arc<AtomicU32>);

impl Work for Squares {
    fn kind(&self) -> &'static str {
        "test.squares"
    }

    fn version(&self) -> u32 {
        2
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let calls = self.0.fetch_add(1, Ordering::Relaxed);
        match task.params {
            b"refuse" => return Err(WorkError::Refused("such squares are not made".into())),
            b"panic" => panic!("square circles"),
            b"fail once" if calls == 0 => return Err(WorkError::Failed("a bad day".into())),
            b"fail" => return Err(WorkError::Failed("a bad year".into())),
            _ => {}
        }
        // Work, not time: what is asked of the queue must hold whatever the order in which jobs end.
        for round in 0..200 / (1 + task.seeds.start) {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            (0..20_000u64).for_each(|i| {
                std::hint::black_box(i * round);
            });
        }
        let file = task.artifacts.iter().flat_map(|path| std::fs::read(path).unwrap()).map(u64::from).sum::<u64>();
        Ok(task.seeds.clone().flat_map(|seed| (seed * seed + file).to_le_bytes()).collect())
    }
}

fn job(params: &[u8], seed: u64) -> Job {
    Job {
        program: "parlour test".into(),
        kind: "test.squares".into(),
        version: 2,
        params: params.to_vec(),
        seeds: seed..seed + 2,
        artifacts: Vec::new(),
    }
}

fn queue(threads: usize) -> (LocalQueue, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    (LocalQueue::new(Registry::new().with(Squares(Arc::clone(&calls))), threads), calls)
}

fn batch(params: &[u8], jobs: u64) -> Batch {
    let mut batch = Batch::new("squares");
    batch.jobs = (0..jobs).map(|i| job(params, 2 * i)).collect();
    batch
}

fn expected(jobs: u64, plus: u64) -> Vec<u8> {
    (0..2 * jobs).flat_map(|seed| (seed * seed + plus).to_le_bytes()).collect()
}

fn collect(queue: &dyn Queue, batch: &Batch) -> Result<Vec<u8>, QueueError> {
    let (mut all, mut next) = (Vec::new(), 0);
    queue.run(batch, &mut |number: usize, bytes: Vec<u8>| {
        assert_eq!(number, next, "results come in order");
        next += 1;
        all.extend(bytes);
        Flow::Continue
    })?;
    assert_eq!(next, batch.jobs.len());
    Ok(all)
}

#[test]
fn results_come_in_the_order_of_the_jobs_on_any_number_of_threads() {
    for threads in [1, 2, 5] {
        assert_eq!(collect(&queue(threads).0, &batch(b"", 40)).unwrap(), expected(40, 0));
    }
    assert!(collect(&queue(3).0, &batch(b"", 0)).unwrap().is_empty());
}

#[test]
fn files_are_found_by_their_hash_and_unknown_ones_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, [3, 4]).unwrap();
    let mut batch = batch(b"", 3);
    let hash = batch.file(&path).unwrap();
    batch.jobs.iter_mut().for_each(|job| job.artifacts.push(hash));
    assert_eq!(collect(&queue(2).0, &batch).unwrap(), expected(3, 7));
    batch.jobs[1].artifacts[0] = jobs::Hash::of(b"another");
    assert!(matches!(collect(&queue(2).0, &batch), Err(QueueError::File(_))));
}

#[derive(Default)]
struct Notes(Vec<String>, usize);

impl Listener for Notes {
    fn result(&mut self, _: usize, _: Vec<u8>) -> Flow {
        self.1 += 1;
        if self.1 == 3 { Flow::Stop } else { Flow::Continue }
    }

    fn note(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }
}

#[test]
fn what_fails_is_tried_again_and_what_cannot_succeed_says_why() {
    let (local, calls) = queue(1);
    let mut notes = Notes::default();
    local.run(&batch(b"fail once", 1), &mut notes).unwrap();
    assert_eq!((calls.load(Ordering::Relaxed), notes.0.len()), (2, 1));
    assert!(notes.0[0].contains("a bad day"), "{notes:?}", notes = notes.0);
    for (params, times, why) in [
        (&b"refuse"[..], 1, "such squares are not made"),
        (b"fail", 3, "a bad year (tried 3 times)"),
        (b"panic", 3, "square circles"),
    ] {
        let (local, calls) = queue(1);
        match collect(&local, &batch(params, 1)) {
            Err(QueueError::Dead { number: 0, why: said, .. }) => assert!(said.contains(why), "{said}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(calls.load(Ordering::Relaxed), times);
    }
    let mut other = batch(b"", 1);
    other.jobs[0].version = 1;
    let refused = collect(&queue(1).0, &other).unwrap_err().to_string();
    assert!(refused.contains("needs version 1") && refused.contains("has version 2"), "{refused}");
}

#[test]
fn a_listener_that_has_enough_ends_the_run() {
    let (local, _) = queue(2);
    let mut notes = Notes::default();
    local.run(&batch(b"", 50), &mut notes).unwrap();
    assert_eq!(notes.1, 3);
}

#[cfg(feature = "store")]
mod kept {
    use super::*;
    use jobs::JobStore;
    use store::jobs::{JobState, RunState};

    fn keep(folder: &std::path::Path) -> JobStore {
        JobStore::open(&format!("sqlite:{}", folder.join("jobs.db").display())).unwrap()
    }

    /// Stops as if the power went: nothing is written after the third result.
    struct Unplugged(usize);

    impl Listener for Unplugged {
        fn result(&mut self, _: usize, _: Vec<u8>) -> Flow {
            self.0 += 1;
            assert!(self.0 < 3, "unplugged");
            Flow::Continue
        }
    }

    #[test]
    fn an_interrupted_run_goes_on_and_gives_what_an_undisturbed_one_gives() {
        let folder = tempfile::tempdir().unwrap();
        let batch = batch(b"", 12);
        let (local, before) = queue(1);
        let local = local.with_store(keep(folder.path()));
        let unplugged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| local.run(&batch, &mut Unplugged(0))));
        assert!(unplugged.is_err());
        drop(local);
        let (local, after) = queue(1);
        let keep = keep(folder.path());
        let local = local.with_store(keep.clone());
        assert_eq!(collect(&local, &batch).unwrap(), expected(12, 0));
        let (before, after) = (before.load(Ordering::Relaxed), after.load(Ordering::Relaxed));
        assert!(before >= 3 && after <= 9, "results were kept: {before} then {after} jobs");
        let run = keep.wait(keep.store().run(&batch.run_id())).unwrap().unwrap();
        assert_eq!(run.state, RunState::Done);
        // everything was handed over, so nothing is kept, and the same run again is done again
        assert_eq!(keep.wait(keep.store().result(&batch.jobs[0].id().to_string())).unwrap(), None);
        assert_eq!(collect(&local, &batch).unwrap(), expected(12, 0));
    }

    #[test]
    fn a_job_that_was_given_up_stays_so_until_it_is_allowed_again() {
        let folder = tempfile::tempdir().unwrap();
        let keep = keep(folder.path());
        let batch = batch(b"refuse", 2);
        let (local, calls) = queue(1);
        let local = local.with_store(keep.clone());
        assert!(collect(&local, &batch).is_err());
        let jobs = keep.wait(keep.store().run_jobs(&batch.run_id())).unwrap();
        assert_eq!((jobs[0].state, jobs[1].state), (JobState::Dead, JobState::Cancelled));
        let again = collect(&local, &batch).unwrap_err().to_string();
        assert!(again.contains("such squares are not made") && again.contains("parlour jobs retry"), "{again}");
        assert_eq!(calls.load(Ordering::Relaxed), 1, "it was not tried again");
        keep.wait(keep.store().retry_run(&batch.run_id(), 1)).unwrap();
        assert!(collect(&local, &batch).is_err());
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}
