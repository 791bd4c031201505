//! Opening a language for the players.

use crate::commands::semantics::data as semantics_data;
use anyhow::{Context, Result};
use codenames::Tongue;
use semantics::assoc::Weights;
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
    let tongue = tongue_with(source, Weights::shipped())?;
    let data = semantics_data::find(source.data.as_deref())?;
    let matrix = data.join("codenames").join(format!("{}.matrix", source.lang));
    if let Ok(bytes) = std::fs::read(&matrix)
        && let Err(error) = tongue.use_matrix(&bytes)
    {
        eprintln!("{}: {error}", matrix.display());
    }
    Ok(tongue)
}

/// A language with its board words and weights of one's own.
pub fn tongue_with(source: &Source, weights: Weights) -> Result<Tongue> {
    let data = semantics_data::find(source.data.as_deref())?;
    let language = semantics::Language::open(&data, &source.lang)?;
    let list = |folder: &str| {
        let path = data.join(folder).join(format!("{}.txt", source.lang));
        std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))
    };
    let readings = semantics::Readings::open(&data, &source.lang).map_err(anyhow::Error::msg)?;
    Ok(Tongue::with_weights(language, &list("boards")?, &list("unsaid")?, weights).with_readings(readings))
}
