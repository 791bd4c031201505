//! `parlour homeguard rate`: adds a rating to a profile.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::engine::preference::MapRating;
use homeguard::engine::tree::TreeMaker;

use super::map_files::{read_map, read_profile, write_profile};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard rate --profile me.json --map map.txt --rating 2")]
pub struct Args {
    /// Profile file (JSON); created if missing
    #[arg(long)]
    profile: PathBuf,
    /// Map: a file, its text, or - for standard input
    #[arg(long)]
    map: String,
    /// Rating from -2 (never again) to 2 (more like this)
    #[arg(long, allow_hyphen_values = true)]
    rating: i64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let rating = MapRating::new(args.rating)?;
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
