//! Writing a file so that it is never seen half written.

use anyhow::{Context, Result};
use std::path::Path;

/// Writes beside the file, then renames.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let part = path.with_extension("part");
    std::fs::write(&part, bytes).with_context(|| format!("{}", part.display()))?;
    std::fs::rename(&part, path).with_context(|| format!("{}", path.display()))
}
