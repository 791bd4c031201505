//! `parlour codenames speed`.

use super::language_args::{LanguageArgs, open_language_model};
use crate::commands::bench::cpu;
use anyhow::{Context, Result};
use codenames::engine::BoardPosition;
use codenames::eval::{illegal, random_board};
use codenames::players::Spymaster;
use std::time::Instant;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames speed --boards 1000")]
pub struct Args {
    /// Number of boards
    #[arg(long, default_value_t = 1000)]
    boards: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Spymaster: strong, people, programs, jares, vectors or glosses
    #[arg(long, alias = "giver", default_value = "strong")]
    spymaster: String,
    #[command(flatten)]
    source: LanguageArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let begun = Instant::now();
    let lm = open_language_model(&args.source)?;
    let spymaster =
        Spymaster::parse(&args.spymaster).with_context(|| format!("no spymaster called {:?}", args.spymaster))?;
    let board =
        |k: u64| BoardPosition::of_key(random_board(&lm, args.seed.wrapping_mul(7_919).wrapping_add(k)), Vec::new());
    lm.fill();
    spymaster.best_clues(&lm, &board(u64::MAX), 1);
    let started = begun.elapsed().as_secs_f64();
    let (mut times, mut cpu_times, mut clues, mut faults) = (Vec::new(), Vec::new(), 0, 0);
    for k in 0..args.boards {
        let position = board(k);
        let (begun, cpu_begun) = (Instant::now(), cpu::process_seconds());
        let ideas = spymaster.best_clues(&lm, &position, 3);
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
        cpu_times.push((cpu::process_seconds() - cpu_begun) * 1000.0);
        clues += ideas.len();
        faults += ideas.iter().filter(|i| illegal(&i.word, &position.open_words())).count();
    }
    times.sort_by(f64::total_cmp);
    cpu_times.sort_by(f64::total_cmp);
    let share = |of: &[f64], share: f64| of.get(((of.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(0.0);
    let at = |part: f64| share(&times, part);
    let cpu_p95 = share(&cpu_times, 0.95);
    let report = serde_json::json!({
        "boards": args.boards, "start_s": started, "p50_ms": at(0.5), "p95_ms": at(0.95), "max_ms": at(1.0),
        "cpu_p95_ms": cpu_p95, "clues": clues, "illegal_clues": faults,
    });
    if args.json {
        println!("{report}");
    } else {
        println!(
            "start {started:.2} s; first clue p50 {:.0} ms, p95 {:.0} ms (processor time {cpu_p95:.0} ms); illegal clues \
             {faults} of {clues}",
            at(0.5),
            at(0.95)
        );
    }
    Ok(())
}
