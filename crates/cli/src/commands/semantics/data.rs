//! Where the data packs are.

use anyhow::bail;
use std::path::{Path, PathBuf};

/// The data folder: the one given, or `data` beside the program or in a folder above it, or above
/// the working directory.
pub fn find(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(given) = given {
        if !given.join("semantics").is_dir() {
            bail!("{}: has no folder `semantics` with language packs", given.display());
        }
        return Ok(given.to_owned());
    }
    let program = std::env::current_exe()?;
    let here = std::env::current_dir()?;
    let above = program.ancestors().skip(1).chain(here.ancestors());
    for folder in above.map(|f| f.join("data")) {
        if folder.join("semantics").is_dir() {
            return Ok(folder);
        }
    }
    bail!(
        "no folder data/semantics beside the program or above it; name one with --data, or build it with `cargo xtask data semantics`"
    )
}
