//! How many of something (connections, requests, sockets) each network address holds at once.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

/// A count per address; an address that holds nothing takes no memory.
pub struct AddressLimit {
    most: usize,
    by_address: Mutex<HashMap<IpAddr, usize>>,
}

/// One that is counted, until it is dropped.
pub struct AddressPermit {
    limit: Arc<AddressLimit>,
    address: IpAddr,
}

/// The address that limits count: one person commands a whole IPv6 /64, so all its addresses count as one.
pub fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

impl AddressLimit {
    /// At most `most` for each address.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, by_address: Mutex::default() })
    }

    /// Counts one more for an address, unless it holds as many as it may.
    pub fn acquire(self: &Arc<Self>, address: IpAddr) -> Option<AddressPermit> {
        let address = counted(address);
        let mut by_address = self.by_address.lock().expect("no panic while held");
        let held = by_address.get(&address).copied().unwrap_or(0);
        if held >= self.most {
            return None;
        }
        by_address.insert(address, held + 1);
        Some(AddressPermit { limit: Arc::clone(self), address })
    }
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut by_address = self.limit.by_address.lock().expect("no panic while held");
        if let Some(held) = by_address.get_mut(&self.address) {
            *held -= 1;
            if *held == 0 {
                by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_permits_and_gives_them_back() {
        let limit = AddressLimit::new(2);
        let [one, other]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let held = [limit.acquire(one), limit.acquire(one)];
        assert!(held.iter().all(Option::is_some));
        assert!(limit.acquire(one).is_none());
        assert!(limit.acquire(other).is_some(), "another address is not held up");
        drop(held);
        assert!(limit.acquire(one).is_some());
        assert!(limit.by_address.lock().unwrap().is_empty(), "no address is remembered");
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_count_as_one() {
        let limit = AddressLimit::new(1);
        let of = |text: &str| limit.acquire(text.parse().expect("an address"));
        let _held = of("2001:db8:1:2::1");
        assert!(of("2001:db8:1:2:ffff::9").is_none());
        assert!(of("2001:db8:1:3::1").is_some());
        assert_eq!(counted("::ffff:10.0.0.1".parse().unwrap()), "10.0.0.1".parse::<IpAddr>().unwrap());
    }
}
