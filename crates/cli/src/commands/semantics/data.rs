//! Where the data packs are.

use anyhow::{Context, Error, Result};
use std::path::{Path, PathBuf};

/// The data folder with language packs: the one given, or the nearest.
pub fn find(given: Option<&Path>) -> Result<PathBuf> {
    catalog::data::find_with(given, "semantics").map_err(Error::msg)?.context(
        "no folder data/semantics beside the program or above it; name one with --data, or build it with `cargo xtask data semantics`",
    )
}
