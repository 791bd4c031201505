//! Language resources of the game, opened on first use.

use crate::engine::clue_database::ClueDatabase;
use crate::engine::maker::{self, ClueCollection, ConstructionError, ConstructionRequest, FillWordList};
use crate::engine::solver::{Knowledge, KnowledgeCache, NameIndex, WordList};
use crate::rules::Puzzle;
use semantics::clue::{ClueIndex, ClueWeights};
use semantics::{ClueScorer, Language};
use std::sync::{Arc, OnceLock};

/// The resources of one language for solver and maker.
pub struct LanguageResources {
    language: Language,
    index: Arc<ClueIndex>,
    database: Option<ClueDatabase>,
    lists: Vec<WordList>,
    names: Option<NameIndex>,
    book: ClueCollection,
    words: OnceLock<FillWordList>,
    cache: Arc<KnowledgeCache>,
}

impl LanguageResources {
    /// A language with an optional clue database and word lists for solving, and a clue collection for making.
    pub fn new(language: Language, database: Option<ClueDatabase>, lists: Vec<WordList>, book: ClueCollection) -> Self {
        let index = Arc::new(ClueIndex::new(&language, &ClueWeights::shipped()));
        Self { language, index, database, lists, names: None, book, words: OnceLock::new(), cache: Arc::default() }
    }

    /// Adds names and phrases outside the vocabulary.
    pub fn with_names(mut self, names: Option<NameIndex>) -> Self {
        self.names = names;
        self.cache = Arc::default();
        self
    }

    /// Makes a puzzle from the clue collection and the words of the language.
    pub fn make(&self, request: &ConstructionRequest) -> Result<Puzzle, ConstructionError> {
        let words = self.words.get_or_init(|| FillWordList::new(&self.book, Some(&self.language)));
        maker::make(request, &self.book, words, Some(&self.language))
    }

    pub fn language(&self) -> &Language {
        &self.language
    }

    /// Lends the solver's knowledge to `use_it`.
    pub fn with_knowledge<R>(&self, use_it: impl FnOnce(&Knowledge<'_>) -> R) -> R {
        let scorer = ClueScorer::with_index(&self.language, Arc::clone(&self.index));
        let knowledge = Knowledge::new(&scorer, self.database.as_ref(), &self.lists).with_names(self.names.as_ref());
        use_it(&knowledge.with_cache(&self.cache))
    }
}

/// Languages by code, each opened on first use.
pub type LanguageResourceCache = game::LanguageCache<LanguageResources>;
