//! The arguments of homonym splitting, shared by `split` and `eval senses`.

use semantics::corpus::senses::SplitSettings;
use semantics::{Language, WordFlags};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct SenseArgs {
    /// The corpus: one sentence a line
    pub corpus: PathBuf,
    /// Do not split words with fewer occurrences
    #[arg(long, default_value_t = SplitSettings::default().least)]
    least: u64,
    /// Contexts sampled per word
    #[arg(long, default_value_t = SplitSettings::default().contexts)]
    contexts: usize,
    /// Size of a context, in words on either side
    #[arg(long, default_value_t = SplitSettings::default().window)]
    window: usize,
    /// Largest cosine between the two clusters of contexts
    #[arg(long, default_value_t = SplitSettings::default().likeness)]
    likeness: f32,
    /// Memory limit, in MB
    #[arg(long, default_value_t = 512)]
    memory: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl SenseArgs {
    pub fn settings(&self) -> SplitSettings {
        SplitSettings {
            least: self.least,
            contexts: self.contexts,
            window: self.window,
            likeness: self.likeness,
            memory: self.memory.saturating_mul(1_000_000),
            seed: self.seed,
            ..SplitSettings::default()
        }
    }
}

/// The vector of a word form, if it has one of its own.
pub fn vector(language: &Language, word: &str) -> Option<Vec<f32>> {
    let id = language.find_form(word)?;
    language.vectors().has(id).then(|| language.vectors().get(id))
}

pub fn is_function_word(language: &Language, word: &str) -> bool {
    language.find_form(word).is_some_and(|id| language.words().flags(id).has(WordFlags::STOP))
}
