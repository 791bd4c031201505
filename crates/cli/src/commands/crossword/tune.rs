//! `parlour crossword tune`: sharpness, chance of unlisted answers and honesty of one calibration, by solving puzzles.

use super::{Sources, puzzles};
use ::lab::crossword::tune::{tune, with};
use anyhow::{Context, Result};
use crossword::solver::Calibration;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions (JSON lines, also gzipped, or a folder of puzzle files)
    path: PathBuf,
    /// The calibration to start from (its JSON file)
    #[arg(long, value_name = "FILE")]
    calibration: PathBuf,
    /// Weigh meaning in American puzzles by this file
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Leave out the puzzles that `eval --sample N --seed S` tests on
    #[arg(long, value_name = "N", default_value_t = 0)]
    except_sample: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out so many puzzles from the start of the file
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Puzzles to solve
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// Factors of all weights to try
    #[arg(long, value_delimiter = ',', default_value = "1")]
    sharpness: Vec<f32>,
    /// Factors of the odds of an unlisted answer to try
    #[arg(long, value_delimiter = ',', default_value = "1")]
    unlisted: Vec<f64>,
    /// Write the setting with most words and letters right into this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    sources: Sources,
}

pub fn run(args: Args) -> Result<()> {
    let text = std::fs::read_to_string(&args.calibration).with_context(|| args.calibration.display().to_string())?;
    let base: Calibration =
        serde_json::from_str(&text).with_context(|| format!("{}: no calibration", args.calibration.display()))?;
    let mut all = Vec::new();
    for file in puzzles::files(&args.path)? {
        all.extend(puzzles::read(&file)?);
    }
    let test = puzzles::sample(all.len(), args.except_sample, args.seed);
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
                "word_honesty": setting.word_honesty, "letter_honesty": setting.letter_honesty,
            })
        );
    }
    let best = tried.iter().max_by_key(|setting| 2 * setting.words_right + setting.letters_right);
    if let (Some(out), Some(best)) = (&args.out, best) {
        let mut chosen = with(&base, best.sharpness, best.unlisted);
        (chosen.word_honesty, chosen.letter_honesty) = (best.word_honesty, best.letter_honesty);
        super::write(out, format!("{}\n", serde_json::to_string(&chosen)?).as_bytes())?;
    }
    Ok(())
}
