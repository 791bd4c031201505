//! The progress line of a long command.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Least time between two updates.
const INTERVAL: Duration = Duration::from_millis(500);

/// Writes progress, rate and time left to standard error, if that is a terminal.
pub struct ProgressLine {
    started: Instant,
    updated: Instant,
    shown: bool,
}

impl ProgressLine {
    /// Starts the clock; with `json` nothing is shown.
    pub fn new(json: bool) -> ProgressLine {
        let now = Instant::now();
        ProgressLine { started: now, updated: now, shown: !json && std::io::stderr().is_terminal() }
    }

    /// Shows that `done` of `all` units are finished.
    pub fn update(&mut self, done: u64, all: u64, unit: &str, more: &str) {
        if !self.shown || self.updated.elapsed() < INTERVAL || done == 0 {
            return;
        }
        self.updated = Instant::now();
        let seconds = self.started.elapsed().as_secs_f64();
        let left = seconds * (all.saturating_sub(done)) as f64 / done as f64;
        eprint!(
            "\r{:5.1}%  {:.0} {unit}/s  {left:.0} s left{more}   ",
            100.0 * done as f64 / all.max(1) as f64,
            done as f64 / seconds
        );
    }

    /// Ends the line and returns the elapsed time in seconds.
    pub fn finish(&self) -> f64 {
        if self.shown {
            eprintln!();
        }
        self.started.elapsed().as_secs_f64()
    }
}
