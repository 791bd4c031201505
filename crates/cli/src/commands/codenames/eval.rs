//! `parlour codenames eval`.

use super::data::{Source, tongue};
use anyhow::{Context, Result, bail};
use codenames::eval::{evaluate, ranked_records};
use codenames::formats::{Turn, read_turns};
use codenames::players::Guesser;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Turns: `.cnwa`, or JSON lines with hint, board, guesses, targets
    file: PathBuf,
    /// cosine, glosses, study or strong
    #[arg(long, default_value = "strong")]
    player: String,
    #[command(flatten)]
    source: Source,
    /// Write every ranking with its average precision to this file (`.cnwae`)
    #[arg(long)]
    write: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads turns of people.
pub fn turns(file: &PathBuf) -> Result<Vec<Turn>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    read_turns(&text).map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))
}

fn guesser(name: &str) -> Result<Guesser> {
    Guesser::parse(name).with_context(|| format!("no player called {name:?}: cosine, glosses, study or strong"))
}

pub fn run(args: Args) -> Result<()> {
    let turns = turns(&args.file)?;
    if turns.is_empty() {
        bail!("{}: no turns", args.file.display());
    }
    let tongue = tongue(&args.source)?;
    let guesser = guesser(&args.player)?;
    let report = evaluate(&tongue, &guesser, &turns);
    if let Some(path) = &args.write {
        std::fs::write(path, ranked_records(&tongue, &guesser, &turns))
            .with_context(|| format!("{}", path.display()))?;
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
