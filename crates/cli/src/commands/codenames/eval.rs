//! `parlour codenames eval`.

use super::language_args::{LanguageArgs, open_language_model};
use anyhow::{Context, Result, bail};
use codenames::eval::{evaluate, ranked_records};
use codenames::formats::{TurnRecord, read_turns};
use codenames::players::Operative;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames eval turns.jsonl --player strong")]
pub struct Args {
    /// Turns: `.cnwa`, or JSON lines with hint, board, guesses, targets
    file: PathBuf,
    /// Operative: strong, jares, plain, vectors or glosses
    #[arg(long, default_value = "strong")]
    player: String,
    #[command(flatten)]
    source: LanguageArgs,
    /// Write every ranking with its average precision to this file (`.cnwae`)
    #[arg(long)]
    write: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads human turns.
pub fn turns(file: &PathBuf) -> Result<Vec<TurnRecord>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    read_turns(&text).map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))
}

fn operative(name: &str) -> Result<Operative> {
    Operative::parse(name)
        .with_context(|| format!("no operative called {name:?}: strong, jares, plain, vectors or glosses"))
}

pub fn run(args: Args) -> Result<()> {
    let turns = turns(&args.file)?;
    if turns.is_empty() {
        bail!("{}: no turns", args.file.display());
    }
    let lm = open_language_model(&args.source)?;
    let operative = operative(&args.player)?;
    let report = evaluate(&lm, &operative, &turns);
    if let Some(path) = &args.write {
        std::fs::write(path, ranked_records(&lm, &operative, &turns)).with_context(|| format!("{}", path.display()))?;
    }
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{} turns, {}", report.turns, args.player);
        println!("average precision, meant words  {:.4}", report.ap_targets);
        println!("average precision, taken words  {:.4}", report.ap_guesses);
        println!("recall at k                     {:.4}", report.recall_at_k);
        println!("first word agrees               {:.4}", report.top1);
    }
    Ok(())
}
