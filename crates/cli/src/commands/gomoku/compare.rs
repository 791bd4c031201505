//! `parlour gomoku compare`: plays a match between two settings of the engine.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use gomoku::engine::{Evaluation, SearchLimits};
use gomoku::rules::{MAX_SIZE, MIN_SIZE, Rule};
use lab::gomoku::candidate::tables;
use lab::gomoku::compare::{ComparePlan, Setting, run as compare};
use lab::gomoku::fit_patterns;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku compare --a pattern,killer=60 --b pattern --pairs 400 --sprt 0,20")]
pub struct Args {
    /// First setting: `pattern`, `pattern=FILE` (weights of `train`) or `net=FILE`, then search constants, as in `pattern,limit_base=3,killer=30`
    #[arg(long, default_value = "pattern")]
    a: String,
    /// Second setting
    #[arg(long, default_value = "pattern")]
    b: String,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board sizes in points, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Maximum number of game pairs (each opening is played with both colours)
    #[arg(long, default_value_t = 200)]
    pairs: usize,
    /// Nodes per move
    #[arg(long, default_value_t = 4000)]
    nodes: u64,
    /// Milliseconds per move instead of nodes
    #[arg(long, value_name = "T", conflicts_with = "nodes")]
    ms: Option<u64>,
    /// Stop when an SPRT decides between these Elo differences, as in `0,20`
    #[arg(long, value_delimiter = ',', num_args = 2, value_name = "ELO0,ELO1")]
    sprt: Vec<f64>,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of openings and ties
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn setting(text: &str, rule: Rule) -> Result<Setting> {
    let (judge, constants) = text.split_once(',').unwrap_or((text, ""));
    let (evaluation, tables) = match judge.strip_prefix("pattern=") {
        Some(file) => {
            let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
            let weights = fit_patterns::from_bytes(&bytes);
            let weights =
                weights.with_context(|| format!("{file}: not a file of pattern weights that `train` wrote"))?;
            (Evaluation::Pattern, Some(tables(rule, &weights)))
        }
        None => (super::weights::named(judge)?, None),
    };
    let mut tuning = evaluation.tuning();
    tuning.apply(constants).map_err(|error| anyhow::anyhow!("{text:?}: {error}"))?;
    Ok(Setting { evaluation, tuning, tables })
}

pub fn run(args: Args) -> Result<()> {
    ensure!(!args.sizes.is_empty(), "--sizes: at least one board size");
    for size in &args.sizes {
        ensure!((MIN_SIZE..=MAX_SIZE).contains(size), "--sizes: {size} is not {MIN_SIZE} to {MAX_SIZE}");
    }
    let rule = args.rule.parse()?;
    let sides = [setting(&args.a, rule)?, setting(&args.b, rule)?];
    let limits = match args.ms {
        Some(ms) => SearchLimits::turn(Duration::from_millis(ms.max(1))),
        None => SearchLimits::nodes(args.nodes.max(50)),
    };
    let sprt = (args.sprt.len() == 2).then(|| (args.sprt[0], args.sprt[1]));
    let plan = ComparePlan {
        rule,
        sizes: args.sizes,
        pairs: args.pairs,
        limits,
        sprt,
        threads: args.threads,
        seed: args.seed,
    };
    let (elo0, elo1) = sprt.unwrap_or((0.0, 20.0));
    let summary = |tally: &lab::gomoku::match_play::PairTally| {
        let (elo, low, high) = tally.elo();
        let (games, score, llr) = (tally.games(), 100.0 * tally.score(), tally.llr(elo0, elo1));
        format!("{games} games: {score:.1}%, {elo:+.0} Elo [{low:.0}, {high:.0}], LLR({elo0}, {elo1}) {llr:.2}")
    };
    let tally = compare(&plan, &sides, &|tally| {
        if tally.games().is_multiple_of(40) {
            eprintln!("{}", summary(tally));
        }
    })?;
    if args.json {
        let (elo, low, high) = tally.elo();
        let llr = tally.llr(elo0, elo1);
        let found = serde_json::json!({
            "games": tally.games(), "score": tally.score(), "elo": elo, "interval95": [low, high], "llr": llr
        });
        println!("{found}");
    } else {
        println!("{}", summary(&tally));
    }
    Ok(())
}
