//! Every promise of the store about runs of the queue, on SQLite always and on PostgreSQL where `PARLOUR_TEST_POSTGRES`
//! names a server.

mod common;

use common::on_each;
use store::Store;
use store::jobs::{JobState, JobUpdate, NewRun, RunState};

fn run(id: &str, jobs: &[&str], files: &[&str]) -> NewRun {
    NewRun {
        id: id.into(),
        title: "a match".into(),
        kind: "arena".into(),
        program: "parlour 1".into(),
        queue: "local".into(),
        jobs: jobs.iter().map(|&job| job.into()).collect(),
        files: files.iter().map(|&file| file.into()).collect(),
        at_ms: 100,
    }
}

async fn states(store: &Store, run: &str) -> Vec<&'static str> {
    store.run_jobs(run).await.unwrap().iter().map(|job| job.state.as_str()).collect()
}

#[tokio::test]
async fn the_first_result_of_a_job_stays_and_is_there_after_opening_again() {
    on_each(async |store, address| {
        store.open_run(run("r", &["a", "b"], &[])).await.unwrap();
        store.put_result("r", 0, "a", vec![1, 0, 255], 101).await.unwrap();
        store.put_result("r", 0, "a", vec![2], 102).await.unwrap();
        let late = JobUpdate { state: JobState::Running, share: 0.5, ..JobUpdate::default() };
        store.update_jobs("r", vec![(0, late.clone()), (1, late)], 103).await.unwrap();
        store.close().await;
        let store = Store::open(address).await.unwrap();
        assert_eq!(store.result("a").await.unwrap(), Some(vec![1, 0, 255]));
        assert_eq!(store.result("b").await.unwrap(), None);
        assert_eq!(states(&store, "r").await, ["done", "running"]);
        // the same run again: what is done stays done, the rest waits
        store.open_run(run("r", &["a", "b"], &[])).await.unwrap();
        assert_eq!(states(&store, "r").await, ["done", "queued"]);
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_run_that_ended_well_leaves_no_results_but_those_another_run_needs() {
    on_each(async |store, _| {
        store.open_run(run("one", &["a", "b"], &[])).await.unwrap();
        store.open_run(run("two", &["b", "c"], &[])).await.unwrap();
        store.put_result("one", 0, "a", vec![1], 1).await.unwrap();
        store.put_result("one", 1, "b", vec![2], 2).await.unwrap();
        store.end_run("one", RunState::Done, 3).await.unwrap();
        assert_eq!(store.result("a").await.unwrap(), None);
        assert_eq!(store.result("b").await.unwrap(), Some(vec![2]));
        assert_eq!(store.run("one").await.unwrap().unwrap().state, RunState::Done);
        let newest: Vec<String> = store.runs(1).await.unwrap().into_iter().map(|run| run.id).collect();
        assert_eq!(newest, ["two"]);
        store.forget_run("two").await.unwrap();
        assert_eq!(store.result("b").await.unwrap(), None);
        assert!(store.run("two").await.unwrap().is_none() && store.run_jobs("two").await.unwrap().is_empty());
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_was_given_up_says_why_and_may_be_tried_again() {
    on_each(async |store, _| {
        store.open_run(run("r", &["a", "b", "c"], &[])).await.unwrap();
        store.put_result("r", 0, "a", vec![1], 1).await.unwrap();
        let dead = JobUpdate { state: JobState::Dead, why: "no such player".into(), ..JobUpdate::default() };
        store.update_jobs("r", vec![(1, dead)], 2).await.unwrap();
        store.end_run("r", RunState::Failed, 3).await.unwrap();
        assert_eq!(states(&store, "r").await, ["done", "dead", "cancelled"]);
        assert_eq!(store.run_jobs("r").await.unwrap()[1].why, "no such player");
        assert_eq!(store.result("a").await.unwrap(), Some(vec![1]), "what was done is kept");
        store.retry_run("r", 4).await.unwrap();
        assert_eq!(states(&store, "r").await, ["done", "queued", "queued"]);
        assert_eq!(store.run("r").await.unwrap().unwrap().state, RunState::Running);
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn files_are_there_when_they_are_whole_and_as_long_as_a_running_run_names_them() {
    on_each(async |store, _| {
        store.put_artifact_part("f", 0, vec![1; 10]).await.unwrap();
        store.put_artifact_part("f", 1, vec![2; 3]).await.unwrap();
        store.open_run(run("r", &["a"], &["f"])).await.unwrap();
        assert_eq!(store.artifact("f").await.unwrap(), None, "it is not whole yet");
        store.finish_artifact("f", 13, 1).await.unwrap();
        store.finish_artifact("stranger", 0, 1).await.unwrap();
        assert_eq!(store.artifact("f").await.unwrap(), Some(13));
        assert_eq!(store.artifact("stranger").await.unwrap(), None, "no run names it");
        assert_eq!(store.artifact_part("f", 1).await.unwrap(), Some(vec![2; 3]));
        assert_eq!(store.artifact_part("f", 2).await.unwrap(), None);
        store.end_run("r", RunState::Done, 2).await.unwrap();
        assert_eq!(store.artifact("f").await.unwrap(), None);
        assert_eq!(store.artifact_part("f", 0).await.unwrap(), None);
        store.close().await;
    })
    .await;
}
