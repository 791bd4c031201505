//! Word meaning: data/semantics/*.pack, one file per language and licence group.

mod clean;
mod dictionaries;
mod english;
mod gcide;
pub mod licences;
pub mod names;
mod project;
pub mod readers;
mod vocabulary;
mod wordnet;

use super::fetch::Cache;
use semantics::pack::Writer;
use std::path::Path;

#[derive(clap::Args)]
pub struct Args {
    /// Write the packs into this folder instead of data/semantics
    #[arg(long)]
    out: Option<std::path::PathBuf>,
}

pub fn run(args: Args, root: &Path) -> anyhow::Result<()> {
    let cache = Cache::new(root);
    let out = args.out.unwrap_or_else(|| root.join("data/semantics"));
    anyhow::ensure!(
        out.ends_with("semantics"),
        "{}: the folder of the packs must be called `semantics`, for the finished ones are opened as `DATA/semantics`",
        out.display()
    );
    std::fs::create_dir_all(&out)?;
    let english = english::build(&cache, &out)?;
    let czech = project::build(&cache, &out, &english, &dictionaries::czech(&cache)?)?;
    project::build(&cache, &out, &english, &dictionaries::polish(&cache)?)?;
    project::build(&cache, &out, &english, &dictionaries::slovak(&cache, &czech)?)?;
    licences::write(&cache, root, &out)
}

/// Writes Zipf frequencies (in 25ths) as a pack of their own.
fn write_frequencies(path: &Path, fingerprint: u64, zipf: impl Iterator<Item = f32>) -> anyhow::Result<()> {
    let mut w = Writer::new();
    w.add("words.fingerprint", &[fingerprint]);
    w.add("freq.zipf", &zipf.map(|z| (z * 25.0).round().clamp(0.0, 255.0) as u8).collect::<Vec<u8>>());
    Ok(w.write(path)?)
}
