//! `parlour version`

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Ids of the games in the order of the lobby.
const GAMES: &[&str] = &["gomoku", "scrabble", "codenames", "homeguard", "crossword"];

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

#[cfg(all(test, feature = "server"))]
mod tests {
    #[test]
    fn the_list_is_the_catalogs() {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let catalog = catalog::Catalog::load(Some(&data));
        let ids: Vec<String> = catalog.games().iter().map(|game| game.info().id.to_string()).collect();
        assert_eq!(ids, super::GAMES);
    }
}
