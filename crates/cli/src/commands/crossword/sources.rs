//! The options that name the solver's knowledge sources, and opening them.

use anyhow::{Context, Result};
use crossword::engine::clue_database::ClueDatabase;
use crossword::engine::solver::Knowledge;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options that name the knowledge sources of the solver.
#[derive(clap::Args)]
pub struct SolverSources {
    /// Language of clues and answers: en, cs, pl or sk
    #[arg(long, default_value = "en")]
    lang: String,
    /// Clue database made by `import-clues`
    #[arg(long, value_name = "DB", alias = "memory")]
    clue_database: Option<PathBuf>,
    /// Word list of the user, lines of WORD;SCORE with scores 0 to 100; may be repeated
    #[arg(long, value_name = "FILE")]
    words: Vec<PathBuf>,
    /// Data folder; the nearest `data` if absent
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Opened sources.
pub struct Opened {
    pub language: semantics::Language,
    database: Option<ClueDatabase>,
    lists: Vec<crossword::engine::solver::WordList>,
    names: Option<crossword::engine::solver::NameIndex>,
}

impl Opened {
    /// The solver's knowledge, with a scorer of the language.
    pub fn knowledge<'a>(&'a self, scorer: &'a semantics::ClueScorer<'a>) -> Knowledge<'a> {
        Knowledge::new(scorer, self.database.as_ref(), &self.lists).with_names(self.names.as_ref())
    }
}

impl SolverSources {
    pub fn open(&self) -> Result<Opened> {
        let folder = crate::commands::semantics::data::find(self.data.as_deref())?;
        let language = semantics::Language::open(&folder, &self.lang)?;
        let database = self.clue_database.as_deref().map(open_database).transpose()?;
        let lists = self
            .words
            .iter()
            .map(|path| {
                let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
                crossword::engine::solver::WordList::parse(&text)
                    .map_err(|fault| anyhow::anyhow!("{}: {fault}", path.display()))
            })
            .collect::<Result<_>>()?;
        let names = catalog::crossword_names(&folder, &language).map_err(anyhow::Error::msg)?;
        Ok(Opened { language, database, lists, names })
    }
}

pub fn open_database(path: &Path) -> Result<ClueDatabase> {
    let file = std::fs::File::open(path).with_context(|| format!("{}: cannot be opened", path.display()))?;
    // SAFETY: the file is only read; whoever changes it under us gets wrong answers or an error, as with every map.
    let map = unsafe { memmap2::Mmap::map(&file) }.with_context(|| format!("{}: cannot be mapped", path.display()))?;
    ClueDatabase::open(Arc::new(map)).with_context(|| path.display().to_string())
}
