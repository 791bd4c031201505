//! `parlour homeguard trees`: the tree maker of Šindelář 2024 (section 6.5) with its five arguments.

use std::path::PathBuf;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use ::lab::homeguard::trees::{TreeSpec, make_files};
use anyhow::{Context, Result, bail};
use homeguard::engine::tree::{Enemy, Selector, TreeSettings};
use homeguard::rules::Size;

use crate::commands::queue::{QueueArgs, all_cores};

#[derive(clap::Args)]
#[command(after_help = "Without arguments: \"\" 20 1 500 0. With the single argument `test`: a self-test.\n\
    Example: parlour homeguard trees trees 2000 4 500 0")]
pub struct Args {
    /// PATH ("" for the time now) MAPS (more than 2) ITERATIONS (more than 0) BRANCHES (0 or less keeps all) DROPOUT
    #[arg(value_name = "PATH MAPS ITERATIONS BRANCHES DROPOUT", allow_negative_numbers = true)]
    values: Vec<String>,
    /// Trees per map; they differ in portals and pruning seed
    #[arg(long, default_value_t = 10)]
    per_map: usize,
    /// Side of the board in cells: 7, 9, 11, 13 or 15
    #[arg(long, default_value_t = 11)]
    size: usize,
    /// Policy of the away side: greedy or maximin
    #[arg(long, default_value = "greedy")]
    enemy: String,
    /// Number of first iterations that keep all branches
    #[arg(long, default_value_t = 0)]
    take_all_bottom: usize,
    /// Number of last iterations that keep all branches
    #[arg(long, default_value_t = 0)]
    take_all_top: usize,
    /// Pruning: score (weighted sampling), states, states-covers or orders (k-means, keeps the leaf nearest each centre)
    #[arg(long, default_value = "score")]
    selector: String,
    /// Dropout of iterations that keep all branches
    #[arg(long, default_value_t = 0.0)]
    dropout_dont_cluster: f64,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Concurrent trees in this process
    #[arg(long, default_value_t = all_cores())]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
}

pub fn run(args: Args) -> Result<()> {
    let values: Vec<&str> = args.values.iter().map(String::as_str).collect();
    let (path, maps, iterations, branches, dropout) = match values[..] {
        [] => ("", "20", "1", "500", "0"),
        ["test"] => return self_test(),
        [path, maps, iterations, branches, dropout] => (path, maps, iterations, branches, dropout),
        _ => bail!(
            "trees takes no argument, the word test, or five: PATH MAPS ITERATIONS BRANCHES DROPOUT; {} were given",
            values.len()
        ),
    };
    let maps: usize = maps.parse().with_context(|| format!("MAPS '{maps}' is not a number"))?;
    let iterations: usize = iterations.parse().with_context(|| format!("ITERATIONS '{iterations}' is not a number"))?;
    let branches: i64 = branches.parse().with_context(|| format!("BRANCHES '{branches}' is not a whole number"))?;
    let dropout: f64 =
        dropout.replace(',', ".").parse().with_context(|| format!("DROPOUT '{dropout}' is not a number"))?;
    if maps <= 2 {
        bail!("MAPS is {maps}: more than 2 are needed");
    }
    if iterations == 0 {
        bail!("ITERATIONS is 0: at least 1 is needed");
    }
    if !(0.0..=1.0).contains(&dropout) {
        bail!("DROPOUT is {dropout}: a probability from 0 to 1 is needed");
    }
    let enemy = match args.enemy.as_str() {
        "greedy" => Enemy::GreedyPolicy,
        "maximin" => Enemy::MaximinPolicy,
        other => bail!("--enemy {other}: use greedy or maximin"),
    };
    let selector = match args.selector.as_str() {
        "score" => Selector::Score,
        "states" => Selector::States { covers: false },
        "states-covers" => Selector::States { covers: true },
        "orders" => Selector::Orders,
        other => bail!("--selector {other}: use score, states, states-covers or orders"),
    };
    if !(0.0..=1.0).contains(&args.dropout_dont_cluster) {
        bail!("--dropout-dont-cluster {}: a probability from 0 to 1 is needed", args.dropout_dont_cluster);
    }
    let settings = TreeSettings::sindelar(iterations, branches, dropout)
        .against(enemy)
        .keep_all(args.take_all_bottom, args.take_all_top)
        .dropout_without_pruning(args.dropout_dont_cluster)
        .selected_by(selector);
    let order =
        TreeSpec { maps, trees_per_map: args.per_map.max(1), size: Size::new(args.size)?, settings, seed: args.seed };
    let base = if path.is_empty() { PathBuf::from(time_name()) } else { PathBuf::from(path) };
    let begun = Instant::now();
    let total = order.trees();
    let mut first = None;
    let queue = args.queue.open(args.threads)?;
    make_files(&base, &order, queue.submitter(), |done| {
        let (at, before) = *first.get_or_insert((Instant::now(), done));
        if done > before {
            let left = at.elapsed().as_secs_f64() / (done - before) as f64 * (total - done) as f64;
            eprint!("\r{done} of {total} trees, about {left:.0} s left   ");
        }
    })?;
    eprintln!();
    println!("{total} trees in {:.1} s: {}", begun.elapsed().as_secs_f64(), base.display());
    Ok(())
}

/// `MM-dd_HH-mm` of now, in UTC.
fn time_name() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // civil date from days (H. Hinnant, "chrono-compatible low-level date algorithms")
    let z = days as i64 + 719_468;
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    format!("{month:02}-{day:02}_{:02}-{:02}", rest / 3_600, rest % 3_600 / 60)
}

/// Makes a few trees twice and compares them, and replays one.
fn self_test() -> Result<()> {
    let settings = TreeSettings::sindelar(2, 50, 0.1);
    let order = TreeSpec { maps: 3, trees_per_map: 2, size: Size::DEFAULT, settings, seed: 1 };
    let mut maker = homeguard::engine::tree::TreeMaker::new();
    for number in 0..order.trees() {
        let (one, two) = (order.grow(number, &mut maker)?, order.grow(number, &mut maker)?);
        if one != two || one.branches() != 50 {
            bail!("tree {number} differs between two runs");
        }
    }
    println!("self-test passed: {} trees made twice, equal", order.trees());
    Ok(())
}
