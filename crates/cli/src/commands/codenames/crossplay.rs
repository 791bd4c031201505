//! `parlour codenames crossplay` and `speed`.

use super::data::{Source, tongue};
use crate::commands::bench::cpu;
use anyhow::{Context, Result};
use codenames::eval::{crossplay, illegal, random_board};
use codenames::players::{Giver, Guesser, Situation};
use codenames::rules::Side;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// study or strong
    #[arg(long, default_value = "strong")]
    giver: String,
    /// study, vectors, glosses or strong
    #[arg(long, default_value = "study")]
    guesser: String,
    /// How many boards
    #[arg(long, default_value_t = 100)]
    boards: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    source: Source,
    /// Let the strong giver know the guesser's model (otherwise it is left out of its models of people)
    #[arg(long)]
    acquainted: bool,
    /// Print every board and every clue with the words it was meant for and those taken
    #[arg(long)]
    verbose: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let tongue = tongue(&args.source)?;
    let mut giver = Giver::parse(&args.giver).with_context(|| format!("no giver called {:?}", args.giver))?;
    let guesser = Guesser::parse(&args.guesser).with_context(|| format!("no guesser called {:?}", args.guesser))?;
    if !args.acquainted && args.giver != args.guesser {
        giver = giver.for_stranger(guesser.model());
    }
    if args.boards >= 10 {
        tongue.fill();
    }
    let seeds = (0..args.boards).map(|k| args.seed.wrapping_mul(1_000_003).wrapping_add(k));
    let report = crossplay(&tongue, &giver, &guesser, seeds, |seed, game| {
        if !args.verbose {
            return;
        }
        let cards = random_board(&tongue, seed);
        eprintln!(
            "board {seed}: {} in {} turns{}",
            if game.won { "won" } else { "lost" },
            game.turns,
            if game.assassin { ", assassin" } else { "" }
        );
        for side in [Side::Own, Side::Enemy, Side::Bystander, Side::Assassin] {
            let words: Vec<&str> = cards.iter().filter(|c| c.side == side).map(|c| c.word.as_str()).collect();
            eprintln!("  {side:?}: {}", words.join(", "));
        }
        for turn in &game.played {
            let meant: Vec<&str> = turn.meant.iter().map(|&i| cards[i].word.as_str()).collect();
            let taken: Vec<String> =
                turn.guesses.iter().map(|&(i, side)| format!("{} ({side:?})", cards[i].word)).collect();
            eprintln!("  {}: {}; taken: {}", turn.clue, meant.join(", "), taken.join(", "));
        }
    });
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{} games, {} won", report.games, report.wins);
        println!("mean turns {:.2} ({:.2} to {:.2})", report.mean_turns, report.interval95[0], report.interval95[1]);
        println!("assassin {:.1} %, illegal clues {}", 100.0 * report.assassin_rate, report.illegal_clues);
    }
    Ok(())
}

#[derive(clap::Args)]
pub struct SpeedArgs {
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

pub fn speed(args: SpeedArgs) -> Result<()> {
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
