//! `parlour arena homeguard`: matches between levels on random maps, sides exchanged.

use anyhow::Result;
use lab::homeguard::matches::{HomeguardMatch, HomeguardWork};

use super::report::{MatchArgs, play};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour arena homeguard --p1 hard --p2 maximin --games 100")]
pub struct Args {
    /// First player: recruit, private, greedy, maximin, deep, captain, major or hard
    #[arg(long)]
    p1: String,
    /// Second player, one of the same
    #[arg(long)]
    p2: String,
    /// End of the game: control (middle control), sudden (sudden death) or sindelar (thesis: 60 rounds, then the score)
    #[arg(long, default_value = "sindelar")]
    rules: String,
    /// Limit per round in ms, instead of the levels' own node budgets
    #[arg(long)]
    time_ms: Option<u64>,
    /// Side of the board in cells: 7, 9, 11, 13 or 15
    #[arg(long, default_value_t = 11)]
    size: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    games: MatchArgs,
}

pub fn run(args: Args) -> Result<()> {
    let params = HomeguardMatch {
        players: [args.p1.clone(), args.p2.clone()],
        rules: args.rules.clone(),
        time_ms: args.time_ms,
        size: args.size,
        seed: args.seed,
    };
    // Refuse bad parameters here, not in a worker.
    params.prepare().map_err(anyhow::Error::msg)?;
    let title = format!(
        "homeguard {} p1 {} p2 {} rules {} time {:?} seed {}",
        args.size, args.p1, args.p2, args.rules, args.time_ms, args.seed
    );
    play(&HomeguardWork, &params, Vec::new(), None, &args.games, title)
}
