//! `parlour models`: list and verify the learned parameters in the data folder.

use anyhow::{Context, Result, anyhow, bail};
use catalog::models;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour models --json")]
pub struct Args {
    /// Data folder (default: data/ beside the program or above it)
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let data = catalog::data::find(args.data.as_deref()).map_err(|error| anyhow!(error))?;
    let data = data.context("there is no data folder beside the program or above it: name --data")?;
    let models = models::list(&data).map_err(|error| anyhow!(error))?;
    let checked: Vec<_> = models.iter().map(|model| model.verify(&data)).collect();
    if args.json {
        let rows: Vec<_> = models
            .iter()
            .zip(&checked)
            .map(|(model, checked)| {
                json!({"name": model.name, "kind": model.kind, "file": model.file, "sha256": model.sha256,
                    "command": model.command, "seed": model.seed, "licence": model.licence, "results": model.results,
                    "intact": checked.is_ok()})
            })
            .collect();
        println!("{}", serde_json::Value::from(rows));
    } else {
        for (model, checked) in models.iter().zip(&checked) {
            match checked {
                Ok(bytes) => println!("ok       {:28} {bytes:>9} bytes  {}", model.name, model.command),
                Err(problem) => println!("PROBLEM  {}: {problem}", model.name),
            }
        }
    }
    match checked.iter().filter(|checked| checked.is_err()).count() {
        0 => Ok(()),
        damaged => bail!("{damaged} of {} models do not match their manifests", models.len()),
    }
}
