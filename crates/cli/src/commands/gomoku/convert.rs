//! `parlour gomoku convert` and `picture`: converts game files and draws positions.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use gomoku::formats::{self, Format, GameTree, Record, renlib, sgf_tree, svg};
use gomoku::rules::{PositionSetup, Rule};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku convert game.psq --to sgf")]
pub struct Args {
    /// Game in psq, SGF, RenLib or plain notation; `-` reads standard input
    file: PathBuf,
    /// Output file instead of standard output
    #[arg(long)]
    out: Option<PathBuf>,
    /// Output format; SGF and RenLib keep variations and comments
    #[arg(long, value_enum)]
    to: To,
    /// Points per side for plain notation, which does not state them
    #[arg(long, default_value_t = 15)]
    size: u8,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum To {
    Psq,
    Sgf,
    Plain,
    /// RenLib library
    Lib,
}

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku picture game.sgf --out game.png --at 20")]
pub struct PictureArgs {
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
    let name = || args.file.display().to_string();
    let tree = formats::read_tree(&bytes(&args.file)?, args.size).with_context(name)?;
    let bytes = match args.to {
        To::Lib => renlib::write(&tree).with_context(name)?,
        To::Sgf => sgf_tree::write(&tree).into_bytes(),
        To::Psq => main_line(&tree, Format::Psq)?.into_bytes(),
        To::Plain => main_line(&tree, Format::Plain)?.into_bytes(),
    };
    match &args.out {
        Some(out) => std::fs::write(out, bytes).with_context(|| out.display().to_string()),
        None => Ok(std::io::stdout().write_all(&bytes)?),
    }
}

/// The main line as text that ends in a line break.
fn main_line(tree: &GameTree, format: Format) -> Result<String> {
    let record = tree.main_line();
    ensure!(record.alternates(), "the stones do not alternate from black, which only SGF can write");
    let text = formats::write(&record, format);
    Ok(if text.ends_with('\n') { text } else { text + "\n" })
}

pub fn picture(args: PictureArgs) -> Result<()> {
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

fn read(file: &Path, size: u8) -> Result<Record> {
    let tree = formats::read_tree(&bytes(file)?, size).with_context(|| file.display().to_string())?;
    Ok(tree.main_line())
}

fn bytes(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    }
    Ok(bytes)
}
