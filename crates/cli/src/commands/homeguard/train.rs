//! `parlour homeguard train`: trains the tree encoder of Šindelář 2024 (section 5.5).

use std::path::PathBuf;
use std::time::Instant;

use ::lab::homeguard::dataset::Dataset;
use ::lab::homeguard::trees::{TreeSpec, write_atomically};
use anyhow::{Context, Result, anyhow, bail};
use homeguard::engine::encoder::{EncoderTraining, NetSettings, SetAutoencoder};
use homeguard::engine::tree::{PlaythroughTree, TreeSettings};
use homeguard::rules::Size;

use super::lab::tensor_files;
use crate::commands::queue::{QueueArgs, all_cores};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard train --maps 90 --out encoder.bin")]
pub struct Args {
    /// Output file; an interrupted training resumes from OUT.training
    #[arg(long, default_value = "encoder.bin")]
    out: PathBuf,
    /// Map file written by `trees`; without it the command grows trees
    #[arg(short = 'm', long)]
    map_filename: Option<PathBuf>,
    /// Cover layouts to grow trees on, ten trees each
    #[arg(long, default_value_t = 90)]
    maps: usize,
    /// Published settings: paper (batch 128, 20 epochs) or sample (64, 10)
    #[arg(long, default_value = "sample")]
    preset: String,
    /// Channels, a multiple of 4
    #[arg(long, default_value_t = 128)]
    channels: usize,
    /// Embedding dimension
    #[arg(long, default_value_t = 64)]
    embedding: usize,
    /// Branches sampled per tree and step
    #[arg(long, default_value_t = 128)]
    branches: usize,
    /// Epochs, instead of the preset's
    #[arg(long)]
    epochs: Option<usize>,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Concurrent trees in this process
    #[arg(long, default_value_t = all_cores())]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let (batch, epochs) = match args.preset.as_str() {
        "paper" => (128, 20),
        "sample" => (64, 10),
        other => bail!("--preset {other}: use paper or sample"),
    };
    if args.channels == 0 || !args.channels.is_multiple_of(4) {
        bail!("--channels {}: a multiple of 4 is needed, one part per head", args.channels);
    }
    let settings = NetSettings {
        channels: args.channels,
        embedding: args.embedding.max(1),
        heads: 4,
        branches: args.branches.max(4),
        batch,
        epochs: args.epochs.unwrap_or(epochs),
        learning_rate: 0.005,
        decay: 0.95,
        seed: args.seed,
    };
    let data = match &args.map_filename {
        Some(maps) => {
            let paths = tensor_files(maps);
            Dataset::read([&paths[0], &paths[1], &paths[2], &paths[3]], 1, 1, args.seed)?
        }
        None => {
            let order = TreeSpec {
                maps: args.maps.max(3),
                trees_per_map: 10,
                size: Size::DEFAULT,
                settings: TreeSettings::sindelar(4, 500, 0.0),
                seed: args.seed,
            };
            eprintln!("growing {} trees", order.trees());
            Dataset::grow(&order, 1, 1, args.queue.open(args.threads)?.submitter())?
        }
    };
    let trees: Vec<&PlaythroughTree> = data.items.iter().map(|item| &item.tree).collect();
    let mut net = SetAutoencoder::new(settings, &trees);
    let mut name = args.out.clone().into_os_string();
    name.push(".training");
    let state = PathBuf::from(name);
    let mut training = match std::fs::read(&state) {
        Ok(bytes) => EncoderTraining::resume(&mut net, &bytes)
            .map_err(|problem| anyhow!("{}: {problem}; remove it to start afresh", state.display()))?,
        Err(_) => EncoderTraining::new(&settings),
    };
    let (begun, before) = (Instant::now(), training.done);
    let mut errors = Vec::new();
    while training.done < settings.epochs {
        let error = training.epoch(&mut net, &trees);
        errors.push(error);
        write_atomically(&state, &training.to_bytes(&mut net))?;
        let each = begun.elapsed().as_secs_f64() / (training.done - before) as f64;
        let left = each * (settings.epochs - training.done) as f64;
        eprintln!(
            "epoch {} of {}: error {error:.4} of variance 1, about {left:.0} s left",
            training.done, settings.epochs
        );
    }
    write_atomically(&args.out, &net.to_file())?;
    std::fs::remove_file(&state).ok();
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let answer = serde_json::json!({
            "trees": trees.len(), "epochs": settings.epochs, "errors": errors, "seconds": seconds,
            "out": args.out.display().to_string(),
        });
        println!("{answer}");
    } else {
        let last = errors.last().context("the training was finished before; choose another --out")?;
        println!("error {last:.4} of variance 1 after {seconds:.0} s: {}", args.out.display());
    }
    Ok(())
}
