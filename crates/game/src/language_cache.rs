//! Resources of languages, loaded on first use.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

type Load<T> = Box<dyn Fn(&str) -> Result<T, String> + Send + Sync>;

/// The languages of an installation, each loaded on first use and kept.
///
/// ```
/// use game::LanguageCache;
///
/// let cache = LanguageCache::new(vec!["en".into(), "cs".into()], |code| Ok(format!("words of {code}")));
/// assert_eq!(*cache.get("cs").unwrap(), "words of cs");
/// assert_eq!(*cache.by_tag("en-GB").unwrap(), "words of en");
/// assert!(cache.get("pl").is_err());
/// ```
pub struct LanguageCache<T> {
    codes: Vec<String>,
    load: Load<T>,
    loaded: Mutex<BTreeMap<String, Arc<T>>>,
}

impl<T> LanguageCache<T> {
    /// A cache of these languages. `load` reads one.
    pub fn new(codes: Vec<String>, load: impl Fn(&str) -> Result<T, String> + Send + Sync + 'static) -> Self {
        Self { codes, load: Box::new(load), loaded: Mutex::default() }
    }

    /// Codes of the installed languages.
    pub fn codes(&self) -> &[String] {
        &self.codes
    }

    /// A language by its code.
    pub fn get(&self, code: &str) -> Result<Arc<T>, String> {
        if !self.codes.iter().any(|known| known == code) {
            return Err(format!("language {code:?} is not installed here; installed: {}", self.codes.join(", ")));
        }
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(language) = loaded.get(code) {
            return Ok(Arc::clone(language));
        }
        let language = Arc::new((self.load)(code)?);
        loaded.insert(code.to_owned(), Arc::clone(&language));
        Ok(language)
    }

    /// A language by its tag, such as `en-GB`. An empty tag is English.
    pub fn by_tag(&self, tag: &str) -> Result<Arc<T>, String> {
        let code = tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        self.get(if code.is_empty() { "en" } else { &code })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_language_is_loaded_once_and_a_failure_is_tried_again() {
        let loads = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&loads);
        let cache = LanguageCache::new(vec!["en".into()], move |_| match counted.fetch_add(1, Ordering::Relaxed) {
            0 => Err("the file is locked".to_owned()),
            n => Ok(n),
        });
        assert_eq!(cache.get("en").unwrap_err(), "the file is locked");
        assert_eq!((*cache.get("en").unwrap(), *cache.by_tag("").unwrap(), *cache.by_tag("EN_us").unwrap()), (1, 1, 1));
        assert_eq!(loads.load(Ordering::Relaxed), 2);
        assert!(cache.get("xx").unwrap_err().contains("installed: en"));
    }
}
