//! `parlour homeguard profile`: shows, exports, imports or resets a profile.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::engine::preference::features::FEATURES;
use homeguard::engine::preference::{PreferenceModel, PreferenceProfile, weighted};
use homeguard::engine::tree::TreeMaker;
use homeguard::rules::Size;

use super::map_files::{load_pool, read_profile, write_profile};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard profile --profile me.json")]
pub struct Args {
    /// Profile file (JSON)
    #[arg(long)]
    profile: PathBuf,
    /// Delete all ratings
    #[arg(long)]
    reset: bool,
    /// Import the ratings of another profile as shared ratings
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Copy the profile to another file
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Measure all maps again where the stored features are outdated, and store the result
    #[arg(long)]
    refresh: bool,
    /// Data folder
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut profile = if args.reset { PreferenceProfile::default() } else { read_profile(&args.profile)? };
    if let Some(path) = &args.import {
        profile.import(&read_profile(path)?);
    }
    if args.refresh {
        profile.refresh(&mut TreeMaker::new())?;
    }
    if args.reset || args.refresh || args.import.is_some() {
        write_profile(&args.profile, &profile)?;
    }
    if let Some(path) = &args.export {
        write_profile(path, &profile)?;
    }
    let rated = profile.rated(&mut TreeMaker::new())?;
    let pool = load_pool(args.data.as_deref(), Size::DEFAULT)?;
    let model = PreferenceModel::fit(pool.scale(), &weighted(pool.scale(), &rated));
    let mut order: Vec<usize> = (0..FEATURES.len()).collect();
    order.sort_by(|a, b| model.relevance()[*b].total_cmp(&model.relevance()[*a]));
    let top: Vec<(usize, f64)> = order
        .into_iter()
        .take(6)
        .filter(|f| model.relevance()[*f] > 0.02)
        .map(|f| {
            let curve = model.curve(f);
            // from one deviation below to one above the average
            (f, curve[12].1.mean - curve[4].1.mean)
        })
        .collect();
    if args.json {
        let likes: Vec<serde_json::Value> = top
            .iter()
            .map(|(f, slope)| {
                serde_json::json!({ "feature": FEATURES[*f].id, "relevance": model.relevance()[*f], "slope": slope })
            })
            .collect();
        println!("{}", serde_json::json!({ "ratings": rated.len(), "features": likes }));
        return Ok(());
    }
    println!("{} ratings", rated.len());
    for (f, slope) in top {
        let words = if slope >= 0.0 { FEATURES[f].high } else { FEATURES[f].low };
        println!("  seems to like {words} ({:.0} % sure it matters)", 100.0 * model.relevance()[f]);
    }
    Ok(())
}
