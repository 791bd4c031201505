//! `parlour codenames crossplay`.

use super::language_args::{LanguageArgs, open_language_model};
use anyhow::{Context, Result};
use codenames::LanguageModel;
use codenames::eval::{CrossPlay, CrossPlayReport, Difference, crossplay, random_board};
use codenames::players::{Operative, Spymaster};
use codenames::rules::CardSide;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames crossplay --spymaster strong --operative jares --boards 100")]
pub struct Args {
    /// Spymaster: strong (operative not known), programs (bots of this program), people, jares, or vectors or glosses for
    /// expected value with that model alone
    #[arg(long, alias = "giver", default_value = "strong")]
    spymaster: String,
    /// Operative: jares, plain, vectors, glosses or strong
    #[arg(long, alias = "guesser", default_value = "jares")]
    operative: String,
    /// A second spymaster for the same boards; the difference is paired by board
    #[arg(long)]
    against: Option<String>,
    /// Number of boards
    #[arg(long, default_value_t = 100)]
    boards: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    source: LanguageArgs,
    /// Keep the operative's model in the spymaster's ensemble (default: it is removed)
    #[arg(long)]
    acquainted: bool,
    /// Print every board with clues, targets and guesses
    #[arg(long)]
    verbose: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The JSON report.
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
    /// A spymaster by its name; without the operative's model, unless they are acquainted.
    fn spymaster(&self, name: &str, operative: &Operative) -> Result<Spymaster> {
        let spymaster = Spymaster::parse(name).with_context(|| format!("no spymaster called {name:?}"))?;
        let stranger = !self.acquainted && name != self.operative;
        Ok(if stranger { spymaster.without_model(operative.model()) } else { spymaster })
    }

    fn play(&self, lm: &LanguageModel, spymaster: &Spymaster, operative: &Operative) -> Vec<CrossPlay> {
        let seeds = (0..self.boards).map(|k| self.seed.wrapping_mul(1_000_003).wrapping_add(k));
        crossplay(lm, spymaster, operative, seeds, |seed, game| {
            if self.verbose {
                show(lm, seed, game);
            }
        })
    }
}

pub fn run(args: Args) -> Result<()> {
    let lm = open_language_model(&args.source)?;
    let operative =
        Operative::parse(&args.operative).with_context(|| format!("no operative called {:?}", args.operative))?;
    let spymaster = args.spymaster(&args.spymaster, &operative)?;
    let other = args.against.as_deref().map(|name| args.spymaster(name, &operative)).transpose()?;
    if args.boards >= 10 {
        lm.fill();
    }
    let games = args.play(&lm, &spymaster, &operative);
    let report = CrossPlayReport::new(&games);
    let against = other.map(|other| {
        let others = args.play(&lm, &other, &operative);
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
fn show(lm: &LanguageModel, seed: u64, game: &CrossPlay) {
    let cards = random_board(lm, seed);
    eprintln!(
        "board {seed}: {} in {} turns{}",
        if game.won { "won" } else { "lost" },
        game.turns,
        if game.assassin { ", assassin" } else { "" }
    );
    for side in [CardSide::Own, CardSide::Enemy, CardSide::Bystander, CardSide::Assassin] {
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
