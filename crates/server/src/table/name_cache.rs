//! A bounded cache of guests' names.

use std::collections::HashMap;
use std::mem;
use std::sync::RwLock;

/// Names in one generation: when the young one is full, the old one is dropped.
const GENERATION: usize = 50_000;

/// The names that were stored or read last, at most two generations of them.
pub struct NameCache {
    generations: RwLock<Generations>,
    most: usize,
}

#[derive(Default)]
struct Generations {
    young: HashMap<String, String>,
    old: HashMap<String, String>,
}

impl Generations {
    fn put(&mut self, guest: &str, name: &str, most: usize) {
        if self.young.len() >= most && !self.young.contains_key(guest) {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(guest.to_owned(), name.to_owned());
    }
}

impl Default for NameCache {
    fn default() -> Self {
        Self { generations: RwLock::default(), most: GENERATION }
    }
}

impl NameCache {
    /// Stores a name.
    pub fn put(&self, guest: &str, name: &str) {
        self.generations.write().expect("no panic while held").put(guest, name, self.most);
    }

    /// Forgets a name.
    pub fn forget(&self, guest: &str) {
        let mut generations = self.generations.write().expect("no panic while held");
        generations.young.remove(guest);
        generations.old.remove(guest);
    }

    /// The name of a guest, if it is cached.
    pub fn get(&self, guest: &str) -> Option<String> {
        let name = {
            let generations = self.generations.read().expect("no panic while held");
            match generations.young.get(guest) {
                Some(name) => return Some(name.clone()),
                None => generations.old.get(guest)?.clone(),
            }
        };
        // A name that is still read stays.
        self.put(guest, &name);
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_use_stay_and_the_rest_is_bounded() {
        let names = NameCache { most: 10, ..NameCache::default() };
        names.put("ada", "Ada");
        for round in 0..100 {
            names.put(&format!("guest{round}"), "CurrentGuest");
            assert_eq!(names.get("ada").as_deref(), Some("Ada"), "asked for in every round");
        }
        let generations = names.generations.read().unwrap();
        assert!(generations.young.len() <= 10 && generations.old.len() <= 10);
        drop(generations);
        assert_eq!(names.get("guest3"), None, "long forgotten");
    }
}
