//! `parlour crossword tune`: tunes sharpness, odds of unlisted answers and Platt scaling of a calibration by solving puzzles.

use super::{SolverSources, puzzle_files};
use ::lab::crossword::tune::{tune, with};
use anyhow::{Context, Result};
use crossword::engine::solver::Calibration;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions (JSON lines, also gzipped, or a folder of puzzle files)
    path: PathBuf,
    /// The calibration to start from (its JSON file)
    #[arg(long, value_name = "FILE")]
    calibration: PathBuf,
    /// File with the weights of word meaning in American puzzles
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Exclude the puzzles that `eval --sample N --seed S` tests on
    #[arg(long, value_name = "N", default_value_t = 0)]
    except_sample: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Skip the first N puzzles
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Number of puzzles to solve
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// Factors of all weights to try, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1")]
    sharpness: Vec<f32>,
    /// Factors of the odds of an unlisted answer to try, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1")]
    unlisted: Vec<f64>,
    /// Write the best setting (words and letters right) to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    sources: SolverSources,
}

pub fn run(args: Args) -> Result<()> {
    let text = std::fs::read_to_string(&args.calibration).with_context(|| args.calibration.display().to_string())?;
    let base: Calibration =
        serde_json::from_str(&text).with_context(|| format!("{}: no calibration", args.calibration.display()))?;
    let mut all = Vec::new();
    for file in puzzle_files::files(&args.path)? {
        all.extend(puzzle_files::read(&file)?);
    }
    let test = puzzle_files::sample(all.len(), args.except_sample, args.seed);
    let rest = all.into_iter().enumerate().filter(|(number, _)| !test.contains(number)).map(|(_, puzzle)| puzzle);
    let chosen: Vec<_> = rest.skip(args.skip).take(args.limit).collect();
    let opened = args.sources.open()?;
    let scorer = semantics::ClueScorer::new(&opened.language);
    let mut knowledge = opened.knowledge(&scorer);
    if let Some(path) = &args.weights {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        knowledge = knowledge.with_american(&serde_json::from_str(&text)?);
    }
    let tried = tune(&knowledge, &chosen, &base, &args.sharpness, &args.unlisted, |done| {
        eprint!("\r{done} of {} puzzles", chosen.len());
    });
    eprintln!();
    for setting in &tried {
        println!(
            "{}",
            json!({
                "sharpness": setting.sharpness, "unlisted": setting.unlisted,
                "words": setting.words, "words_right": setting.words_right,
                "letters": setting.letters, "letters_right": setting.letters_right,
                "word_scaling": setting.word_scaling, "letter_scaling": setting.letter_scaling,
            })
        );
    }
    let best = tried.iter().max_by_key(|setting| 2 * setting.words_right + setting.letters_right);
    if let (Some(out), Some(best)) = (&args.out, best) {
        let mut chosen = with(&base, best.sharpness, best.unlisted);
        (chosen.word_scaling, chosen.letter_scaling) = (best.word_scaling, best.letter_scaling);
        super::write(out, format!("{}\n", serde_json::to_string(&chosen)?).as_bytes())?;
    }
    Ok(())
}
