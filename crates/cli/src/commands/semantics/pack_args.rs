//! The arguments that select a language's packs.

use super::data;
use semantics::Language;
use std::path::PathBuf;

/// Language, data folder and output format.
#[derive(clap::Args)]
pub struct PackArgs {
    /// Language: en, cs, pl, sk
    #[arg(long, default_value = "en", global = true)]
    pub lang: String,
    /// Folder with the data packs (default: `data` beside the program or in a parent folder)
    #[arg(long, global = true)]
    pub data: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

impl PackArgs {
    /// Opens the language.
    pub fn open(&self) -> anyhow::Result<Language> {
        let data = data::find(self.data.as_deref())?;
        Ok(Language::open(&data, &self.lang)?)
    }
}
