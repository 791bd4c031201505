//! Finds the shipped nets beside the program or in a folder above it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use gomoku::engine::Evaluation;
use gomoku::engine::net::Net;
use gomoku::rules::Rule;

/// The shipped net for a rule if there is one, else patterns.
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

/// An evaluation as written on the command line: `pattern` or `net=FILE`.
pub fn named(text: &str) -> Result<Evaluation> {
    Ok(match text.split_once('=') {
        None if text == "pattern" => Evaluation::Pattern,
        Some(("net", file)) => Evaluation::Net(Arc::new(load(Path::new(file))?)),
        _ => anyhow::bail!("{text:?} is no evaluation; write `pattern` or `net=FILE`"),
    })
}

/// `gomoku/<rule>.net` in the nearest data folder that has it.
pub fn find(rule: Rule) -> Option<PathBuf> {
    let file = Path::new("gomoku").join(format!("{rule}.net"));
    let folder = catalog::data::find_with(None, &file).ok()??;
    Some(folder.join(file))
}
