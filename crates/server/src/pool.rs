//! The threads on which bots think and heavy services work, off the event loop, shared fairly between callers.
//!
//! Three classes wait: moves of bots that somebody waits for, services, and moves in games that only bots play.
//! Classes take turns by weight (weighted round robin), callers within a class one after the other. No caller occupies
//! more than a third of the threads with one class, and one thread takes nothing but bots' moves: whatever one caller
//! sends, another caller's bot starts at once, and a caller's analysis does not wait for its own bot. More threads than processors let the operating system share the time.
//! Idle work (prefetched answers) runs on a thread of its own when nothing else does.

use game::Control;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

/// What a task is for, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskClass {
    /// A bot's move at a table where a person plays.
    Interactive,
    /// A heavy service.
    Service,
    /// A bot's move in a game that only bots play.
    BotGame,
}

impl TaskClass {
    const ALL: [Self; 3] = [Self::Interactive, Self::Service, Self::BotGame];

    /// How many tasks of the class start in one round while all classes wait.
    const fn weight(self) -> u32 {
        match self {
            Self::Interactive => 8,
            Self::Service => 3,
            Self::BotGame => 1,
        }
    }
}

/// Work with whoever it is for.
pub struct PoolTask {
    pub class: TaskClass,
    /// The guest, address or table on whose account it runs.
    pub owner: Arc<str>,
    /// A task whose control is stopped before it starts never starts.
    pub control: Control,
    pub work: Box<dyn FnOnce() + Send>,
}

/// The tasks of one class: a queue per owner, and the owners in the order of their turns.
#[derive(Default)]
struct ClassQueue {
    by_owner: HashMap<Arc<str>, VecDeque<PoolTask>>,
    turns: VecDeque<Arc<str>>,
    /// Tasks that may still start in this round.
    credit: u32,
}

impl ClassQueue {
    fn len(&self) -> usize {
        self.by_owner.values().map(VecDeque::len).sum()
    }

    fn push(&mut self, task: PoolTask) {
        let owner = Arc::clone(&task.owner);
        let queue = self.by_owner.entry(Arc::clone(&owner)).or_default();
        if queue.is_empty() {
            self.turns.push_back(owner);
        }
        queue.push_back(task);
    }

    /// The next task of an owner that `may_run`; the owner goes to the end of the turns.
    fn pop(&mut self, may_run: impl Fn(&str) -> bool) -> Option<PoolTask> {
        let turn = self.turns.iter().position(|owner| may_run(owner))?;
        let owner = self.turns.remove(turn)?;
        let queue = self.by_owner.get_mut(&owner)?;
        let task = queue.pop_front();
        if queue.is_empty() {
            self.by_owner.remove(&owner);
        } else {
            self.turns.push_back(owner);
        }
        task
    }

    /// Drops the tasks nobody waits for any more.
    fn purge(&mut self) {
        for queue in self.by_owner.values_mut() {
            queue.retain(|task| !task.control.stopped());
        }
        self.by_owner.retain(|_, queue| !queue.is_empty());
        self.turns.retain(|owner| self.by_owner.contains_key(owner));
    }
}

#[derive(Default)]
struct Queues {
    classes: [ClassQueue; 3],
    /// Tasks that run, by class and owner.
    running: [HashMap<Arc<str>, usize>; 3],
    working: usize,
    idle: VecDeque<Box<dyn FnOnce() + Send>>,
    closed: bool,
}

impl Queues {
    fn is_empty(&self) -> bool {
        self.classes.iter().all(|class| class.turns.is_empty())
    }

