//! `parlour crossword fit`: fits the evidence weights on puzzles and clue collections with known answers.

use super::{SolverSources, solved_clues};
use ::lab::crossword::fit::{SolvedClue, american, evidence, meaning};
use anyhow::{Context, Result};
use crossword::engine::solver::{FEATURES, GenreWeights};
use semantics::clue::ClueWeights;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions (JSON lines, also gzipped, or puzzle files) or clue collections (.tsv)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Fit the weights of word meaning instead of all evidence
    #[arg(long)]
    meaning: bool,
    /// Fit the weights of word meaning and names in American puzzles
    #[arg(long, conflicts_with = "meaning")]
    american: bool,
    /// File with the weights of word meaning in American puzzles
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Exclude the puzzles that `eval --sample N --seed S` tests on
    #[arg(long, value_name = "N", default_value_t = 0)]
    except_sample: usize,
    /// Use only the first N of the remaining puzzles of a file
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    first: usize,
    /// Number of clues per file
    #[arg(long, default_value_t = 1500)]
    clues: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sources: SolverSources,
}

pub fn run(args: Args) -> Result<()> {
    let mut clues: Vec<SolvedClue> = Vec::new();
    for path in &args.paths {
        let part = solved_clues::PuzzleSelection::ExceptSample { sample: args.except_sample, first: args.first };
        let here = solved_clues::read(path, part, args.clues, args.seed)?;
        clues.extend(here);
    }
    let opened = args.sources.open()?;
    let shipped = ClueWeights::shipped();
    let scorer = semantics::ClueScorer::new(&opened.language);
    if args.meaning {
        let weights = meaning(&scorer, &shipped.ordered(), &clues, args.seed);
        let named: serde_json::Map<_, _> = semantics::clue::FEATURES
            .iter()
            .zip(&weights)
            .map(|(name, weight)| (name.to_string(), json!(weight)))
            .collect();
        println!("{}", json!({"clues": clues.len(), "weights": named}));
        return Ok(());
    }
    let mut knowledge = opened.knowledge(&scorer);
    let mut weights = GenreWeights::american();
    if let Some(path) = &args.weights {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        weights = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        knowledge = knowledge.with_american(&weights);
    }
    if args.american {
        println!("{}", serde_json::to_string_pretty(&american(&knowledge, &weights, &clues, args.seed))?);
        return Ok(());
    }
    let fitted = evidence(&knowledge, &clues, args.seed);
    let named: serde_json::Map<_, _> =
        FEATURES.iter().zip(&fitted.weights).map(|(name, weight)| (name.to_string(), json!(weight))).collect();
    let unlisted = fitted.unlisted;
    println!("{}", json!({"clues": fitted.clues, "weights": fitted.weights, "named": named, "unlisted": unlisted}));
    Ok(())
}
