//! Accepts fresh golden files (`*.new`) that tests wrote beside the expected ones.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Moves every `*.new` under `fixtures/` and `docs/` over the file it replaces.
pub fn accept(root: &Path) -> Result<()> {
    let mut accepted = 0;
    let mut folders = vec![root.join("fixtures"), root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "new") {
                let target = path.with_extension("");
                fs::rename(&path, &target)?;
                println!("accepted {}", target.display());
                accepted += 1;
            }
        }
    }
    println!("{accepted} golden files accepted");
    Ok(())
}
