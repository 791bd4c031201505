//! Answers made before they are asked for, while nobody else needs the machine.
//!
//! Only a cache: an answer is a function of what its key is made of, so that a lost one costs time and nothing else.

use crate::pool::Pool;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex};

/// Everything an answer follows from, shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of parts whose order counts.
    pub fn of(parts: &[&str]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        Self(digest.finalize().into())
    }
}

struct Kept<T> {
    answers: HashMap<Key, T>,
    /// The oldest first.
    order: VecDeque<Key>,
    coming: HashSet<Key>,
}

/// The newest answers made ahead.
pub struct Ahead<T> {
    kind: &'static str,
    most: usize,
    kept: Mutex<Kept<T>>,
}

impl<T: Clone + Send + 'static> Ahead<T> {
    /// Room for `most` answers; `kind` names them in the metrics.
    pub fn new(kind: &'static str, most: usize) -> Self {
        let kept = Kept { answers: HashMap::new(), order: VecDeque::new(), coming: HashSet::new() };
        Self { kind, most, kept: Mutex::new(kept) }
    }

    /// Has an answer made in idle time, unless it is there or coming, or too much waits for idle time already.
    pub fn make(self: &Arc<Self>, pool: &Pool, key: Key, work: impl FnOnce() -> Option<T> + Send + 'static) {
        {
            let mut kept = self.kept.lock().expect("no panic while held");
            if self.most == 0 || kept.answers.contains_key(&key) || !kept.coming.insert(key) {
                return;
            }
        }
        let order = Order { ahead: Arc::clone(self), key, answer: None };
        if pool.idle(move || order.finish(work())).is_err() {
            self.count("refused");
        }
    }

    /// The answer, if it was made ahead.
    pub fn get(&self, key: &Key) -> Option<T> {
        let answer = self.kept.lock().expect("no panic while held").answers.get(key).cloned();
        self.count(if answer.is_some() { "hit" } else { "miss" });
        answer
    }

    fn put(&self, key: Key, answer: Option<T>) {
        let mut kept = self.kept.lock().expect("no panic while held");
        kept.coming.remove(&key);
        let Some(answer) = answer else { return };
        if kept.order.len() >= self.most
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.answers.remove(&oldest);
        }
        kept.order.push_back(key);
        kept.answers.insert(key, answer);
        drop(kept);
        self.count("made");
    }

    fn count(&self, what: &'static str) {
        metrics::counter!("parlour_ahead_total", "kind" => self.kind, "what" => what).increment(1);
    }
}

/// An answer under way; whatever becomes of the work, it is not awaited for ever.
struct Order<T: Clone + Send + 'static> {
    ahead: Arc<Ahead<T>>,
    key: Key,
    answer: Option<T>,
}

impl<T: Clone + Send + 'static> Order<T> {
    fn finish(mut self, answer: Option<T>) {
        self.answer = answer;
    }
}

impl<T: Clone + Send + 'static> Drop for Order<T> {
    fn drop(&mut self) {
        self.ahead.put(self.key, self.answer.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Waits until everything handed in before has been worked on.
    fn settle(pool: &Pool) {
        let (done, finished) = mpsc::channel();
        pool.idle(move || done.send(()).expect("the test listens")).expect("there is room");
        finished.recv().expect("idle time comes");
    }

    #[test]
    fn the_newest_answers_are_kept_and_each_is_made_once() {
        let pool = Pool::new(1, 1);
        let ahead = Arc::new(Ahead::new("test", 2));
        let key = |n: u32| Key::of(&["answer", &n.to_string()]);
        let made = Arc::new(Mutex::new(Vec::new()));
        for n in [1, 1, 2, 3, 3] {
            let made = Arc::clone(&made);
            ahead.make(&pool, key(n), move || {
                made.lock().expect("no panic while held").push(n);
                Some(n)
            });
        }
        settle(&pool);
        assert_eq!(*made.lock().expect("no panic while held"), [1, 2, 3]);
        assert_eq!([1, 2, 3].map(|n| ahead.get(&key(n))), [None, Some(2), Some(3)]);
    }

    #[test]
    fn work_that_comes_to_nothing_may_be_tried_again() {
        let pool = Pool::new(1, 1);
        let ahead = Arc::new(Ahead::new("test", 2));
        let key = Key::of(&["it"]);
        ahead.make(&pool, key, || panic!("on purpose"));
        settle(&pool);
        ahead.make(&pool, key, || None);
        settle(&pool);
        assert_eq!(ahead.get(&key), None);
        ahead.make(&pool, key, || Some(7));
        settle(&pool);
        assert_eq!(ahead.get(&key), Some(7));
    }

    #[test]
    fn keys_of_other_parts_differ() {
        assert_ne!(Key::of(&["ab", "c"]), Key::of(&["a", "bc"]));
        assert_ne!(Key::of(&["a"]), Key::of(&["a", ""]));
    }
}
