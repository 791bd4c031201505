//! The bounded pool in which bots think and heavy services work, off the event loop.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    bots: VecDeque<Job>,
    services: VecDeque<Job>,
    /// What waits until nothing else is to be done.
    idle: VecDeque<Job>,
    /// Which queue goes first next time, so that neither starves.
    services_next: bool,
    working: usize,
    closed: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Told when there may be nothing else to do.
    quiet: Condvar,
    service_limit: usize,
}

/// The most jobs that wait for idle time.
const IDLE_LIMIT: usize = 64;

/// A fixed number of threads with two queues, and one thread for idle time.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

impl Pool {
    /// A pool of `threads` threads in which at most `service_limit` services wait.
    pub fn new(threads: usize, service_limit: usize) -> Self {
        let shared =
            Arc::new(Shared { queue: Mutex::default(), wake: Condvar::new(), quiet: Condvar::new(), service_limit });
        let start = |name: String, work: fn(&Shared)| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name(name)
                .stack_size(16 << 20)
                .spawn(move || work(&shared))
                .expect("the machine gives threads")
        };
        let mut threads: Vec<_> = (0..threads.max(1)).map(|number| start(format!("thinker-{number}"), run)).collect();
        threads.push(start("idle".to_owned(), run_idle));
        Self { shared, threads: Arc::new(Mutex::new(threads)) }
    }

    /// Hands in a bot's thought. There is at most one per bot seat, so the queue is bounded by the live tables.
    pub fn think(&self, job: impl FnOnce() + Send + 'static) {
        let mut queue = self.shared.queue.lock().expect("no panic while held");
        if !queue.closed {
            queue.bots.push_back(Box::new(job));
            self.shared.wake.notify_one();
        }
    }

    /// Hands in a service's work, unless too many wait.
    pub fn serve(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Full> {
        let mut queue = self.shared.queue.lock().expect("no panic while held");
        if queue.closed || queue.services.len() >= self.shared.service_limit {
            return Err(Full);
        }
        queue.services.push_back(Box::new(job));
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Hands in work for the time when no bot thinks and no service works, unless too much waits for that already.
    pub fn idle(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Full> {
        let mut queue = self.shared.queue.lock().expect("no panic while held");
        if queue.closed || queue.idle.len() >= IDLE_LIMIT {
            return Err(Full);
        }
        queue.idle.push_back(Box::new(job));
        self.shared.quiet.notify_one();
        Ok(())
    }

    /// How many jobs are being worked on and how many wait (bots, services).
    pub fn load(&self) -> (usize, usize, usize) {
        let queue = self.shared.queue.lock().expect("no panic while held");
        (queue.working, queue.bots.len(), queue.services.len())
    }

    /// Drops what waits and ends the threads once they have finished what they do.
    pub fn close(&self) {
        let mut queue = self.shared.queue.lock().expect("no panic while held");
        queue.closed = true;
        queue.bots.clear();
        queue.services.clear();
        let idle = std::mem::take(&mut queue.idle);
        drop(queue);
        drop(idle);
        self.shared.wake.notify_all();
        self.shared.quiet.notify_all();
        self.threads.lock().expect("no panic while held").clear();
    }
}

fn run(shared: &Shared) {
    loop {
        let mut queue = shared.queue.lock().expect("no panic while held");
        if queue.closed {
            return;
        }
        let services_first = queue.services_next;
        queue.services_next = !services_first;
        let waiting = &mut *queue;
        let job = if services_first {
            waiting.services.pop_front().or_else(|| waiting.bots.pop_front())
        } else {
            waiting.bots.pop_front().or_else(|| waiting.services.pop_front())
        };
        let Some(job) = job else {
            drop(shared.wake.wait(queue).expect("no panic while held"));
            continue;
        };
        queue.working += 1;
        drop(queue);
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            tracing::error!("a thought ended in a panic");
        }
        shared.queue.lock().expect("no panic while held").working -= 1;
        shared.quiet.notify_one();
    }
}

fn run_idle(shared: &Shared) {
    loop {
        let mut queue = shared.queue.lock().expect("no panic while held");
        if queue.closed {
            return;
        }
        let quiet = queue.working == 0 && queue.bots.is_empty() && queue.services.is_empty();
        let Some(job) = quiet.then(|| queue.idle.pop_front()).flatten() else {
            drop(shared.quiet.wait(queue).expect("no panic while held"));
            continue;
        };
        drop(queue);
        if catch_unwind(AssertUnwindSafe(|| catalog::run_in_background(job))).is_err() {
            tracing::error!("work for idle time ended in a panic");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn services_are_refused_when_too_many_wait_and_a_panic_ends_nothing() {
        let pool = Pool::new(1, 1);
        let (go, wait) = mpsc::channel::<()>();
        let (started, has_started) = mpsc::channel();
        pool.think(move || {
            started.send(()).expect("the test listens");
            let _ = wait.recv();
            panic!("on purpose");
        });
        has_started.recv().expect("the thread runs");
        let (done, finished) = mpsc::channel();
        assert_eq!(pool.serve(move || done.send(7).expect("the test listens")), Ok(()));
        assert_eq!(pool.serve(|| {}), Err(Full));
        assert_eq!(pool.load(), (1, 0, 1));
        go.send(()).expect("the thread waits");
        assert_eq!(finished.recv(), Ok(7));
        pool.close();
        assert_eq!(pool.serve(|| {}), Err(Full));
    }

    #[test]
    fn idle_work_waits_until_nobody_thinks_and_is_refused_when_too_much_waits() {
        let pool = Pool::new(1, 1);
        let (go, wait) = mpsc::channel::<()>();
        let (say, hear) = mpsc::channel();
        let thinker = say.clone();
        pool.think(move || {
            thinker.send("thinks").expect("the test listens");
            let _ = wait.recv();
            thinker.send("has thought").expect("the test listens");
        });
        assert_eq!(hear.recv(), Ok("thinks"));
        for _ in 0..IDLE_LIMIT {
            let idle = say.clone();
            assert_eq!(pool.idle(move || idle.send("idle").expect("the test listens")), Ok(()));
        }
        assert_eq!(pool.idle(|| {}), Err(Full));
        assert!(hear.try_recv().is_err());
        go.send(()).expect("the thread waits");
        assert_eq!(hear.recv(), Ok("has thought"));
        assert!((0..IDLE_LIMIT).all(|_| hear.recv() == Ok("idle")));
        pool.close();
        assert_eq!(pool.idle(|| {}), Err(Full));
    }
}
