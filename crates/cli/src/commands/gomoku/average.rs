//! `parlour gomoku average`: the mean of the weights of nets.

use anyhow::{Context, Result};
use gomoku::engine::net::Net;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku average runs/e/freestyle.net runs/f/freestyle.net --out mean.net")]
pub struct Args {
    /// Nets of one training run, two or more
    #[arg(required = true, num_args = 2..)]
    nets: Vec<PathBuf>,
    /// File of the mean
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    let nets: Vec<Net> = args.nets.iter().map(|path| super::weights::load(path)).collect::<Result<_>>()?;
    let mean = Net::average(&nets).context("some of the nets have a policy network and others have none")?;
    let part = args.out.with_added_extension("part");
    std::fs::write(&part, mean.to_bytes()).with_context(|| part.display().to_string())?;
    std::fs::rename(&part, &args.out).with_context(|| args.out.display().to_string())?;
    println!("{}: the mean of {} nets", args.out.display(), nets.len());
    Ok(())
}
