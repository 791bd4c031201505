//! `parlour codenames people`.

use super::eval::turns;
use super::language_args::{LanguageArgs, open_language_model, open_with_weights};
use anyhow::Result;
use codenames::engine::Ensemble;
use codenames::eval::{FirstClues, first_clues, halves, people};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames people turns.jsonl --boards 100")]
pub struct Args {
    /// Turns of people: `.cnwa`, or JSON lines with hint, board, guesses, targets
    file: PathBuf,
    /// Boards for the comparison of first clues; 0 for none
    #[arg(long, default_value_t = 0)]
    boards: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// LinkStrength of the penalty on large weights
    #[arg(long, default_value_t = 0.2)]
    l2: f32,
    #[command(flatten)]
    source: LanguageArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let turns = turns(&args.file)?;
    let known = open_language_model(&args.source)?;
    let fitted = halves(&known, &turns, args.l2);
    let report = people(&known, &turns, &fitted);
    let mut clues: Vec<(&str, FirstClues)> = Vec::new();
    if args.boards > 0 {
        let [one, other] = fitted;
        let (one, other) = (open_with_weights(&args.source, one)?, open_with_weights(&args.source, other)?);
        let seeds: Vec<u64> = (0..args.boards).map(|k| args.seed.wrapping_mul(1_000_003).wrapping_add(k)).collect();
        one.fill();
        for (name, ensemble) in [("unknown operatives", Ensemble::unknown_operatives()), ("people", Ensemble::people())]
        {
            clues.push((name, first_clues(&one, &other, ensemble, &seeds)));
        }
    }
    if args.json {
        let clues: serde_json::Map<_, _> = clues
            .into_iter()
            .map(|(name, c)| Ok((name.to_owned(), serde_json::to_value(c)?)))
            .collect::<Result<_>>()?;
        println!("{}", serde_json::json!({ "models": report, "first_clues": clues }));
        return Ok(());
    }
    println!(
        "{} turns, {} cards taken; mean logarithm of the chance of a turn's cards, unseen:",
        report.turns, report.guesses
    );
    for (k, model) in report.models.iter().enumerate() {
        let (weight, sharp, alone) = (report.weights[k], report.sharpness[k], report.alone[k]);
        println!("  {model:<12} alone {alone:.4}   share {weight:.3}   sharpness {sharp:.2}");
    }
    println!("  mixture {:.4}, mixture for unknown operatives {:.4}", report.mixture, report.robust);
    for (name, c) in clues {
        println!(
            "first clues for {name}: number {:.2}, own words found {:.2}, wrong card {:.3}, assassin {:.3} ({} boards)",
            c.number, c.found, c.wrong, c.assassin, c.boards
        );
    }
    Ok(())
}
