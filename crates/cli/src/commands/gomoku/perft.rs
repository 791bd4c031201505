//! `parlour gomoku perft`: counts move sequences and positions, or checks a file of counts.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use gomoku::formats::plain;
use gomoku::rules::{Perft, PositionSetup, Rule, perft};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku perft --size 5 --depth 4")]
pub struct Args {
    /// Check every line of this file instead (rule, size, stones, depth, counts; separated by tabs)
    #[arg(long, conflicts_with_all = ["rule", "size", "stones", "depth"])]
    file: Option<PathBuf>,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board size in points
    #[arg(long, default_value_t = 5)]
    size: u8,
    /// Stones to start from in plain notation, as in `h8i9`
    #[arg(long, default_value = "")]
    stones: String,
    /// Depth in stones
    #[arg(long, default_value_t = 4)]
    depth: u32,
}

pub fn run(args: Args) -> Result<()> {
    let Some(file) = args.file else {
        println!("{}", line(args.rule, args.size, &args.stones, args.depth)?);
        return Ok(());
    };
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut checked = 0;
    for (number, expected) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
        let place = || format!("{}, line {number}", file.display());
        let fields: Vec<&str> = expected.split('\t').collect();
        let [rule, size, stones, depth, ..] = fields[..] else { bail!("{}: fewer than four fields", place()) };
        let found = line(
            rule.parse().with_context(place)?,
            size.parse().with_context(place)?,
            stones,
            depth.parse().with_context(place)?,
        )
        .with_context(place)?;
        if found != expected {
            bail!("{}: expected {expected:?}, counted {found:?}", place());
        }
        checked += 1;
    }
    println!("{checked} counts are as filed");
    Ok(())
}

fn line(rule: Rule, size: u8, stones: &str, depth: u32) -> Result<String> {
    let position = PositionSetup::alternating(rule, size, plain::read(stones, size)?).position()?;
    let Perft { sequences, positions, wins, draws } = perft(&position, depth);
    Ok(format!("{rule}\t{size}\t{stones}\t{depth}\t{sequences}\t{positions}\t{wins}\t{draws}"))
}
