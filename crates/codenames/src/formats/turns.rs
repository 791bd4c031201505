//! Turns of people: what was said, what lay open, what was meant and what was taken.

use serde::{Deserialize, Serialize};

/// One human turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    #[serde(rename = "hint", alias = "clue")]
    pub clue: String,
    pub board: Vec<String>,
    #[serde(default)]
    pub guesses: Vec<String>,
    #[serde(default)]
    pub targets: Vec<String>,
    /// The number that was said; by default as many as were meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
}

impl TurnRecord {
    /// How many words the clue was for.
    pub fn count(&self) -> u8 {
        self.number.unwrap_or(self.targets.len().clamp(1, 9) as u8)
    }
}

/// Reads JSON lines with `hint`, `board`, `guesses`, `targets`, or `.cnwa` (three columns with tabs).
pub fn read_turns(text: &str) -> Result<Vec<TurnRecord>, String> {
    let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
    if !first.trim_start().starts_with('{') {
        return super::read_cnwa(text);
    }
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).map_err(|e| format!("line {}: {e}", at + 1))).collect()
}
