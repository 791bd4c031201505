//! `parlour homeguard measure`: the tree statistics and the five measures of a map.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::engine::preference::features::{FEATURES, measure};
use homeguard::engine::preference::{BEHAVIOUR, MapPool};
use homeguard::engine::tree::{TreeMaker, TreeMetrics};

use super::map_files::{load_pool, read_map};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard measure --map map.txt --json")]
pub struct Args {
    /// Map: a file, its text, or - for standard input
    #[arg(long)]
    map: String,
    /// Data folder
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let map = read_map(&args.map)?;
    let measured = measure(&map, &mut TreeMaker::new());
    let object = |pairs: Vec<(&str, f64)>| -> serde_json::Value {
        pairs
            .into_iter()
            .map(|(name, value)| (name.to_owned(), serde_json::json!(value)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let statistics: Vec<(&str, f64)> = FEATURES.iter().map(|f| f.id).zip(measured.features.0).collect();
    let metrics: Vec<(&str, f64)> = TreeMetrics::NAMES.into_iter().zip(measured.metrics.values()).collect();
    let behaviour: Vec<(&str, f64)> = BEHAVIOUR.into_iter().zip(MapPool::behaviour(&measured.features)).collect();
    if args.json {
        let cell = load_pool(args.data.as_deref(), map.size())?.cell(&measured.features);
        let answer = serde_json::json!({
            "size": map.size().side(),
            "statistics": object(statistics),
            "metrics": object(metrics),
            "behaviour": object(behaviour),
            "cell": cell,
        });
        println!("{answer}");
        return Ok(());
    }
    for (name, value) in metrics.into_iter().chain(statistics) {
        println!("{name:24} {value:9.4}");
    }
    Ok(())
}
