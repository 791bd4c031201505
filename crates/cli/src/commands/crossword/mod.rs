//! `parlour crossword`: solve from the clues, look up single clues, import a memory, convert and measure.

mod clue;
mod convert;
mod eval;
mod fit;
mod import_clues;
mod known;
mod lab;
mod make;
mod originality;
mod print;
mod puzzles;
mod recall;
mod solve;
mod tune;

use anyhow::{Context, Result};
use clap::Subcommand;
use crossword::memory::ClueMemory;
use crossword::solver::Knowledge;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fill a puzzle from its clues
    Solve(solve::Args),
    /// Answers to one clue
    Clue(clue::Args),
    /// Make a clue memory from answer–clue pairs
    ImportClues(import_clues::Args),
    /// Change a puzzle's file format
    Convert(convert::Args),
    /// Put a puzzle on paper: grid and clues as SVG or PDF
    Print(print::Args),
    /// Solve puzzles whose solutions are known and count what is right
    Eval(eval::Args),
    /// The study's tables for given puzzles
    Lab(lab::Args),
    /// Make a puzzle: a symmetric grid, words, clues
    Make(make::Args),
    /// Compare clue books and association lexicons with evaluation data; fails on a pair that is the same
    Originality(originality::Args),
    /// Fit the weights of the evidence to puzzles whose solutions are known
    Fit(fit::Args),
    /// How often each kind of evidence finds the answers of clues
    Recall(recall::Args),
    /// Choose sharpness and chances of a calibration by solving puzzles whose solutions are known
    Tune(tune::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Solve(args) => solve::run(args),
        Command::Clue(args) => clue::run(args),
        Command::ImportClues(args) => import_clues::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Print(args) => print::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Make(args) => make::run(args),
        Command::Originality(args) => originality::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Recall(args) => recall::run(args),
        Command::Tune(args) => tune::run(args),
    }
}

/// What the solver may use, as options of a command.
#[derive(clap::Args)]
struct Sources {
    /// Language of clues and answers
    #[arg(long, default_value = "en")]
    lang: String,
    /// Clue memory made by `import-clues`
    #[arg(long, value_name = "DB")]
    memory: Option<PathBuf>,
    /// Further word lists, lines of WORD;SCORE
    #[arg(long, value_name = "FILE")]
    words: Vec<PathBuf>,
    /// Folder with the language packs
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Sources that are open.
struct Opened {
    language: semantics::Language,
    memory: Option<ClueMemory>,
    lists: Vec<crossword::solver::WordList>,
    names: Option<crossword::solver::Names>,
}

impl Opened {
    /// What the solver may use, with a scorer of the language.
    fn knowledge<'a>(&'a self, scorer: &'a semantics::ClueScorer<'a>) -> Knowledge<'a> {
        Knowledge::new(scorer, self.memory.as_ref(), &self.lists).with_names(self.names.as_ref())
    }
}

impl Sources {
    fn open(&self) -> Result<Opened> {
        let folder = super::semantics::data::find(self.data.as_deref())?;
        let language = semantics::Language::open(&folder, &self.lang)?;
        let memory = self.memory.as_deref().map(open_memory).transpose()?;
        let lists = self
            .words
            .iter()
            .map(|path| {
                let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
                crossword::solver::WordList::parse(&text)
                    .map_err(|fault| anyhow::anyhow!("{}: {fault}", path.display()))
            })
            .collect::<Result<_>>()?;
        let names = catalog::crossword_names(&folder, &language).map_err(anyhow::Error::msg)?;
        Ok(Opened { language, memory, lists, names })
    }
}

fn open_memory(path: &Path) -> Result<ClueMemory> {
    let file = std::fs::File::open(path).with_context(|| format!("{}: cannot be opened", path.display()))?;
    // SAFETY: the file is only read; whoever changes it under us gets wrong answers or an error, as with every map.
    let map = unsafe { memmap2::Mmap::map(&file) }.with_context(|| format!("{}: cannot be mapped", path.display()))?;
    ClueMemory::open(Arc::new(map)).with_context(|| path.display().to_string())
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let fresh = path.with_added_extension("tmp");
    std::fs::write(&fresh, bytes).with_context(|| fresh.display().to_string())?;
    std::fs::rename(&fresh, path).with_context(|| path.display().to_string())
}
