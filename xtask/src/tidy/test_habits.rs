//! Tests that prove nothing: they sleep, or they time what a busy machine makes slower.

use std::path::{Path, PathBuf};

/// A sleep of at least so many milliseconds waits for something to have happened. Shorter ones poll a condition.
const LONGEST_POLL_MS: u64 = 100;

/// Sleeps that nothing can replace, with their reasons.
const ALLOWED: &[(&str, &str)] =
    &[("crates/server/tests/black_box/retention.rs", "a pause in which no server runs must pass in real time")];

/// Long sleeps and assertions about elapsed time in tests.
pub fn faults(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
        let name = file.display().to_string();
        if ALLOWED.iter().any(|(allowed, _)| *allowed == name) || name.starts_with("xtask/") {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        for (number, line) in test_lines(&name, &text) {
            if let Some(what) = fault(line) {
                faults.push(format!("{name}:{number}: {what}: `{}`", line.trim()));
            }
        }
    }
    faults
}

/// The lines of test code with their numbers: all of a file of tests, else what follows `#[cfg(test)]`.
fn test_lines<'t>(name: &str, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let is_test_file = name.contains("/tests/") || name.ends_with("tests.rs");
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.skip_while(move |(_, line)| !is_test_file && !line.contains("#[cfg(test)]"))
}

fn fault(line: &str) -> Option<&'static str> {
    if line.contains("assert") && line.contains("elapsed() <") && !line.contains("deadline") {
        // limits from ten seconds up end a loop that waits; they do not measure
        let seconds = line.split("from_secs(").nth(1).and_then(|rest| rest.split(')').next()?.parse::<u64>().ok());
        if seconds.is_none_or(|seconds| seconds < 10) {
            return Some("a test that times fails on a busy machine");
        }
    }
    let millis = line.split("sleep(").nth(1)?.split("from_millis(").nth(1)?.split(')').next()?.replace('_', "");
    (millis.parse::<u64>().ok()? >= LONGEST_POLL_MS)
        .then_some("a test that sleeps is slow or proves nothing; poll instead")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sleeps_and_timed_assertions_are_found_and_polls_are_not() {
        assert!(fault("std::thread::sleep(Duration::from_millis(300));").is_some());
        assert!(fault("tokio::time::sleep(Duration::from_millis(1_000)).await;").is_some());
        assert!(fault("std::thread::sleep(Duration::from_millis(20));").is_none());
        assert!(fault("assert!(begun.elapsed() < Duration::from_secs(2));").is_some());
        assert!(fault("assert!(begun.elapsed() < Duration::from_secs(20));").is_none());
        let text = "fn work() {}\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(test_lines("crates/a/src/lib.rs", text).map(|(number, _)| number).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(test_lines("crates/a/tests/b.rs", text).count(), 3);
    }
}
