//! `parlour gomoku play`: plays a game in the terminal.

use std::path::PathBuf;

use anyhow::Result;
use gomoku::rules::Rule;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku play --level club --seat 2")]
pub struct Args {
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board size in points
    #[arg(long, default_value_t = 15)]
    size: u8,
    /// Level of the computer; `--levels` lists them
    #[arg(long)]
    level: Option<String>,
    /// List the levels
    #[arg(long)]
    levels: bool,
    /// Your seat: 1 is black and begins, 2 is white; 0 lets the computer play both
    #[arg(long, default_value_t = 1)]
    seat: u8,
    /// Milliseconds per move of the computer instead of the budget of its level
    #[arg(long)]
    time_ms: Option<u64>,
    /// Seed of the game; random if not given
    #[arg(long)]
    seed: Option<u64>,
    /// Folder with the data files
    #[arg(long)]
    data: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    crate::commands::play::run(crate::commands::play::Args {
        game: Some("gomoku".to_owned()),
        level: args.level,
        seat: args.seat,
        settings: serde_json::json!({ "rule": args.rule.to_string(), "size": args.size }).to_string(),
        time_ms: args.time_ms,
        seed: args.seed,
        levels: args.levels,
        data: args.data,
    })
}
