//! The promises of the queue on a real NATS server (`./test` installs Debian's nats-server).
#![cfg(feature = "nats")]

use jobs::nats::{NatsQueue, worker};
use jobs::{Batch, Flow, Job, JobStore, Listener, Queue, QueueError, Registry, Task, Work, WorkError};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A server of its own, on a free port, with its streams in a folder.
struct Server {
    child: Child,
    port: u16,
    folder: PathBuf,
}

fn start(port: u16, folder: &Path) -> Child {
    let place = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];
    let program = place.into_iter().find(|path| Path::new(path).exists());
    let program = program.expect("nats-server is not installed: `apt-get install nats-server` (./test does it)");
    Command::new(program)
        .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server starts")
}

impl Server {
    fn open(folder: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = folder.join("streams");
        let server = Self { child: start(port, &folder), port, folder };
        server.answers();
        server
    }

    fn answers(&self) {
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// kill -9, then the same server again.
    fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = start(self.port, &self.folder);
        self.answers();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Doubles its seeds; what else it does its parameters say.
struct Doubling {
    calls: Arc<AtomicU32>,
    /// Jobs that wait until they are cancelled.
    waiting: Arc<AtomicU32>,
}

impl Work for Doubling {
    fn kind(&self) -> &'static str {
        "test.doubling"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        match task.params {
            b"fail once" if calls == 0 => return Err(WorkError::Failed("a bad day".into())),
            b"fail" => return Err(WorkError::Failed("a bad year".into())),
            b"large" => return Ok(vec![task.seeds.start as u8; 1_300_000]),
            b"wait" => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                while !task.control.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(10));
                }
                return Err(WorkError::Cancelled);
            }
            _ => {}
        }
        Ok(task.seeds.clone().flat_map(|seed| (2 * seed).to_le_bytes()).collect())
    }
}

/// A server, a store, workers in this process.
struct TestCluster {
    server: Server,
    folder: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
    calls: Arc<AtomicU32>,
    waiting: Arc<AtomicU32>,
    said: Arc<Mutex<Vec<String>>>,
}

impl TestCluster {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            server: Server::open(folder.path()),
            folder,
            runtime: tokio::runtime::Runtime::new().unwrap(),
            calls: Arc::default(),
            waiting: Arc::default(),
            said: Arc::default(),
        }
    }

    fn keep(&self) -> JobStore {
        JobStore::open(&format!("sqlite:{}", self.folder.path().join("jobs.db").display())).unwrap()
    }

    fn queue(&self) -> NatsQueue {
        NatsQueue::new(self.server.address(), self.keep())
    }

    fn worker(&self, program: &str) {
        let settings = worker::WorkerConfig {
            queue: self.server.address(),
            server: None,
            threads: 2,
            program: program.to_owned(),
            name: format!("worker of {program}"),
            cache: self.folder.path().join("cache"),
            registry: Registry::new()
                .with(Doubling { calls: Arc::clone(&self.calls), waiting: Arc::clone(&self.waiting) }),
        };
        let said = Arc::clone(&self.said);
        self.runtime.spawn(worker::run(settings, move |line| said.lock().unwrap().push(line.to_owned())));
    }
}

fn batch(params: &[u8], jobs: u64) -> Batch {
    let mut batch = Batch::new("doubling");
    let job = |i| Job {
        program: "parlour test".into(),
        kind: "test.doubling".into(),
        version: 1,
        params: params.to_vec(),
        seeds: 2 * i..2 * i + 2,
        artifacts: Vec::new(),
    };
    batch.jobs = (0..jobs).map(job).collect();
    batch
}

#[derive(Default)]
struct Collected {
    bytes: Vec<u8>,
    next: usize,
    notes: Vec<String>,
}

impl Listener for Collected {
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow {
        assert_eq!(number, self.next, "results come in order");
        self.next += 1;
        self.bytes.extend(bytes);
        Flow::Continue
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }
}

fn collect(cluster: &TestCluster, batch: &Batch) -> Result<Vec<u8>, QueueError> {
    let mut collected = Collected::default();
    cluster.queue().run(batch, &mut collected)?;
    assert_eq!(collected.next, batch.jobs.len());
    Ok(collected.bytes)
}

fn expected(jobs: u64) -> Vec<u8> {
    (0..2 * jobs).flat_map(|seed| (2 * seed).to_le_bytes()).collect()
}

