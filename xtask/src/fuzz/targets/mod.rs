//! Everything that reads what comes from outside, in one list.

mod crossword;
mod gomoku;
mod homeguard;
mod meaning;
mod server;
mod services;
mod words;

use super::FuzzTarget;

/// All targets.
pub fn all() -> Vec<FuzzTarget> {
    [
        gomoku::targets(),
        words::targets(),
        meaning::targets(),
        crossword::targets(),
        homeguard::targets(),
        services::targets(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A target that has nothing to prepare.
macro_rules! target {
    ($name:literal, $about:literal, $seeds:expr, $read:expr) => {
        crate::fuzz::FuzzTarget { name: $name, about: $about, seeds: || $seeds, reader: || Box::new($read) }
    };
}
use target;

/// Good texts as inputs.
fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// The outcome of reading: what was wrong, or how much was read.
fn told<T, E: std::fmt::Display>(result: Result<T, E>, size: impl FnOnce(&T) -> usize) -> String {
    match result {
        Ok(value) => format!("read {}", ["nothing", "little", "some", "much"][size(&value).min(3)]),
        Err(error) => error.to_string(),
    }
}

/// Bytes as text, whatever they are.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
