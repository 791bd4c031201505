//! Prefetched answers: computed in idle time, before anybody requests them.
//!
//! An answer is a function of its key, so losing one costs time and nothing else.

use crate::pool::WorkerPool;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex};

/// A hash of everything an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrefetchKey([u8; 32]);

impl PrefetchKey {
    /// The key of these parts, in this order.
    pub fn of(parts: &[&str]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        Self(digest.finalize().into())
    }
}

struct Cached<T> {
    answers: HashMap<PrefetchKey, T>,
    /// The oldest first.
    order: VecDeque<PrefetchKey>,
    pending: HashSet<PrefetchKey>,
}

/// The newest prefetched answers.
pub struct PrefetchCache<T> {
    kind: &'static str,
    most: usize,
    cached: Mutex<Cached<T>>,
}

impl<T: Clone + Send + 'static> PrefetchCache<T> {
    /// A cache of at most `most` answers; `kind` names them in the metrics.
    pub fn new(kind: &'static str, most: usize) -> Self {
        let cached = Cached { answers: HashMap::new(), order: VecDeque::new(), pending: HashSet::new() };
        Self { kind, most, cached: Mutex::new(cached) }
    }

    /// Computes an answer in idle time, unless it is cached or pending, or the idle queue is full.
    pub fn compute(
        self: &Arc<Self>,
        pool: &WorkerPool,
        key: PrefetchKey,
        work: impl FnOnce() -> Option<T> + Send + 'static,
    ) {
        {
            let mut cached = self.cached.lock().expect("no panic while held");
            if self.most == 0 || cached.answers.contains_key(&key) || !cached.pending.insert(key) {
                return;
            }
        }
        let pending = Pending { cache: Arc::clone(self), key, answer: None };
        if pool.submit_idle(move || pending.finish(work())).is_err() {
            self.count("refused");
        }
    }

    /// The answer, if it was prefetched.
    pub fn get(&self, key: &PrefetchKey) -> Option<T> {
        let answer = self.cached.lock().expect("no panic while held").answers.get(key).cloned();
        self.count(if answer.is_some() { "hit" } else { "miss" });
        answer
    }

    fn put(&self, key: PrefetchKey, answer: Option<T>) {
        let mut cached = self.cached.lock().expect("no panic while held");
        cached.pending.remove(&key);
        let Some(answer) = answer else { return };
        if cached.order.len() >= self.most
            && let Some(oldest) = cached.order.pop_front()
        {
            cached.answers.remove(&oldest);
        }
        cached.order.push_back(key);
        cached.answers.insert(key, answer);
        drop(cached);
        self.count("made");
    }

    fn count(&self, what: &'static str) {
        metrics::counter!("parlour_ahead_total", "kind" => self.kind, "what" => what).increment(1);
    }
}

/// An answer that is being computed; it stops being pending however the work ends.
struct Pending<T: Clone + Send + 'static> {
    cache: Arc<PrefetchCache<T>>,
    key: PrefetchKey,
    answer: Option<T>,
}

impl<T: Clone + Send + 'static> Pending<T> {
    fn finish(mut self, answer: Option<T>) {
        self.answer = answer;
    }
}

impl<T: Clone + Send + 'static> Drop for Pending<T> {
    fn drop(&mut self) {
        self.cache.put(self.key, self.answer.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Waits until everything handed in before has been worked on.
    fn settle(pool: &WorkerPool) {
        let (done, finished) = mpsc::channel();
        pool.submit_idle(move || done.send(()).expect("the test listens")).expect("there is state");
        finished.recv().expect("idle time comes");
    }

    #[test]
    fn the_newest_answers_are_kept_and_each_is_made_once() {
        let pool = WorkerPool::new(1, 1);
        let cache = Arc::new(PrefetchCache::new("test", 2));
        let key = |n: u32| PrefetchKey::of(&["answer", &n.to_string()]);
        let made = Arc::new(Mutex::new(Vec::new()));
        for n in [1, 1, 2, 3, 3] {
            let made = Arc::clone(&made);
            cache.compute(&pool, key(n), move || {
                made.lock().expect("no panic while held").push(n);
                Some(n)
            });
        }
        settle(&pool);
        assert_eq!(*made.lock().expect("no panic while held"), [1, 2, 3]);
        assert_eq!([1, 2, 3].map(|n| cache.get(&key(n))), [None, Some(2), Some(3)]);
    }

    #[test]
    fn work_that_comes_to_nothing_may_be_tried_again() {
        let pool = WorkerPool::new(1, 1);
        let cache = Arc::new(PrefetchCache::new("test", 2));
        let key = PrefetchKey::of(&["it"]);
        cache.compute(&pool, key, || panic!("on purpose"));
        settle(&pool);
        cache.compute(&pool, key, || None);
        settle(&pool);
        assert_eq!(cache.get(&key), None);
        cache.compute(&pool, key, || Some(7));
        settle(&pool);
        assert_eq!(cache.get(&key), Some(7));
    }

    #[test]
    fn keys_of_other_parts_differ() {
        assert_ne!(PrefetchKey::of(&["ab", "c"]), PrefetchKey::of(&["a", "bc"]));
        assert_ne!(PrefetchKey::of(&["a"]), PrefetchKey::of(&["a", ""]));
    }
}
