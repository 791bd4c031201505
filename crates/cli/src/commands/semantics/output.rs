//! Checks of output files.

use anyhow::bail;
use std::path::Path;

/// Refuses to write over the input file.
pub fn must_differ(from: &Path, to: &Path) -> anyhow::Result<()> {
    if from == to {
        bail!("{}: --out must be another file", to.display());
    }
    Ok(())
}
