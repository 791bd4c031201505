//! `parlour gomoku compare`: is one setting of the engine stronger than another?

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use gomoku::engine::{Evaluation, Limits};
use gomoku::rules::{MAX_SIZE, MIN_SIZE, Rule};
use lab::gomoku::compare::{Plan, Setting, run as compare};
use lab::gomoku::contender::tables;
use lab::gomoku::patterns;

#[derive(clap::Args)]
pub struct Args {
    /// The first side: `pattern`, `pattern=FILE` (weights of `train`) or `net=FILE`, then constants of the search, as in `pattern,limit_base=3,killer=30`
    #[arg(long, default_value = "pattern")]
    a: String,
    /// The second side
    #[arg(long, default_value = "pattern")]
    b: String,
    /// freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board sizes, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Most pairs of games (each opening is played with both colours)
    #[arg(long, default_value_t = 200)]
    pairs: usize,
    /// Nodes for a move
    #[arg(long, default_value_t = 4000)]
    nodes: u64,
    /// Milliseconds for a move instead of nodes
    #[arg(long, value_name = "T", conflicts_with = "nodes")]
    ms: Option<u64>,
    /// Stop as soon as it is decided between these differences of strength, as in `0,20`
    #[arg(long, value_delimiter = ',', num_args = 2, value_name = "ELO0,ELO1")]
    sprt: Vec<f64>,
    /// Pairs played at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
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
            let weights = patterns::from_bytes(&bytes);
            let weights = weights.with_context(|| format!("{file}: not weights of patterns that `train` wrote"))?;
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
        Some(ms) => Limits::turn(Duration::from_millis(ms.max(1))),
        None => Limits::nodes(args.nodes.max(50)),
    };
    let sprt = (args.sprt.len() == 2).then(|| (args.sprt[0], args.sprt[1]));
    let plan =
        Plan { rule, sizes: args.sizes, pairs: args.pairs, limits, sprt, threads: args.threads, seed: args.seed };
    let (elo0, elo1) = sprt.unwrap_or((0.0, 20.0));
    let told = |tally: &lab::gomoku::duel::Tally| {
        let (elo, low, high) = tally.elo();
        let (games, score, llr) = (tally.games(), 100.0 * tally.score(), tally.llr(elo0, elo1));
        format!("{games} games: {score:.1}%, {elo:+.0} Elo [{low:.0}, {high:.0}], LLR({elo0}, {elo1}) {llr:.2}")
    };
    let tally = compare(&plan, &sides, &|tally| {
        if tally.games().is_multiple_of(40) {
            eprintln!("{}", told(tally));
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
        println!("{}", told(&tally));
    }
    Ok(())
}
