//! `parlour version`

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The games this build can play, by their ids.
const GAMES: &[&str] = &[];

pub fn run(args: Args) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let commit = env!("PARLOUR_COMMIT");
    if args.json {
        let answer = serde_json::json!({ "version": version, "commit": commit, "games": GAMES });
        println!("{answer}");
    } else {
        println!("parlour {version} ({commit}): {}", GAMES.join(", "));
    }
    Ok(())
}
