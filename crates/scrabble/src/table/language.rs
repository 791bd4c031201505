//! A language prepared for play, and the registry that loads languages on demand.

use crate::LeaveModel;
use crate::engine::{PositionalModel, WinModel};
use crate::players::PhaseWeights;
use crate::rules::Dictionary;
use lexicon::Frequencies;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Lexicon and learned values of one language.
pub struct GameLanguage {
    pub code: String,
    pub dictionary: Dictionary,
    pub leaves: LeaveModel,
    pub win: WinModel,
    pub positional: PositionalModel,
    pub frequencies: Frequencies,
    /// Weights of the weighted player with learned letter values, and with Dvořák's functions.
    pub weights: PhaseWeights,
    pub dvorak_weights: PhaseWeights,
}

type Load = Box<dyn Fn(&str) -> Result<GameLanguage, String> + Send + Sync>;

/// The languages of an installation, loaded on first use.
pub struct LanguageRegistry {
    codes: Vec<String>,
    load: Load,
    loaded: Mutex<BTreeMap<String, Arc<GameLanguage>>>,
}

impl LanguageRegistry {
    /// A registry of these languages; `load` reads one.
    pub fn new(
        codes: Vec<String>,
        load: impl Fn(&str) -> Result<GameLanguage, String> + Send + Sync + 'static,
    ) -> Self {
        Self { codes, load: Box::new(load), loaded: Mutex::new(BTreeMap::new()) }
    }

    /// Codes of the languages that can be played.
    pub fn codes(&self) -> &[String] {
        &self.codes
    }

    /// A language by its code.
    pub fn get(&self, code: &str) -> Result<Arc<GameLanguage>, String> {
        if !self.codes.iter().any(|c| c == code) {
            return Err(format!("no language {code:?} here: {}", self.codes.join(", ")));
        }
        let mut loaded = self.loaded.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(language) = loaded.get(code) {
            return Ok(Arc::clone(language));
        }
        let language = Arc::new((self.load)(code)?);
        loaded.insert(code.to_owned(), Arc::clone(&language));
        Ok(language)
    }
}
