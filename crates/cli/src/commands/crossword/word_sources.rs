//! The words and clues of the constructor: clue collection, vocabulary, word lists of the user.

use anyhow::{Context, Result};
use crossword::engine::maker::{ClueCollection, FillWordList, user_words};
use semantics::Language;
use std::path::{Path, PathBuf};

/// Words and clues of one language.
pub struct WordSources {
    pub clues: ClueCollection,
    pub language: Option<Language>,
    pub words: FillWordList,
}

impl WordSources {
    /// Opens the clue collection and the vocabulary of a language, and merges the word lists of the user.
    pub fn open(data: Option<&Path>, lang: &str, lists: &[PathBuf]) -> Result<Self> {
        let folder = crate::commands::semantics::data::find(data)?;
        let path = folder.join("clues").join(format!("{lang}.tsv"));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let clues =
            ClueCollection::parse(lang, &text).map_err(|fault| anyhow::anyhow!("{}: {fault}", path.display()))?;
        let language = Language::open(&folder, lang).ok();
        let words = FillWordList::with_user_words(&clues, language.as_ref(), &read_lists(lists)?);
        Ok(Self { clues, language, words })
    }
}

/// Reads word lists of WORD;SCORE lines; later lists override earlier ones.
pub fn read_lists(paths: &[PathBuf]) -> Result<Vec<(String, f32)>> {
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        all.extend(user_words(&text).with_context(|| path.display().to_string())?);
    }
    Ok(all)
}
