//! `parlour homeguard rate`: adds a rating to a profile.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::taste::Rating;
use homeguard::tree::TreeMaker;

use super::files::{read_map, read_profile, write_profile};

#[derive(clap::Args)]
pub struct Args {
    /// Taste profile; made if it does not exist
    #[arg(long)]
    profile: PathBuf,
    /// The map: a file, its text, or - for standard input
    #[arg(long)]
    map: String,
    /// -2 (never again) to 2 (more like this)
    #[arg(long, allow_hyphen_values = true)]
    rating: i64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let rating = Rating::new(args.rating)?;
    let map = read_map(&args.map)?;
    let mut profile = read_profile(&args.profile)?;
    profile.rate(&map, rating, &mut TreeMaker::new());
    write_profile(&args.profile, &profile)?;
    if args.json {
        println!("{}", serde_json::json!({ "ratings": profile.ratings.len() }));
    } else {
        println!("{} ratings in {}", profile.ratings.len(), args.profile.display());
    }
    Ok(())
}
