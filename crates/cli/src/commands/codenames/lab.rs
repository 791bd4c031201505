//! `parlour codenames lab`: tables 5.3, 5.4, 6.1 and 6.2 of Jareš 2019.

use super::eval::turns;
use super::language_args::{LanguageArgs, open_language_model};
use anyhow::{Context, Result, bail};
use codenames::eval::{by_number, players, similarity_tables};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames lab turns.cnwa --ratings ratings.jsonl")]
pub struct Args {
    /// Turns: `.cnwa`, or JSON lines
    file: PathBuf,
    /// Records of the blind clue rating for table 6.2 (JSON lines, saved by the page)
    #[arg(long)]
    ratings: Option<PathBuf>,
    #[command(flatten)]
    source: LanguageArgs,
}

/// A record of the blind rating: one position, every spymaster's clue answered.
#[derive(Deserialize)]
struct Record {
    seed: u64,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    #[serde(rename = "giver")]
    spymaster: String,
    score: f64,
}

pub fn run(args: Args) -> Result<()> {
    let turns = turns(&args.file)?;
    if turns.is_empty() {
        bail!("{}: no turns", args.file.display());
    }
    let lm = open_language_model(&args.source)?;
    println!("{} turns; mean average precision of the meant words in per cent", turns.len());
    let titles = ["5.3  measures alone", "5.4  combinations"];
    for (title, lines) in titles.iter().zip(similarity_tables(&lm, &turns)) {
        println!("\n{title}");
        for line in lines {
            println!("  {:<38}{:>7.2}", line.name, 100.0 * line.ap);
        }
    }
    println!("\n6.1  players, by the number of meant words");
    print!("  {:<24}{:>8}", "", "all");
    (1..=7).for_each(|n| print!("{n:>8}"));
    println!();
    for (name, operative) in players() {
        print!("  {name:<24}");
        for ap in by_number(&lm, &operative, &turns) {
            match ap {
                Some(ap) => print!("{:>8.2}", 100.0 * ap),
                None => print!("{:>8}", "–"),
            }
        }
        println!();
    }
    println!("\n6.2  score of clues by blind rating");
    match &args.ratings {
        Some(path) => ratings(path),
        None => {
            println!("  no records: rate clues on the page, save them, and name the file with --ratings");
            Ok(())
        }
    }
}

/// Means per position first, then over the positions.
fn ratings(path: &PathBuf) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    let mut spymasters: BTreeMap<String, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for (at, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let record: Record =
            serde_json::from_str(line).with_context(|| format!("{}: line {}", path.display(), at + 1))?;
        for row in record.rows {
            spymasters.entry(row.spymaster).or_default().entry(record.seed).or_default().push(row.score);
        }
    }
    for (spymaster, positions) in spymasters {
        let turns: usize = positions.values().map(Vec::len).sum();
        let means = positions.values().map(|scores| scores.iter().sum::<f64>() / scores.len() as f64);
        let mean = means.sum::<f64>() / positions.len() as f64;
        println!("  {spymaster:<24}{mean:>8.3}   ({turns} turns in {} positions)", positions.len());
    }
    Ok(())
}
