//! Opening a language for the players.

use crate::commands::semantics::data as semantics_data;
use anyhow::{Context, Result};
use codenames::Tongue;
use std::path::PathBuf;

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

/// A language with its board words and, where it fits, its matrix of clues.
pub fn tongue(source: &Source) -> Result<Tongue> {
    let data = semantics_data::find(source.data.as_deref())?;
    let language = semantics::Language::open(&data, &source.lang)?;
    let boards = data.join("boards").join(format!("{}.txt", source.lang));
    let boards = std::fs::read_to_string(&boards).with_context(|| format!("{}", boards.display()))?;
    let tongue = Tongue::new(language, &boards);
    let matrix = data.join("codenames").join(format!("{}.matrix", source.lang));
    if let Ok(bytes) = std::fs::read(&matrix)
        && let Err(error) = tongue.use_matrix(&bytes)
    {
        eprintln!("{}: {error}", matrix.display());
    }
    Ok(tongue)
}
