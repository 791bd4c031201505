//! `parlour codenames lab`: the study's tables 5.3, 5.4, 6.1 and 6.2.

use super::data::{Source, tongue};
use super::eval::turns;
use anyhow::{Context, Result, bail};
use codenames::eval::{by_number, players, similarity_tables};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Turns: `.cnwa`, or JSON lines
    file: PathBuf,
    /// Records of the blind clue rating (JSON lines, as the page saves them), for table 6.2
    #[arg(long)]
    ratings: Option<PathBuf>,
    #[command(flatten)]
    source: Source,
}

/// A record of the blind rating: one position, every giver's clue answered.
#[derive(Deserialize)]
struct Record {
    seed: u64,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    giver: String,
    score: f64,
}

pub fn run(args: Args) -> Result<()> {
    let turns = turns(&args.file)?;
    if turns.is_empty() {
        bail!("{}: no turns", args.file.display());
    }
    let tongue = tongue(&args.source)?;
    println!("{} turns; mean average precision of the meant words in per cent", turns.len());
    let titles = ["5.3  measures alone", "5.4  combinations"];
    for (title, lines) in titles.iter().zip(similarity_tables(&tongue, &turns)) {
        println!("\n{title}");
        for line in lines {
            println!("  {:<38}{:>7.2}", line.name, 100.0 * line.ap);
        }
    }
    println!("\n6.1  players, by the number of meant words");
    print!("  {:<24}{:>8}", "", "all");
    (1..=7).for_each(|n| print!("{n:>8}"));
    println!();
    for (name, guesser) in players() {
        print!("  {name:<24}");
        for ap in by_number(&tongue, &guesser, &turns) {
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
    let mut givers: BTreeMap<String, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for (at, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let record: Record =
            serde_json::from_str(line).with_context(|| format!("{}: line {}", path.display(), at + 1))?;
        for row in record.rows {
            givers.entry(row.giver).or_default().entry(record.seed).or_default().push(row.score);
        }
    }
    for (giver, positions) in givers {
        let turns: usize = positions.values().map(Vec::len).sum();
        let means = positions.values().map(|scores| scores.iter().sum::<f64>() / scores.len() as f64);
        let mean = means.sum::<f64>() / positions.len() as f64;
        println!("  {giver:<24}{mean:>8.3}   ({turns} turns in {} positions)", positions.len());
    }
    Ok(())
}
