//! `parlour crossword fit`: weights of the evidence from puzzles and clue books whose answers are known.

use super::{Sources, puzzles};
use ::lab::crossword::fit::{Known, evidence, meaning};
use anyhow::{Context, Result};
use crossword::maker::ClueBook;
use crossword::solver::{FEATURES, Knowledge};
use semantics::clue::ClueWeights;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions (JSON lines, also gzipped, or puzzle files) or clue books (.tsv)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Fit the weights of word meaning instead of those of all evidence
    #[arg(long)]
    meaning: bool,
    /// Leave out the puzzles that `eval --sample N --seed S` tests on
    #[arg(long, value_name = "N", default_value_t = 0)]
    except_sample: usize,
    /// Clues per file to fit on
    #[arg(long, default_value_t = 1500)]
    clues: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sources: Sources,
}

pub fn run(args: Args) -> Result<()> {
    let mut clues: Vec<Known> = Vec::new();
    for path in &args.paths {
        let mut here: Vec<Known> = if path.extension().is_some_and(|ending| ending == "tsv") {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let book = ClueBook::parse(&args.sources.lang, &text).map_err(anyhow::Error::msg)?;
            book.pairs().map(|(answer, clue)| Known { clue: clue.to_owned(), answer: answer.to_owned() }).collect()
        } else {
            let all = puzzles::read(path)?;
            let test = puzzles::sample(all.len(), args.except_sample, args.seed);
            let rest = all.iter().enumerate().filter(|(number, _)| !test.contains(number));
            rest.flat_map(|(_, puzzle)| {
                puzzle
                    .entries
                    .iter()
                    .filter_map(|entry| Some(Known { clue: entry.clue.clone(), answer: puzzle.answer(entry)? }))
            })
            .collect()
        };
        let chosen = puzzles::sample(here.len(), args.clues, args.seed);
        let mut number = 0;
        here.retain(|_| {
            number += 1;
            chosen.binary_search(&(number - 1)).is_ok()
        });
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
    let knowledge = Knowledge::new(&scorer, opened.memory.as_ref(), &opened.lists);
    let fitted = evidence(&knowledge, &clues, args.seed);
    let named: serde_json::Map<_, _> =
        FEATURES.iter().zip(&fitted.weights).map(|(name, weight)| (name.to_string(), json!(weight))).collect();
    let unlisted = fitted.unlisted;
    println!("{}", json!({"clues": fitted.clues, "weights": fitted.weights, "named": named, "unlisted": unlisted}));
    Ok(())
}
