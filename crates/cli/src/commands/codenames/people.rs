//! `parlour codenames people`.

use super::data::{Source, tongue, tongue_with};
use super::eval::turns;
use anyhow::Result;
use codenames::eval::{FirstClues, first_clues, halves, people};
use codenames::players::Ensemble;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Turns of people: `.cnwa`, or JSON lines with hint, board, guesses, targets
    file: PathBuf,
    /// On how many boards the first clues of both givers are compared
    #[arg(long, default_value_t = 0)]
    boards: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Strength of the penalty on large weights
    #[arg(long, default_value_t = 0.2)]
    l2: f32,
    #[command(flatten)]
    source: Source,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let turns = turns(&args.file)?;
    let known = tongue(&args.source)?;
    let fitted = halves(&known, &turns, args.l2);
    let report = people(&known, &turns, &fitted);
    let mut clues: Vec<(&str, FirstClues)> = Vec::new();
    if args.boards > 0 {
        let [one, other] = fitted;
        let (one, other) = (tongue_with(&args.source, one)?, tongue_with(&args.source, other)?);
        let seeds: Vec<u64> = (0..args.boards).map(|k| args.seed.wrapping_mul(1_000_003).wrapping_add(k)).collect();
        one.fill();
        for (name, ensemble) in [("strangers", Ensemble::strangers()), ("people", Ensemble::people())] {
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
    println!("  mixture {:.4}, mixture for strangers {:.4}", report.mixture, report.robust);
    for (name, c) in clues {
        println!(
            "first clues for {name}: number {:.2}, own words found {:.2}, wrong card {:.3}, assassin {:.3} ({} boards)",
            c.number, c.found, c.wrong, c.assassin, c.boards
        );
    }
    Ok(())
}
