//! `parlour codenames speed`.

use super::data::{Source, tongue};
use crate::commands::bench::cpu;
use anyhow::{Context, Result};
use codenames::eval::{illegal, random_board};
use codenames::players::{Giver, Situation};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    #[arg(long, default_value_t = 1000)]
    boards: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// study or strong
    #[arg(long, default_value = "strong")]
    giver: String,
    #[command(flatten)]
    source: Source,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let begun = Instant::now();
    let tongue = tongue(&args.source)?;
    let giver = Giver::parse(&args.giver).with_context(|| format!("no giver called {:?}", args.giver))?;
    let board =
        |k: u64| Situation::of_key(random_board(&tongue, args.seed.wrapping_mul(7_919).wrapping_add(k)), Vec::new());
    tongue.fill();
    giver.ideas(&tongue, &board(u64::MAX), 1);
    let started = begun.elapsed().as_secs_f64();
    let (mut times, mut cpu_times, mut clues, mut faults) = (Vec::new(), Vec::new(), 0, 0);
    for k in 0..args.boards {
        let situation = board(k);
        let (begun, cpu_begun) = (Instant::now(), cpu::process_seconds());
        let ideas = giver.ideas(&tongue, &situation, 3);
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
        cpu_times.push((cpu::process_seconds() - cpu_begun) * 1000.0);
        clues += ideas.len();
        faults += ideas.iter().filter(|i| illegal(&i.word, &situation.open_words())).count();
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
