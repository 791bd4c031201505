//! `parlour homeguard lab`: the experiments of Šindelář 2024 (chapter 7) with figures and tables.

use std::path::{Path, PathBuf};

use ::lab::homeguard::config::ExperimentConfig;
use ::lab::homeguard::run::{LabPlan, run as run_plan};
use anyhow::{Context, Result, bail};

use crate::commands::queue::{QueueArgs, all_cores};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard lab --quick --out out")]
pub struct Args {
    /// Small run, minutes: 300 trees, 5 training sets, 32 channels
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Medium run, about ten minutes: 4,000 trees, 20 training sets, 64 channels, the published draws and known bad
    #[arg(long, conflicts_with_all = ["quick", "full"])]
    medium: bool,
    /// Published sizes, hours: 20,000 trees, 20 training sets of 900, 128 channels
    #[arg(long)]
    full: bool,
    /// Folder for results; an interrupted run resumes there
    #[arg(long, default_value = "out")]
    out: PathBuf,
    /// Map file of existing trees; without it the run grows its trees
    #[arg(short = 'm', long)]
    map_filename: Option<PathBuf>,
    /// Tensor of orders
    #[arg(long, default_value = "actions.iwonformat")]
    actions_filename: PathBuf,
    /// Tensor of scores
    #[arg(long, default_value = "scores.iwonformat")]
    scores_filename: PathBuf,
    /// Tensor of best reachable scores
    #[arg(long, default_value = "minmaxes.iwonformat")]
    minmaxes_filename: PathBuf,
    /// Derive the tensor file names from the map file, as `trees` names them
    #[arg(short = 'd', long)]
    derive_filenames_from_map_file: bool,
    /// Configuration with the published keys; lists expand to the product of all runs
    #[arg(long)]
    config_filename: Option<PathBuf>,
    /// Write the expanded configurations into this folder and stop
    #[arg(long)]
    config_out_folder: Option<PathBuf>,
    /// Number of training sets
    #[arg(long)]
    num_splits: Option<usize>,
    /// Branches sampled per tree and training step
    #[arg(long)]
    sample_branches: Option<usize>,
    /// Use only this training set (counted from 0)
    #[arg(long)]
    split: Option<usize>,
    /// With --split: use all training sets from 0 to it
    #[arg(long, requires = "split")]
    do_splits_from_zero: bool,
    /// With --config-filename: also evaluate the encoder before training (always done otherwise)
    #[arg(long)]
    experiments_also_before: bool,
    /// Use the printed formula (recall times the share removed) instead of plain recall
    #[arg(long)]
    literal_recall: bool,
    /// Maximum number of test trees (at most half of all)
    #[arg(long)]
    max_val: Option<usize>,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Concurrent jobs in this process
    #[arg(long, default_value_t = all_cores())]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn beside(base: &Path, ending: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The map file and the tensors that `trees` puts beside it: orders, scores, best scores.
pub fn tensor_files(maps: &Path) -> [PathBuf; 4] {
    let endings = [".treeLAInds.iwonformat", ".treeScores.iwonformat", ".treeMinmaxes.iwonformat"];
    let [actions, scores, best] = endings.map(|ending| beside(maps, ending));
    [maps.to_owned(), actions, scores, best]
}

pub fn run(args: Args) -> Result<()> {
    let configs = match &args.config_filename {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let value: serde_json::Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
            ExperimentConfig::expand(&value).into_iter().map(Some).collect()
        }
        None => vec![None],
    };
    if let Some(folder) = &args.config_out_folder {
        std::fs::create_dir_all(folder)?;
        for (number, config) in configs.iter().enumerate() {
            let text = serde_json::to_string_pretty(&config.clone().unwrap_or_default().to_json())?;
            std::fs::write(folder.join(format!("config_{number}.json")), text)?;
        }
        println!("{} configurations in {}", configs.len(), folder.display());
        return Ok(());
    }
    if !args.quick && !args.medium && !args.full && args.map_filename.is_none() {
        bail!(
            "no size is given: use --quick (minutes), --medium, --full (hours), or --map-filename with existing trees"
        );
    }
    let queue = args.queue.open(args.threads)?;
    let mut answers = Vec::new();
    for (number, config) in configs.iter().enumerate() {
        let out = if configs.len() > 1 { args.out.join(format!("run_{number}")) } else { args.out.clone() };
        let mut plan = match (args.quick, args.medium) {
            (true, _) => LabPlan::quick(&out, args.seed),
            (_, true) => LabPlan::medium(&out, args.seed),
            _ => LabPlan::full(&out, args.seed),
        };
        if let Some(split) = args.split {
            plan.splits = if args.do_splits_from_zero { 0..split + 1 } else { split..split + 1 };
        }
        plan.literal = args.literal_recall;
        if let Some(config) = config {
            config.check().map_err(anyhow::Error::msg)?;
            plan.also_before = args.experiments_also_before;
            plan.net.learning_rate = config.learning_rate as f32;
            plan.net.decay = config.learning_rate_decay as f32;
            plan.net.embedding = config.embedding_dim;
            plan.net.batch = config.batch_size;
            plan.net.epochs = config.max_epochs;
            plan.net.channels = config.hidden_sizes.first().copied().unwrap_or(plan.net.channels);
            plan.config = config.clone();
        }
        plan.net.branches = args.sample_branches.unwrap_or(plan.net.branches).max(4);
        plan.sets = args.num_splits.unwrap_or(plan.sets);
        plan.max_test = args.max_val.unwrap_or(plan.max_test);
        plan.files = args.map_filename.as_ref().map(|maps| {
            if args.derive_filenames_from_map_file {
                tensor_files(maps)
            } else {
                [maps, &args.actions_filename, &args.scores_filename, &args.minmaxes_filename].map(PathBuf::clone)
            }
        });
        let begun = std::time::Instant::now();
        let quiet = args.json;
        let mut results = run_plan(&plan, queue.submitter(), &|line| {
            if !quiet {
                eprintln!("{:6.0} s  {line}", begun.elapsed().as_secs_f64());
            }
        })?;
        results["out"] = serde_json::json!(out.display().to_string());
        answers.push(results);
    }
    if args.json {
        let answer = if answers.len() == 1 { answers.remove(0) } else { serde_json::Value::Array(answers) };
        println!("{answer}");
    } else {
        for answer in &answers {
            let out = answer["out"].as_str().unwrap_or("");
            print!("{}", std::fs::read_to_string(Path::new(out).join("summary.txt")).unwrap_or_default());
        }
    }
    Ok(())
}
