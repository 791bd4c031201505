//! Checks of the tree that no compiler makes: dependencies between crates, the shape of the five games, names of types,
//! lengths of files and functions.

mod dependencies;
mod lengths;
mod names;
mod shape;
mod test_habits;

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const GAMES: &[&str] = &["scrabble", "gomoku", "codenames", "crossword", "homeguard"];

/// Checks everything and reports all faults at once.
pub fn check(root: &Path) -> Result<()> {
    let files = tracked_files(root)?;
    let mut faults = dependencies::faults(root)?;
    faults.extend(lengths::faults(root, &files));
    faults.extend(names::faults(root, &files));
    faults.extend(shape::faults(root, &files));
    faults.extend(test_habits::faults(root, &files));
    ensure!(faults.is_empty(), "the tree is not tidy:\n  {}", faults.join("\n  "));
    Ok(())
}

/// Files under version control that exist in the working tree.
fn tracked_files(root: &Path) -> Result<Vec<PathBuf>> {
    let answer = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("git ls-files")?;
    ensure!(answer.status.success(), "git ls-files failed: {}", String::from_utf8_lossy(&answer.stderr));
    let names = String::from_utf8_lossy(&answer.stdout).into_owned();
    let exists = |file: &PathBuf| root.join(file).is_file();
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).filter(exists).collect())
}

/// The crate that a source file belongs to, by its folder.
fn crate_of(file: &Path) -> Option<&str> {
    let mut parts = file.iter().filter_map(|part| part.to_str());
    match parts.next()? {
        "crates" => parts.next(),
        "xtask" => Some("xtask"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        check(&crate::root()).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn a_file_belongs_to_the_crate_of_its_folder() {
        assert_eq!(crate_of(Path::new("crates/gomoku/src/lib.rs")), Some("gomoku"));
        assert_eq!(crate_of(Path::new("xtask/src/main.rs")), Some("xtask"));
        assert_eq!(crate_of(Path::new("web/src/main.ts")), None);
    }
}
