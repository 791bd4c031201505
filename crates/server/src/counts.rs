//! How many of something each address has at once.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

/// Counts by address; an address that has none takes no room.
pub struct Counts {
    most: usize,
    by_address: Mutex<HashMap<IpAddr, usize>>,
}

/// One that is counted, until it is dropped.
pub struct Counted {
    counts: Arc<Counts>,
    address: IpAddr,
}

impl Counts {
    /// At most `most` for each address.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, by_address: Mutex::default() })
    }

    /// Counts one more for an address, unless it has as many as it may.
    pub fn one_more(self: &Arc<Self>, address: IpAddr) -> Option<Counted> {
        let mut by_address = self.by_address.lock().expect("no panic while held");
        let has = by_address.entry(address).or_insert(0);
        if *has >= self.most {
            if self.most == 0 {
                by_address.remove(&address);
            }
            return None;
        }
        *has += 1;
        Some(Counted { counts: Arc::clone(self), address })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut by_address = self.counts.by_address.lock().expect("no panic while held");
        if let Some(has) = by_address.get_mut(&self.address) {
            *has -= 1;
            if *has == 0 {
                by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_places_and_gives_them_back() {
        let counts = Counts::new(2);
        let [one, other]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let held = [counts.one_more(one), counts.one_more(one)];
        assert!(held.iter().all(Option::is_some));
        assert!(counts.one_more(one).is_none());
        assert!(counts.one_more(other).is_some(), "another address is not held up");
        drop(held);
        assert!(counts.one_more(one).is_some());
        assert!(counts.by_address.lock().unwrap().is_empty(), "nobody is remembered");
    }
}
