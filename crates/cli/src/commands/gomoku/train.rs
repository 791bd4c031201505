//! `parlour gomoku train`: from nothing to weights, generation by generation, resumable.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};
use gomoku::rules::{MAX_SIZE, MIN_SIZE, Rule};
use lab::gomoku::train::{Plan, run as train};

use crate::commands::queue::QueueArgs;

#[derive(clap::Args)]
pub struct Args {
    /// Folder of the run; a folder that exists is continued
    #[arg(long, default_value = "runs/gomoku")]
    out: PathBuf,
    /// freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board sizes, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// How many generations in all
    #[arg(long, default_value_t = 6)]
    generations: usize,
    /// How many of them tune patterns before nets are trained; 0 trains nets on the built-in patterns
    #[arg(long, default_value_t = 3)]
    pattern_generations: usize,
    /// Games of each generation
    #[arg(long, default_value_t = 8000)]
    games: usize,
    /// Nodes for a move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Chance, for every move, that a position beside the game is judged too: a search meets such positions, games do not
    #[arg(long, default_value_t = 0.7)]
    aside: f32,
    /// Further games by likely moves alone, on average for every game, whose positions are judged too, the likely moves
    /// compared with the best: a player without search meets such positions
    #[arg(long, default_value_t = 0.2)]
    likely: f32,
    /// Passes over the games when fitting the net
    #[arg(long, default_value_t = 3)]
    epochs: usize,
    /// Passes over the games when fitting the net's reader, the deep policy that chooses moves without search
    #[arg(long, default_value_t = 4)]
    reader_epochs: usize,
    /// Most pairs of games of a gate
    #[arg(long, default_value_t = 400)]
    pairs: usize,
    /// A net that the first net goes on from; its generation must still beat the players before it
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Games of an earlier run (its gen-NNN/games.bin) that the reader learns along with the new ones, each once, so that
    /// it does not forget; may be given more than once
    #[arg(long, value_name = "FILE")]
    rehearse: Vec<PathBuf>,
    /// Games played at the same time, if they are played by this process
    #[arg(long, default_value_t = 2)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    queue: QueueArgs,
}

pub fn run(args: Args) -> Result<()> {
    let rule: Rule = args.rule.parse()?;
    check_sizes(&args.sizes)?;
    let plan = Plan {
        folder: args.out,
        rule,
        sizes: args.sizes,
        generations: args.generations,
        pattern_generations: args.pattern_generations,
        games: args.games.max(40),
        nodes: args.nodes.max(50),
        aside: args.aside.clamp(0.0, 1.0),
        likely: args.likely.clamp(0.0, 100.0),
        epochs: args.epochs,
        reader_epochs: args.reader_epochs,
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

/// Whether boards of these sizes can be played on.
pub fn check_sizes(sizes: &[u8]) -> Result<()> {
    ensure!(!sizes.is_empty(), "--sizes: at least one board size");
    for size in sizes {
        ensure!((MIN_SIZE..=MAX_SIZE).contains(size), "--sizes: {size} is not {MIN_SIZE} to {MAX_SIZE}");
    }
    Ok(())
}
