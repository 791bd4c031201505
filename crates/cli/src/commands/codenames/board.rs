//! Reading a board file.

use anyhow::{Context, Result};
use codenames::formats::BoardFile;
use std::path::Path;

/// Reads a board as JSON.
pub fn read_board(path: &Path) -> Result<BoardFile> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{}", path.display()))
}
