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

/// A judgement as it is written on the command line: `pattern` or `net=FILE`.
pub fn named(text: &str) -> Result<Evaluation> {
    Ok(match text.split_once('=') {
        None if text == "pattern" => Evaluation::Pattern,
        Some(("net", file)) => Evaluation::Net(Arc::new(load(Path::new(file))?)),
        _ => anyhow::bail!("{text:?}: `pattern` and `net=FILE` can judge"),
    })
}

/// `gomoku/<rule>.net` in the nearest data folder that has it.
pub fn find(rule: Rule) -> Option<PathBuf> {
    let file = Path::new("gomoku").join(format!("{rule}.net"));
    let folder = catalog::data::find_with(None, &file).ok()??;
    Some(folder.join(file))
}
