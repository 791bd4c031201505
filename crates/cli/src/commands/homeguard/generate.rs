//! `parlour homeguard generate`: maps for a profile.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::formats::{Blank, map_to_text};
use homeguard::rules::Size;
use homeguard::taste::features::FEATURES;
use homeguard::taste::{Kind, Wish, propose};
use homeguard::tree::TreeMaker;

use super::files::{load_pool, read_profile, shared_ratings};

#[derive(clap::Args)]
pub struct Args {
    /// Taste profile; a file that does not exist is an empty profile
    #[arg(long)]
    profile: PathBuf,
    /// How many maps
    #[arg(short = 'n', long = "count", default_value_t = 1)]
    count: usize,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Side of the board
    #[arg(long, default_value_t = 11)]
    size: usize,
    /// Choose among prepared maps only, breed no new ones
    #[arg(long)]
    prepared_only: bool,
    /// Prefer maps that teach more about the taste; without it this fades out over the first twenty ratings
    #[arg(long)]
    explore: bool,
    /// Start from the developer's ratings that come with the program
    #[arg(long, conflicts_with = "own_ratings_only")]
    use_shared: bool,
    /// Leave out ratings that were joined from other profiles
    #[arg(long)]
    own_ratings_only: bool,
    /// Data folder
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut profile = read_profile(&args.profile)?;
    if args.own_ratings_only {
        profile.ratings.retain(|rated| !rated.shared);
    }
    if args.use_shared {
        profile.import(&shared_ratings(args.data.as_deref())?);
    }
    let pool = load_pool(args.data.as_deref(), Size::new(args.size)?)?;
    let mut maker = TreeMaker::new();
    let rated = profile.rated(&mut maker)?;
    let mut wish = Wish::usual(args.count, args.seed, rated.len());
    if args.prepared_only {
        wish.breed = 0;
    }
    if args.explore {
        wish.curiosity = 1.0;
    }
    let proposals = propose(&pool, &rated, wish, &mut maker);
    if args.json {
        let list: Vec<serde_json::Value> = proposals
            .iter()
            .map(|p| {
                serde_json::json!({
                    "map": map_to_text(&p.map, Blank::Dot),
                    "predicted": p.predicted.mean,
                    "uncertainty": p.predicted.deviation,
                    "why": p.why(),
                    "kind": kind(p.kind),
                    "reasons": p.reasons.iter().map(|r| serde_json::json!({
                        "feature": FEATURES[r.feature].id, "high": r.high, "effect": r.effect,
                    })).collect::<Vec<_>>(),
                })
            })
            .collect();
        println!("{}", serde_json::Value::Array(list));
        return Ok(());
    }
    for (number, p) in proposals.iter().enumerate() {
        println!(
            "map {} of {}: expected {:+.1} ± {:.1}, {}",
            number + 1,
            proposals.len(),
            p.predicted.mean,
            p.predicted.deviation,
            p.why()
        );
        println!("{}\n", map_to_text(&p.map, Blank::Dot));
    }
    Ok(())
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::GettingToKnow => "getting_to_know",
        Kind::Liked => "liked",
        Kind::Surprise => "surprise",
    }
}
