//! What the game is handed: shipped puzzles, and the languages it knows, opened when they are first needed.

use crate::maker::{self, Bank, ClueBook, MakeError, Wish};
use crate::memory::ClueMemory;
use crate::puzzle::Puzzle;
use crate::solver::{Knowledge, Names, WordList};
use semantics::clue::{ClueIndex, ClueWeights};
use semantics::{ClueScorer, Language};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A puzzle that comes with the program.
#[derive(Clone, Debug)]
pub struct Shipped {
    /// Language and name, such as `en/01`.
    pub id: String,
    /// 1 easy, 2 medium, 3 hard.
    pub difficulty: u8,
    pub puzzle: Arc<Puzzle>,
}

/// The shipped puzzles by their ids.
#[derive(Clone, Debug, Default)]
pub struct Library(BTreeMap<String, Shipped>);

impl Library {
    /// A library of puzzles; `texts` are ids and ipuz texts.
    pub fn read<'t>(texts: impl IntoIterator<Item = (String, &'t str)>) -> Result<Self, String> {
        let mut library = Self::default();
        for (id, text) in texts {
            let puzzle = crate::formats::ipuz::read(text).map_err(|fault| format!("{id}: {fault}"))?;
            let difficulty = match puzzle.extras.get("difficulty").and_then(serde_json::Value::as_str) {
                Some("easy") => 1,
                Some("hard") => 3,
                _ => 2,
            };
            library.0.insert(id.clone(), Shipped { id, difficulty, puzzle: Arc::new(puzzle) });
        }
        Ok(library)
    }

    /// A puzzle by its id.
    pub fn get(&self, id: &str) -> Option<&Shipped> {
        self.0.get(id)
    }

    /// All puzzles, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Shipped> {
        self.0.values()
    }
}

/// One language with everything the solver may use of it.
pub struct Tongue {
    language: Language,
    index: Arc<ClueIndex>,
    memory: Option<ClueMemory>,
    lists: Vec<WordList>,
    names: Option<Names>,
    book: ClueBook,
    bank: OnceLock<Bank>,
}

impl Tongue {
    /// A language with what may be known besides: a clue memory and word lists for solving, a clue book for making.
    pub fn new(language: Language, memory: Option<ClueMemory>, lists: Vec<WordList>, book: ClueBook) -> Self {
        let index = Arc::new(ClueIndex::new(&language, &ClueWeights::shipped()));
        Self { language, index, memory, lists, names: None, book, bank: OnceLock::new() }
    }

    /// Adds names and phrases beyond the vocabulary.
    pub fn with_names(mut self, names: Option<Names>) -> Self {
        self.names = names;
        self
    }

    /// Makes a puzzle from the clue book and the words of the language.
    pub fn make(&self, wish: &Wish) -> Result<Puzzle, MakeError> {
        let bank = self.bank.get_or_init(|| Bank::new(&self.book, Some(&self.language)));
        maker::make(wish, &self.book, bank, Some(&self.language))
    }

    pub fn language(&self) -> &Language {
        &self.language
    }

    /// Lends what the solver uses.
    pub fn with_knowledge<R>(&self, use_it: impl FnOnce(&Knowledge<'_>) -> R) -> R {
        let scorer = ClueScorer::with_index(&self.language, Arc::clone(&self.index));
        use_it(&Knowledge::new(&scorer, self.memory.as_ref(), &self.lists).with_names(self.names.as_ref()))
    }
}

type Open = Box<dyn Fn(&str) -> Result<Tongue, String> + Send + Sync>;

/// The languages, each opened when it is first asked for.
pub struct Shelf {
    codes: Vec<String>,
    open: Open,
    opened: Mutex<BTreeMap<String, Arc<Tongue>>>,
}

impl Shelf {
    /// A shelf with these languages; `open` reads one.
    pub fn new(codes: Vec<String>, open: impl Fn(&str) -> Result<Tongue, String> + Send + Sync + 'static) -> Self {
        Self { codes, open: Box::new(open), opened: Mutex::default() }
    }

    /// Codes of the languages that can be opened.
    pub fn codes(&self) -> &[String] {
        &self.codes
    }

    /// A language by its tag (`en`, `en-GB`; English where a puzzle does not say).
    pub fn get(&self, tag: &str) -> Result<Arc<Tongue>, String> {
        let code = tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        let code = if code.is_empty() { "en" } else { code.as_str() };
        if !self.codes.iter().any(|known| known == code) {
            return Err(format!("nothing is known of the language {code:?} here, only of {}", self.codes.join(", ")));
        }
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tongue) = opened.get(code) {
            return Ok(Arc::clone(tongue));
        }
        let tongue = Arc::new((self.open)(code)?);
        opened.insert(code.to_owned(), Arc::clone(&tongue));
        Ok(tongue)
    }
}
