//! The arguments that select a language, and opening its model.

use crate::commands::semantics::data as semantics_data;
use anyhow::{Context, Result};
use codenames::LanguageModel;
use semantics::assoc::AssocWeights;
use std::path::PathBuf;

/// Language and data folder.
#[derive(clap::Args, Clone)]
pub struct LanguageArgs {
    /// Language: en, cs, pl, sk
    #[arg(long, default_value = "en")]
    pub lang: String,
    /// Folder with the data packs (default: `data` beside the program or in a parent folder)
    #[arg(long)]
    pub data: Option<PathBuf>,
}

/// A language with its board words and, where it fits, its matrix of clues.
pub fn open_language_model(source: &LanguageArgs) -> Result<LanguageModel> {
    let lm = open_with_weights(source, AssocWeights::shipped())?;
    let data = semantics_data::find(source.data.as_deref())?;
    let matrix = data.join("codenames").join(format!("{}.matrix", source.lang));
    if let Ok(bytes) = std::fs::read(&matrix)
        && let Err(error) = lm.use_matrix(&bytes)
    {
        eprintln!("{}: {error}", matrix.display());
    }
    Ok(lm)
}

/// A language with its board words and other weights.
pub fn open_with_weights(source: &LanguageArgs, weights: AssocWeights) -> Result<LanguageModel> {
    let data = semantics_data::find(source.data.as_deref())?;
    let language = semantics::Language::open(&data, &source.lang)?;
    let list = |folder: &str| {
        let path = data.join(folder).join(format!("{}.txt", source.lang));
        std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))
    };
    let readings = semantics::Readings::open(&data, &source.lang).map_err(anyhow::Error::msg)?;
    Ok(LanguageModel::with_weights(language, &list("boards")?, &list("unsaid")?, weights).with_readings(readings))
}
