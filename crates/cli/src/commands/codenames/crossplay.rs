//! `parlour codenames crossplay`.

use super::data::{Source, tongue};
use anyhow::{Context, Result};
use codenames::Tongue;
use codenames::eval::{CrossPlay, CrossPlayReport, Difference, crossplay, random_board};
use codenames::players::{Giver, Guesser};
use codenames::rules::Side;

#[derive(clap::Args)]
pub struct Args {
    /// study, strong (for strangers), house (for programs that think alike) or people; vectors or glosses for a strong giver
    /// with that model alone
    #[arg(long, default_value = "strong")]
    giver: String,
    /// study, vectors, glosses or strong
    #[arg(long, default_value = "study")]
    guesser: String,
    /// Another giver that plays the same boards; the difference is taken board by board
    #[arg(long)]
    against: Option<String>,
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

/// The answer as other programs read it.
#[derive(serde::Serialize)]
struct Shown {
    #[serde(flatten)]
    report: CrossPlayReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<CrossPlayReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

impl Args {
    /// A giver by its name; without the guesser's model, unless they are acquainted.
    fn giver(&self, name: &str, guesser: &Guesser) -> Result<Giver> {
        let giver = Giver::parse(name).with_context(|| format!("no giver called {name:?}"))?;
        let stranger = !self.acquainted && name != self.guesser;
        Ok(if stranger { giver.for_stranger(guesser.model()) } else { giver })
    }

    fn play(&self, tongue: &Tongue, giver: &Giver, guesser: &Guesser) -> Vec<CrossPlay> {
        let seeds = (0..self.boards).map(|k| self.seed.wrapping_mul(1_000_003).wrapping_add(k));
        crossplay(tongue, giver, guesser, seeds, |seed, game| {
            if self.verbose {
                show(tongue, seed, game);
            }
        })
    }
}

pub fn run(args: Args) -> Result<()> {
    let tongue = tongue(&args.source)?;
    let guesser = Guesser::parse(&args.guesser).with_context(|| format!("no guesser called {:?}", args.guesser))?;
    let giver = args.giver(&args.giver, &guesser)?;
    let other = args.against.as_deref().map(|name| args.giver(name, &guesser)).transpose()?;
    if args.boards >= 10 {
        tongue.fill();
    }
    let games = args.play(&tongue, &giver, &guesser);
    let report = CrossPlayReport::new(&games);
    let against = other.map(|other| {
        let others = args.play(&tongue, &other, &guesser);
        (CrossPlayReport::new(&others), Difference::new(&games, &others))
    });
    if args.json {
        let (against, difference) = against.unzip();
        println!("{}", serde_json::to_string(&Shown { report, against, difference })?);
        return Ok(());
    }
    print(&report);
    if let Some((other, difference)) = &against {
        println!("{} on the same boards:", args.against.as_deref().unwrap_or_default());
        print(other);
        let [low, high] = difference.interval95;
        println!(
            "difference {:.2} turns ({low:.2} to {high:.2}), better on {} boards, worse on {}",
            difference.mean_turns, difference.better, difference.worse
        );
    }
    Ok(())
}

fn print(report: &CrossPlayReport) {
    println!("{} games, {} won", report.games, report.wins);
    println!("mean turns {:.2} ({:.2} to {:.2})", report.mean_turns, report.interval95[0], report.interval95[1]);
    println!("assassin {:.1} %, illegal clues {}", 100.0 * report.assassin_rate, report.illegal_clues);
}

/// A board with every clue, what it was meant for and what was taken.
fn show(tongue: &Tongue, seed: u64, game: &CrossPlay) {
    let cards = random_board(tongue, seed);
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
}
