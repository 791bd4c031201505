//! `parlour gomoku train`: trains pattern weights and nets by self-play, generation by generation, resumable.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};
use gomoku::rules::{MAX_SIZE, MIN_SIZE, Rule};
use lab::gomoku::train::{TrainPlan, run as train};

use crate::commands::queue::QueueArgs;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku train --rule standard --generations 8 --out runs/standard")]
pub struct Args {
    /// Run the training steps of a recipe (JSON) instead of one training; all other options are ignored
    #[arg(long, value_name = "FILE")]
    recipe: Option<PathBuf>,
    /// Folder of the run; an existing run resumes
    #[arg(long, default_value = "runs/gomoku")]
    out: PathBuf,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board sizes in points, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Number of generations
    #[arg(long, default_value_t = 6)]
    generations: usize,
    /// Generations that fit patterns before nets are trained; 0 trains nets on the built-in patterns
    #[arg(long, default_value_t = 3)]
    pattern_generations: usize,
    /// Games per generation
    #[arg(long, default_value_t = 8000)]
    games: usize,
    /// Nodes per move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Probability, per move, of labelling an off-trajectory position: a search meets such positions, games do not
    #[arg(long, alias = "aside", default_value_t = 0.7)]
    off_trajectory: f32,
    /// Policy-only games (no search) per game; a search labels their positions, which a player without search meets
    #[arg(long, alias = "likely", default_value_t = 0.2)]
    policy_games: f32,
    /// Epochs of the net
    #[arg(long, default_value_t = 3)]
    epochs: usize,
    /// Epochs of the policy network, which chooses moves without search
    #[arg(long, alias = "reader-epochs", default_value_t = 4)]
    policy_epochs: usize,
    /// Maximum number of game pairs of a promotion match
    #[arg(long, default_value_t = 400)]
    pairs: usize,
    /// Net that the first generation starts from; the generation must still win its promotion match
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Games of an earlier run (gen-NNN/games.bin) for the policy network to rehearse, each once; may be repeated
    #[arg(long, value_name = "FILE")]
    rehearse: Vec<PathBuf>,
    /// Number of threads of the local queue
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Seed of games, weights and matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    queue: QueueArgs,
}

impl Args {
    /// Whether a recipe is to be run.
    pub fn is_recipe(&self) -> bool {
        self.recipe.is_some()
    }
}

pub fn run(args: Args) -> Result<()> {
    if let Some(recipe) = &args.recipe {
        return super::recipe::run(recipe);
    }
    let rule: Rule = args.rule.parse()?;
    check_sizes(&args.sizes)?;
    let plan = TrainPlan {
        folder: args.out,
        rule,
        sizes: args.sizes,
        generations: args.generations,
        pattern_generations: args.pattern_generations,
        games: args.games.max(40),
        nodes: args.nodes.max(50),
        off_trajectory: args.off_trajectory.clamp(0.0, 1.0),
        policy_games: args.policy_games.clamp(0.0, 100.0),
        epochs: args.epochs,
        policy_epochs: args.policy_epochs,
        pairs: args.pairs,
        from: args.from.as_deref().map(super::weights::load).transpose()?.map(Arc::new),
        rehearsed: args.rehearse,
        seed: args.seed,
    };
    let queue = args.queue.open(args.threads)?;
    train(&plan, queue.submitter(), &mut |line| println!("{line}"))?;
    println!("{}: weights, plots and games of every generation", plan.folder.display());
    Ok(())
}

/// Checks that boards of these sizes are supported.
pub fn check_sizes(sizes: &[u8]) -> Result<()> {
    ensure!(!sizes.is_empty(), "--sizes: at least one board size");
    for size in sizes {
        ensure!((MIN_SIZE..=MAX_SIZE).contains(size), "--sizes: {size} is not {MIN_SIZE} to {MAX_SIZE}");
    }
    Ok(())
}