#[test]
fn results_come_in_order_and_a_finished_run_leaves_nothing_behind() {
    let cluster = TestCluster::open();
    cluster.worker("parlour test");
    assert_eq!(collect(&cluster, &batch(b"", 30)).unwrap(), expected(30));
    assert_eq!(cluster.calls.load(Ordering::Relaxed), 30);
    let streams = cluster.runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(cluster.server.address()).await.unwrap());
        let mut left = Vec::new();
        for name in ["PARLOUR_JOBS", "PARLOUR_RESULTS"] {
            left.push(context.get_stream(name).await.unwrap().cached_info().state.messages);
        }
        left
    });
    assert_eq!(streams, [0, 0]);
    // the same again is done again: nothing is kept after a good end
    assert_eq!(collect(&cluster, &batch(b"", 30)).unwrap(), expected(30));
    assert_eq!(cluster.calls.load(Ordering::Relaxed), 60);
}

#[test]
fn results_larger_than_a_message_come_whole() {
    let cluster = TestCluster::open();
    cluster.worker("parlour test");
    let bytes = collect(&cluster, &batch(b"large", 3)).unwrap();
    let expected: Vec<u8> = [0, 2, 4].into_iter().flat_map(|byte| vec![byte; 1_300_000]).collect();
    assert!(bytes == expected);
}

#[test]
fn what_fails_is_tried_again_and_then_given_up_with_its_reason() {
    let cluster = TestCluster::open();
    cluster.worker("parlour test");
    assert_eq!(collect(&cluster, &batch(b"fail once", 1)).unwrap(), expected(1));
    assert_eq!(cluster.calls.swap(1, Ordering::Relaxed), 2);
    let run = batch(b"fail", 1);
    match collect(&cluster, &run) {
        Err(QueueError::Dead { number: 0, why, .. }) => {
            assert!(why.contains("a bad year (tried 3 times, last by worker of parlour test)"), "{why}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(cluster.calls.load(Ordering::Relaxed), 4);
    let keep = cluster.keep();
    let jobs = keep.wait(keep.store().run_jobs(&run.run_id())).unwrap();
    assert_eq!(jobs[0].state, store::jobs::JobState::Dead);
    assert!(jobs[0].why.contains("a bad year"));
}

#[test]
fn a_worker_of_another_version_gets_nothing_and_both_sides_hear_why() {
    let cluster = TestCluster::open();
    cluster.worker("parlour elsewhere");
    let mut collected = Collected::default();
    let batch = batch(b"", 2);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| cluster.queue().run(&batch, &mut collected));
        // A worker of the right version comes only when the other one has been refused.
        while !cluster.said.lock().unwrap().iter().any(|line| line.starts_with("refused")) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(cluster.calls.load(Ordering::Relaxed), 0);
        cluster.worker("parlour test");
        run.join().unwrap().unwrap();
    });
    assert_eq!(collected.bytes, expected(2));
    let said = cluster.said.lock().unwrap().clone();
    let refused: Vec<&String> = said.iter().filter(|line| line.starts_with("refused")).collect();
    assert!(refused[0].contains("needs parlour test; this is parlour elsewhere"), "{refused:?}");
    assert!(collected.notes[0].contains("worker of parlour elsewhere runs parlour elsewhere"), "{:?}", collected.notes);
}

#[test]
fn a_cancelled_run_stops_its_jobs_where_they_are() {
    let cluster = TestCluster::open();
    cluster.worker("parlour test");
    let (waiting, others) = (batch(b"wait", 5), batch(b"", 6));
    let result = std::thread::scope(|scope| {
        let run = scope.spawn(|| cluster.queue().run(&waiting, &mut Collected::default()));
        while cluster.waiting.load(Ordering::Relaxed) < 2 {
            std::thread::sleep(Duration::from_millis(20));
        }
        let keep = cluster.keep();
        keep.wait(keep.store().end_run(&waiting.run_id(), store::jobs::RunState::Cancelled, 1)).unwrap();
        run.join().unwrap()
    });
    assert_eq!(result, Err(QueueError::Cancelled(waiting.run_id())));
    // both threads of the worker are free again and take other jobs, none of the cancelled ones
    assert_eq!(collect(&cluster, &others).unwrap(), expected(6));
    assert_eq!(cluster.waiting.load(Ordering::Relaxed), 2);
}

#[test]
fn a_submitter_that_went_away_finds_the_results_when_it_comes_back() {
    let mut cluster = TestCluster::open();
    let batch = batch(b"", 12);
    // Gone after the fourth result: nothing is said to the queue, as if the process were killed.
    struct Gone(usize);
    impl Listener for Gone {
        fn result(&mut self, _: usize, _: Vec<u8>) -> Flow {
            self.0 += 1;
            assert!(self.0 < 4, "gone");
            Flow::Continue
        }
    }
    cluster.worker("parlour test");
    let gone = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cluster.queue().run(&batch, &mut Gone(0))));
    assert!(gone.is_err());
    cluster.server.crash();
    assert_eq!(collect(&cluster, &batch).unwrap(), expected(12));
    let calls = cluster.calls.load(Ordering::Relaxed);
    assert!((12..24).contains(&calls), "{calls} jobs were done: those with a result are not done again");
}
