//! Opening a language for the players.

use anyhow::{Context, Result, bail};
use codenames::Tongue;
use std::path::{Path, PathBuf};

/// Where the data is and which language is meant.
#[derive(clap::Args, Clone)]
pub struct Source {
    /// Language: en, cs, pl, sk
    #[arg(long, default_value = "en")]
    pub lang: String,
    /// Folder with the data packs; sought beside the program and above it if not given
    #[arg(long)]
    pub data: Option<PathBuf>,
}

/// The data folder.
pub fn folder(explicit: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = explicit {
        return if path.is_dir() {
            Ok(path.to_owned())
        } else {
            bail!("--data {}: there is no such folder", path.display())
        };
    }
    let binary = std::env::current_exe().ok();
    let here = std::env::current_dir().ok();
    let starts = [binary.as_deref().and_then(Path::parent), here.as_deref()];
    let found = starts
        .into_iter()
        .flatten()
        .flat_map(Path::ancestors)
        .map(|f| f.join("data"))
        .find(|p| p.join("semantics").is_dir());
    found.context("no data folder with semantics/ beside the program or above it; name it with --data")
}

/// A language with its board words and, where it fits, its matrix of clues.
pub fn tongue(source: &Source) -> Result<Tongue> {
    let data = folder(source.data.as_deref())?;
    let language = semantics::Language::open(&data, &source.lang)?;
    let boards = data.join("boards").join(format!("{}.txt", source.lang));
    let boards = std::fs::read_to_string(&boards).with_context(|| format!("{}", boards.display()))?;
    let mut tongue = Tongue::new(language, &boards);
    let matrix = data.join("codenames").join(format!("{}.matrix", source.lang));
    if let Ok(bytes) = std::fs::read(&matrix)
        && let Err(error) = tongue.use_matrix(&bytes)
    {
        eprintln!("{}: {error}", matrix.display());
    }
    Ok(tongue)
}