    /// The next task for a thread; `express` threads take only bots' moves that somebody waits for.
    fn next(&mut self, express: bool, most_per_owner: usize) -> Option<PoolTask> {
        let running = &self.running;
        let may_run = |class: TaskClass| {
            move |owner: &str| running[class as usize].get(owner).copied().unwrap_or(0) < most_per_owner
        };
        if express {
            return self.classes[TaskClass::Interactive as usize].pop(may_run(TaskClass::Interactive));
        }
        // A second round begins when the classes that wait have used up their credit.
        for _ in 0..2 {
            for class in TaskClass::ALL {
                let queue = &mut self.classes[class as usize];
                if queue.credit > 0
                    && let Some(task) = queue.pop(may_run(class))
                {
                    queue.credit -= 1;
                    return Some(task);
                }
            }
            for class in TaskClass::ALL {
                self.classes[class as usize].credit = class.weight();
            }
        }
        None
    }
}

struct Shared {
    queues: Mutex<Queues>,
    wake: Condvar,
    /// Notified when there may be nothing but idle work.
    quiet: Condvar,
    service_limit: usize,
    /// Tasks of one owner and class that run at once.
    most_per_owner: usize,
}

/// Most tasks that wait for idle time.
const IDLE_LIMIT: usize = 64;

/// How many tasks run and wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLoad {
    pub working: usize,
    pub waiting_bots: usize,
    pub waiting_services: usize,
}

/// A fixed number of threads that share queues by class and owner.
#[derive(Clone)]
pub struct WorkerPool {
    shared: Arc<Shared>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub struct QueueFull;

impl WorkerPool {
    /// A pool for `thinkers` processors in which at most `service_limit` services wait.
    pub fn new(thinkers: usize, service_limit: usize) -> Self {
        let general = thinkers.max(1) + 2;
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            wake: Condvar::new(),
            quiet: Condvar::new(),
            service_limit,
            most_per_owner: (general / 3).max(1),
        });
        let start = |name: String, work: Box<dyn FnOnce(&Shared) + Send>| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name(name)
                .stack_size(16 << 20)
                .spawn(move || work(&shared))
                .expect("the operating system starts threads")
        };
        let mut threads: Vec<_> = (0..general)
            .map(|number| start(format!("worker-{number}"), Box::new(|shared| run(shared, false))))
            .collect();
        threads.push(start("worker-express".to_owned(), Box::new(|shared| run(shared, true))));
        threads.push(start("worker-idle".to_owned(), Box::new(run_idle)));
        Self { shared, threads: Arc::new(Mutex::new(threads)) }
    }

    /// Queues a task. Services are refused when too many wait, of all callers or of this one; bots never are, since
    /// there is at most one task per bot seat.
    pub fn submit(&self, task: PoolTask) -> Result<(), QueueFull> {
        let mut queues = self.shared.queues.lock().expect("no panic while held");
        let queue = &mut queues.classes[task.class as usize];
        if task.class == TaskClass::Service {
            queue.purge();
            let of_owner = queue.by_owner.get(&task.owner).map_or(0, VecDeque::len);
            let most_of_owner = (self.shared.service_limit / 4).max(2);
            if queue.len() >= self.shared.service_limit || of_owner >= most_of_owner {
                return Err(QueueFull);
            }
        }
        if queues.closed {
            return Err(QueueFull);
        }
        queues.classes[task.class as usize].push(task);
        // The express thread may not take this task: every thread looks.
        self.shared.wake.notify_all();
        Ok(())
    }

    /// Queues work for the time when nothing else runs or waits, unless too much waits for that already.
    pub fn submit_idle(&self, work: impl FnOnce() + Send + 'static) -> Result<(), QueueFull> {
        let mut queues = self.shared.queues.lock().expect("no panic while held");
        if queues.closed || queues.idle.len() >= IDLE_LIMIT {
            return Err(QueueFull);
        }
        queues.idle.push_back(Box::new(work));
        self.shared.quiet.notify_one();
        Ok(())
    }

    /// How many tasks run and wait.
    pub fn load(&self) -> PoolLoad {
        let queues = self.shared.queues.lock().expect("no panic while held");
        let [interactive, services, bot_games] = &queues.classes;
        PoolLoad {
            working: queues.working,
            waiting_bots: interactive.len() + bot_games.len(),
            waiting_services: services.len(),
        }
    }

    /// Drops what waits and ends the threads once they have finished their tasks.
    pub fn close(&self) {
        let mut queues = self.shared.queues.lock().expect("no panic while held");
        queues.closed = true;
        let (classes, idle) = (std::mem::take(&mut queues.classes), std::mem::take(&mut queues.idle));
        drop(queues);
        // Dropping a task may use what the queue's lock protects.
        drop((classes, idle));
        self.shared.wake.notify_all();
        self.shared.quiet.notify_all();
        self.threads.lock().expect("no panic while held").clear();
    }
}

