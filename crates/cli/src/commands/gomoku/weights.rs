//! The shipped weights, sought beside the program and in the folders above it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use gomoku::engine::Evaluation;
use gomoku::net::Net;
use gomoku::rules::Rule;

/// The net trained for a rule if one is at hand, else patterns.
pub fn evaluation(rule: Rule) -> Result<Evaluation> {
    match find(rule) {
        Some(path) => Ok(Evaluation::Net(Arc::new(load(&path)?))),
        None => Ok(Evaluation::Pattern),
    }
}

/// Reads a net.
pub fn load(path: &Path) -> Result<Net> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Net::from_bytes(&bytes).with_context(|| path.display().to_string())
}

/// `data/gomoku/<rule>.net` beside the binary, then up its parent folders, then below the working folder.
fn find(rule: Rule) -> Option<PathBuf> {
    let file = Path::new("data/gomoku").join(format!("{rule}.net"));
    let program = std::env::current_exe().ok().and_then(|p| p.canonicalize().ok());
    let folders = program.iter().flat_map(|p| p.ancestors().skip(1).map(Path::to_owned));
    let working = std::env::current_dir().ok();
    folders.chain(working).map(|folder| folder.join(&file)).find(|path| path.is_file())
}
