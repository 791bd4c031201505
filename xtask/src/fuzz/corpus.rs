//! Inputs that are kept: one file each, named after its content.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Inputs of one target at most; corpora are kept in the repository.
pub const MOST: usize = 16;
/// A longer input is not kept.
pub const LONGEST: usize = 4096;

/// Where the corpus of a target is.
pub fn folder(root: &Path, target: &str) -> PathBuf {
    root.join("fixtures/fuzz").join(target)
}

/// All inputs, in the order of their names.
pub fn read(folder: &Path) -> Result<Vec<Vec<u8>>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let whole = |path: &PathBuf| std::fs::read(path).with_context(|| path.display().to_string());
    paths.iter().filter(|path| path.is_file()).map(whole).collect()
}

/// The name of an input: FNV-1a of its bytes, which is enough to tell some dozens of files apart.
pub fn name(input: &[u8]) -> String {
    let hash = input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// Keeps an input; `prefix` tells those that did harm from the others.
pub fn keep(folder: &Path, prefix: &str, input: &[u8]) -> Result<PathBuf> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let path = folder.join(format!("{prefix}{}", name(input)));
    let part = folder.join(format!("{}.tmp", name(input)));
    std::fs::write(&part, input).with_context(|| part.display().to_string())?;
    std::fs::rename(&part, &path).with_context(|| path.display().to_string())?;
    Ok(path)
}
