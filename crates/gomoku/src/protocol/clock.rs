//! Time and memory limits as the manager states them.

use std::time::Duration;

use super::InfoKey;
use crate::players::{Clock, Resources};

/// "No limit" in `INFO time_left`.
const UNLIMITED: i64 = i32::MAX as i64;
/// Milliseconds per move where the manager names none.
const USUAL_TURN: i64 = 5_000;
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
}

impl Default for TimeControl {
    fn default() -> Self {
        Self { turn: USUAL_TURN, whole: 0, left: None, used: Duration::ZERO, memory: 0 }
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
        if self.turn <= 0 || left.is_some_and(|left| left <= 100) {
            return Clock { nodes: Some(FAST_NODES), ..Clock::default() };
        }
        let reserve = 30 + (self.turn / 25).min(220);
        let ms = |ms: i64| Duration::from_millis(ms.max(10) as u64);
        Clock { nodes: None, turn: Some(ms(self.turn - reserve)), match_left: left.map(|left| ms(left - reserve)) }
    }

    /// The memory for a player: two thirds of the free memory go to its table, whose size is a power of two.
    pub fn resources(&self) -> Resources {
        let table_mb = if self.memory <= 0 {
            64
        } else {
            // Everything besides the table stays under 100 MiB, weights included.
            let free = self.memory / (1 << 20) - 100;
            (free * 2 / 3).clamp(1, 512) as usize
        };
        Resources { table_mb, threads: 1 }
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
        assert_eq!(turn, Clock { nodes: None, turn: Some(Duration::from_millis(4_770)), match_left: None });
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
