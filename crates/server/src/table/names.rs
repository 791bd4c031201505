//! What guests are called, within bounds.

use std::collections::HashMap;
use std::mem;
use std::sync::RwLock;

/// Names noted before the elder half is forgotten.
const MOST_OF_ONE_AGE: usize = 50_000;

/// What guests are called: the names last noted or asked for, at most two ages of them.
pub struct Names {
    ages: RwLock<Ages>,
    most: usize,
}

#[derive(Default)]
struct Ages {
    young: HashMap<String, String>,
    old: HashMap<String, String>,
}

impl Ages {
    fn put(&mut self, guest: &str, name: &str, most: usize) {
        if self.young.len() >= most && !self.young.contains_key(guest) {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(guest.to_owned(), name.to_owned());
    }
}

impl Default for Names {
    fn default() -> Self {
        Self { ages: RwLock::default(), most: MOST_OF_ONE_AGE }
    }
}

impl Names {
    /// Notes a name.
    pub fn put(&self, guest: &str, name: &str) {
        self.ages.write().expect("no panic while held").put(guest, name, self.most);
    }

    /// Forgets a name.
    pub fn forget(&self, guest: &str) {
        let mut ages = self.ages.write().expect("no panic while held");
        ages.young.remove(guest);
        ages.old.remove(guest);
    }

    /// The name of a guest, if it is still in mind.
    pub fn get(&self, guest: &str) -> Option<String> {
        let elder = {
            let ages = self.ages.read().expect("no panic while held");
            match ages.young.get(guest) {
                Some(name) => return Some(name.clone()),
                None => ages.old.get(guest)?.clone(),
            }
        };
        // Whoever is still asked for stays.
        self.put(guest, &elder);
        Some(elder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_use_stay_and_the_rest_is_bounded() {
        let names = Names { most: 10, ..Names::default() };
        names.put("ada", "Ada");
        for round in 0..100 {
            names.put(&format!("guest{round}"), "Somebody");
            assert_eq!(names.get("ada").as_deref(), Some("Ada"), "asked for in every round");
        }
        let ages = names.ages.read().unwrap();
        assert!(ages.young.len() <= 10 && ages.old.len() <= 10);
        drop(ages);
        assert_eq!(names.get("guest3"), None, "long forgotten");
    }
}