fn run(shared: &Shared, express: bool) {
    let mut queues = shared.queues.lock().expect("no panic while held");
    while !queues.closed {
        let Some(task) = queues.next(express, shared.most_per_owner) else {
            queues = shared.wake.wait(queues).expect("no panic while held");
            continue;
        };
        queues.working += 1;
        let PoolTask { class, owner, control, work } = task;
        *queues.running[class as usize].entry(Arc::clone(&owner)).or_default() += 1;
        drop(queues);
        if !control.stopped() && catch_unwind(AssertUnwindSafe(work)).is_err() {
            tracing::error!("a task ended in a panic");
        }
        queues = shared.queues.lock().expect("no panic while held");
        queues.working -= 1;
        let running = &mut queues.running[class as usize];
        if let Some(count) = running.get_mut(&owner) {
            *count -= 1;
            if *count == 0 {
                running.remove(&owner);
            }
        }
        // A task of the same owner may start now, on any thread.
        shared.wake.notify_all();
        shared.quiet.notify_one();
    }
}

fn run_idle(shared: &Shared) {
    loop {
        let mut queues = shared.queues.lock().expect("no panic while held");
        if queues.closed {
            return;
        }
        let quiet = queues.working == 0 && queues.is_empty();
        let Some(work) = quiet.then(|| queues.idle.pop_front()).flatten() else {
            drop(shared.quiet.wait(queues).expect("no panic while held"));
            continue;
        };
        drop(queues);
        if catch_unwind(AssertUnwindSafe(|| catalog::run_in_background(work))).is_err() {
            tracing::error!("idle work ended in a panic");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn task(class: TaskClass, owner: &str, work: impl FnOnce() + Send + 'static) -> PoolTask {
        PoolTask { class, owner: owner.into(), control: Control::new(), work: Box::new(work) }
    }

    /// A task that says it runs and then waits for a word.
    fn blocker(class: TaskClass, owner: &str) -> (PoolTask, mpsc::Receiver<()>, mpsc::Sender<()>) {
        let (started, has_started) = mpsc::channel();
        let (go, wait) = mpsc::channel::<()>();
        let work = move || {
            started.send(()).expect("the test listens");
            let _ = wait.recv();
        };
        (task(class, owner, work), has_started, go)
    }

    #[test]
    fn one_owner_leaves_threads_to_others() {
        let pool = WorkerPool::new(1, 8);
        // Three general threads, of which one owner takes one with its services.
        let (first, started, _go) = blocker(TaskClass::Service, "abuser");
        pool.submit(first).expect("there is room");
        started.recv().expect("it runs");
        let (second, second_started, _go) = blocker(TaskClass::Service, "abuser");
        pool.submit(second).expect("there is room");
        for class in TaskClass::ALL {
            let (done, finished) = mpsc::channel();
            pool.submit(task(class, "other", move || done.send(()).expect("the test listens"))).expect("there is room");
            finished.recv().expect("another owner's task starts at once");
        }
        assert!(second_started.try_recv().is_err(), "the same owner's second task waits");
        assert_eq!(pool.load(), PoolLoad { working: 1, waiting_bots: 0, waiting_services: 1 });
    }

    #[test]
    fn the_express_thread_keeps_bots_moving_while_services_fill_the_rest() {
        let pool = WorkerPool::new(1, 8);
        let held: Vec<_> = ["a", "b", "c"]
            .map(|owner| {
                let (service, started, go) = blocker(TaskClass::Service, owner);
                pool.submit(service).expect("there is room");
                started.recv().expect("it runs");
                go
            })
            .into();
        let (done, finished) = mpsc::channel();
        pool.submit(task(TaskClass::Interactive, "d", move || done.send(()).unwrap())).expect("there is room");
        finished.recv().expect("the express thread takes it");
        drop(held);
    }

    #[test]
    fn services_are_refused_when_too_many_wait_and_those_nobody_waits_for_give_way() {
        let pool = WorkerPool::new(1, 2);
        let held: Vec<_> = ["a", "b", "c"]
            .map(|owner| {
                let (service, started, go) = blocker(TaskClass::Service, owner);
                pool.submit(service).expect("there is room");
                started.recv().expect("it runs");
                go
            })
            .into();
        let waiting = Control::new();
        let abandoned =
            PoolTask { control: waiting.clone(), ..task(TaskClass::Service, "d", || panic!("nobody waits")) };
        assert_eq!(pool.submit(abandoned), Ok(()));
        assert_eq!(pool.submit(task(TaskClass::Service, "e", || {})), Ok(()));
        assert_eq!(pool.submit(task(TaskClass::Service, "f", || {})), Err(QueueFull));
        waiting.stop();
        assert_eq!(pool.submit(task(TaskClass::Service, "f", || {})), Ok(()));
        drop(held);
    }

    #[test]
    fn a_panic_ends_no_thread() {
        let pool = WorkerPool::new(1, 8);
        for owner in ["a", "b", "c", "d"] {
            pool.submit(task(TaskClass::Service, owner, || panic!("on purpose"))).expect("there is room");
        }
        let (done, finished) = mpsc::channel();
        pool.submit(task(TaskClass::Service, "a", move || done.send(7).unwrap())).expect("there is room");
        assert_eq!(finished.recv(), Ok(7));
    }

    #[test]
    fn owners_take_turns_and_classes_share_by_weight() {
        let mut queues = Queues::default();
        for number in 0..6 {
            for class in TaskClass::ALL {
                let owner = if number < 4 { "many" } else { "few" };
                queues.classes[class as usize].push(task(class, owner, || {}));
            }
        }
        let order: Vec<(TaskClass, String)> =
            std::iter::from_fn(|| queues.next(false, 9)).map(|task| (task.class, task.owner.to_string())).collect();
        assert_eq!(order.len(), 18);
        let owners: Vec<&str> = order[..4].iter().map(|(_, owner)| owner.as_str()).collect();
        assert_eq!(owners, ["many", "few", "many", "few"], "one owner's many tasks do not hold up another's few");
        let services_before = |at: usize| order[..at].iter().filter(|(class, _)| *class == TaskClass::Service).count();
        let first_bot_game = order.iter().position(|(class, _)| *class == TaskClass::BotGame).unwrap();
        assert_eq!(services_before(first_bot_game), 3, "services come before games of bots, which come all the same");
    }

    #[test]
    fn idle_work_waits_until_nothing_else_is_to_be_done() {
        let pool = WorkerPool::new(1, 4);
        let (bot, started, go) = blocker(TaskClass::Interactive, "a");
        pool.submit(bot).expect("there is room");
        started.recv().expect("it runs");
        let (done, order) = mpsc::channel();
        let idle = done.clone();
        pool.submit_idle(move || idle.send("idle").unwrap()).expect("there is room");
        pool.submit(task(TaskClass::Service, "a", move || done.send("service").unwrap())).expect("there is room");
        go.send(()).expect("it waits");
        assert_eq!([order.recv().unwrap(), order.recv().unwrap()], ["service", "idle"]);
    }
}
