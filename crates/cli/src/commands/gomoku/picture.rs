//! `parlour gomoku picture`: draws a position.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use gomoku::formats::svg;
use gomoku::rules::{PositionSetup, Rule};

use super::convert::read;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku picture game.sgf --out game.png --at 20")]
pub struct Args {
    /// Game in psq, SGF or plain notation; `-` reads standard input
    file: PathBuf,
    /// Output file, .svg or .png
    #[arg(long)]
    out: PathBuf,
    /// Show the position after this many stones
    #[arg(long)]
    at: Option<usize>,
    /// Rule for forbidden points and the winning line, where the file names none
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Points per side for plain notation, which does not state them
    #[arg(long, default_value_t = 15)]
    size: u8,
    /// Leave out stone numbers
    #[arg(long)]
    no_numbers: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut record = read(&args.file, args.size)?;
    if let Some(at) = args.at {
        ensure!(at <= record.stones.len(), "--at {at}: the game has only {} stones", record.stones.len());
        record.stones.truncate(at);
    }
    let to_move = record.stones.last().map_or(gomoku::rules::Color::Black, |stone| stone.color.opponent());
    let setup = PositionSetup {
        rule: record.rule.unwrap_or(args.rule),
        size: record.size,
        stones: record.stones.clone(),
        to_move,
    };
    let svg =
        svg::write(&setup.position()?, svg::PictureStyle { numbers: !args.no_numbers, ..svg::PictureStyle::default() });
    let bytes = match args.out.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => svg.into_bytes(),
        Some("png") => crate::picture::png(&svg)?,
        _ => bail!("{}: the ending must be .svg or .png", args.out.display()),
    };
    std::fs::write(&args.out, bytes).with_context(|| args.out.display().to_string())
}
