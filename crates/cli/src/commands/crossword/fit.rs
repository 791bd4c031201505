//! `parlour crossword fit`: weights of the evidence from puzzles whose solutions are known.

use super::{Sources, puzzles};
use anyhow::{Context, Result};
use crossword::solver::{Evidence, FEATURES, Knowledge};
use rand::{RngExt, SeedableRng};
use semantics::logit::{Choice, fit};
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions (JSON lines, also gzipped, or puzzle files)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only the puzzles whose number (from 0) is listed in this file, one a line
    #[arg(long, value_name = "FILE")]
    only: Option<PathBuf>,
    /// Clues to fit on
    #[arg(long, default_value_t = 1500)]
    clues: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sources: Sources,
}

/// Wrong candidates per clue: the best by meaning and memory, and some drawn at random that stand for the rest.
const HARD: usize = 60;
const DRAWN: usize = 40;
/// Longest length with its own chance of an unlisted answer.
const LENGTHS: usize = 16;

pub fn run(args: Args) -> Result<()> {
    let only: Option<Vec<usize>> = match &args.only {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Some(text.split_whitespace().filter_map(|word| word.parse().ok()).collect())
        }
        None => None,
    };
    let mut clues = Vec::new();
    for path in &args.paths {
        for (number, puzzle) in puzzles::read(path)?.into_iter().enumerate() {
            if only.as_ref().is_none_or(|only| only.contains(&number)) {
                clues.extend(
                    puzzle.entries.iter().filter_map(|entry| Some((entry.clue.clone(), puzzle.answer(entry)?))),
                );
            }
        }
    }
    let opened = args.sources.open()?;
    let scorer = semantics::ClueScorer::new(&opened.language);
    let knowledge = Knowledge::new(&scorer, opened.memory.as_ref(), &opened.lists);
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(args.seed);
    let mut choices = Vec::new();
    let (mut missing, mut seen) = ([0usize; LENGTHS], [0usize; LENGTHS]);
    for _ in 0..args.clues.min(clues.len()) {
        let (clue, answer) = clues.swap_remove(rng.random_range(0..clues.len()));
        let length = answer.chars().count();
        let gathered = knowledge.gather(&clue, length);
        seen[length.min(LENGTHS - 1)] += 1;
        match gathered.candidates.iter().position(|(word, _)| *word == answer) {
            Some(right) => choices.push(choice(&gathered.candidates, right, &mut rng)),
            None => missing[length.min(LENGTHS - 1)] += 1,
        }
    }
    let weights = fit(&choices, 1e-3, 300);
    let named: serde_json::Map<_, _> =
        FEATURES.iter().zip(&weights).map(|(name, weight)| (name.to_string(), json!(weight))).collect();
    // Lengths that were seen rarely borrow from all.
    let all = missing.iter().sum::<usize>() as f64 / seen.iter().sum::<usize>().max(1) as f64;
    let unlisted: Vec<f64> =
        missing.iter().zip(seen).map(|(&m, s)| (m as f64 + 5.0 * all) / (s as f64 + 5.0)).collect();
    println!("{}", json!({"clues": args.clues, "weights": weights, "named": named, "unlisted": unlisted}));
    Ok(())
}

fn choice(candidates: &[(String, Evidence)], right: usize, rng: &mut rand_chacha::ChaCha8Rng) -> Choice {
    let rough = |evidence: &Evidence| {
        evidence.meaning.unwrap_or(-5.0) + 3.0 * evidence.exact + 4.0 * evidence.similarity + 0.5 * evidence.uses
    };
    let mut others: Vec<usize> = (0..candidates.len()).filter(|&at| at != right).collect();
    others.sort_by(|&a, &b| rough(&candidates[b].1).total_cmp(&rough(&candidates[a].1)));
    let rest = others.split_off(others.len().min(HARD));
    let mut chosen = vec![right];
    let mut copies = vec![1.0];
    copies.extend(others.iter().map(|_| 1.0));
    chosen.extend(others);
    let drawn = rest.len().min(DRAWN);
    for _ in 0..drawn {
        chosen.push(rest[rng.random_range(0..rest.len())]);
        copies.push(rest.len() as f32 / drawn as f32);
    }
    let features = chosen.iter().map(|&at| candidates[at].1.features().to_vec()).collect();
    let share = std::iter::once(1.0).chain(std::iter::repeat_n(0.0, chosen.len() - 1)).collect();
    Choice { features, chosen: share, copies }
}
