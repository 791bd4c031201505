//! A language ready for play, and the shelf that languages are taken from when a table needs them.

use crate::LeaveModel;
use crate::players::{Outlook, Weights, WinModel};
use crate::rules::Dictionary;
use lexicon::Frequencies;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Everything the game knows about one language.
pub struct Language {
    pub code: String,
    pub dictionary: Dictionary,
    pub leaves: LeaveModel,
    pub win: WinModel,
    /// Learned prices of what a turn does to the turns after it.
    pub outlook: Outlook,
    pub frequencies: Frequencies,
    pub weights: Weights,
}

type Load = Box<dyn Fn(&str) -> Result<Language, String> + Send + Sync>;

/// The languages of an installation, loaded when they are first asked for.
pub struct Languages {
    codes: Vec<String>,
    load: Load,
    loaded: Mutex<BTreeMap<String, Arc<Language>>>,
}

impl Languages {
    /// A shelf with these languages; `load` reads one.
    pub fn new(codes: Vec<String>, load: impl Fn(&str) -> Result<Language, String> + Send + Sync + 'static) -> Self {
        Self { codes, load: Box::new(load), loaded: Mutex::new(BTreeMap::new()) }
    }

    /// Codes of the languages that can be played.
    pub fn codes(&self) -> &[String] {
        &self.codes
    }

    /// A language by its code.
    pub fn get(&self, code: &str) -> Result<Arc<Language>, String> {
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
