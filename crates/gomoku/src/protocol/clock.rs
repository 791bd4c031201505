//! Time and memory limits as the manager states them.

use std::time::Duration;

use super::InfoKey;
use crate::players::{Clock, Resources};

/// "No limit" in `INFO time_left`.
const UNLIMITED: i64 = i32::MAX as i64;
/// Milliseconds per move where the manager names none.
const USUAL_TURN: i64 = 5_000;
/// Most search threads that a manager may ask for.
pub(super) const MAX_THREADS: i64 = 64;
/// Largest table that a manager may ask for, in MiB.
const MAX_TABLE_MB: i64 = 16_384;
/// Nodes of a move at the fastest setting.
const FAST_NODES: u64 = 300;

/// The limits of time and memory from `INFO`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    turn: i64,
    whole: i64,
    left: Option<i64>,
    /// Time used in this match, for managers that state a limit but never the time left.
    used: Duration,
    memory: i64,
    /// Yixin extension: limits of depth and nodes, size of the table in KiB, search threads.
    depth: Option<u32>,
    nodes: Option<u64>,
    hash_kib: Option<i64>,
    threads: usize,
}

impl Default for TimeControl {
    fn default() -> Self {
        Self {
            turn: USUAL_TURN,
            whole: 0,
            left: None,
            used: Duration::ZERO,
            memory: 0,
            depth: None,
            nodes: None,
            hash_kib: None,
            threads: 1,
        }
    }
}

impl TimeControl {
    /// Records a limit.
    pub(super) fn tell(&mut self, info: &InfoKey) {
        match *info {
            InfoKey::TimeoutTurn(ms) => self.turn = ms,
            InfoKey::TimeoutMatch(ms) => self.whole = ms,
            InfoKey::TimeLeft(ms) => self.left = Some(ms),
            InfoKey::MaxMemory(bytes) => self.memory = bytes,
            InfoKey::MaxDepth(plies) => {
                self.depth = u32::try_from(plies).ok().filter(|&plies| (1..100).contains(&plies))
            }
            InfoKey::MaxNode(nodes) => self.nodes = u64::try_from(nodes).ok().filter(|&nodes| nodes > 0),
            InfoKey::HashSize(kib) => self.hash_kib = (kib > 0).then_some(kib),
            InfoKey::ThreadNum(threads) => self.threads = threads.clamp(1, MAX_THREADS) as usize,
            _ => {}
        }
    }

    /// Adds to the time used in this match.
    pub(super) fn spend(&mut self, time: Duration) {
        self.used += time;
    }

    /// Starts a new match.
    pub(super) fn restart(&mut self) {
        self.used = Duration::ZERO;
        self.left = None;
    }

    /// The clock for the next move, with a reserve for the transfer of the answer.
    pub fn clock(&self) -> Clock {
        let left = match self.left {
            Some(UNLIMITED) => None,
            Some(left) => Some(left),
            None if self.whole > 0 => Some(self.whole - self.used.as_millis() as i64),
            None => None,
        };
        let limits = Clock { depth: self.depth, nodes: self.nodes, ..Clock::default() };
        if self.turn <= 0 || left.is_some_and(|left| left <= 100) {
            return Clock { nodes: Some(self.nodes.map_or(FAST_NODES, |nodes| nodes.min(FAST_NODES))), ..limits };
        }
        let reserve = 30 + (self.turn / 25).min(220);
        let ms = |ms: i64| Duration::from_millis(ms.max(10) as u64);
        Clock { turn: Some(ms(self.turn - reserve)), match_left: left.map(|left| ms(left - reserve)), ..limits }
    }

    /// The memory for a player: two thirds of the free memory go to its table, whose size is a power of two.
    pub fn resources(&self) -> Resources {
        let table_mb = if let Some(kib) = self.hash_kib {
            (kib / 1024).clamp(1, MAX_TABLE_MB) as usize
        } else if self.memory <= 0 {
            64
        } else {
            // Everything besides the table stays under 100 MiB, weights included.
            let free = self.memory / (1 << 20) - 100;
            (free * 2 / 3).clamp(1, 512) as usize
        };
        Resources { table_mb, threads: self.threads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(infos: &[InfoKey]) -> Clock {
        let mut time = TimeControl::default();
        for info in infos {
            time.tell(info);
        }
        time.clock()
    }

    #[test]
    fn limits_are_kept_with_a_reserve() {
        let turn = clock(&[InfoKey::TimeoutTurn(5_000), InfoKey::TimeLeft(UNLIMITED)]);
        assert_eq!(turn, Clock { turn: Some(Duration::from_millis(4_770)), ..Clock::default() });
        let short = clock(&[InfoKey::TimeoutTurn(100)]);
        assert_eq!(short.turn, Some(Duration::from_millis(66)));
    }

    #[test]
    fn zero_means_as_fast_as_possible_and_so_does_overdrawn_time() {
        assert_eq!(clock(&[InfoKey::TimeoutTurn(0)]).nodes, Some(FAST_NODES));
        assert_eq!(clock(&[InfoKey::TimeLeft(-5)]).nodes, Some(FAST_NODES));
    }

    #[test]
    fn a_match_limit_alone_is_counted_down() {
        let mut time = TimeControl::default();
        time.tell(&InfoKey::TimeoutMatch(60_000));
        time.spend(Duration::from_secs(59));
        assert_eq!(time.clock().match_left, Some(Duration::from_millis(770)));
        time.restart();
        assert_eq!(time.clock().match_left, Some(Duration::from_millis(59_770)));
    }

    #[test]
    fn memory_limits_shrink_the_table() {
        let table = |bytes| {
            let mut time = TimeControl::default();
            time.tell(&InfoKey::MaxMemory(bytes));
            time.resources().table_mb
        };
        assert_eq!(table(0), 64);
        assert_eq!(table(350 << 20), 166);
        assert_eq!(table(50 << 20), 1);
    }
}
