//! `parlour gomoku convert` and `picture`: converts game files and draws positions.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use gomoku::formats::{self, Format, Record, svg};
use gomoku::rules::{PositionSetup, Rule};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku convert game.psq --to sgf")]
pub struct Args {
    /// Game in psq, SGF or plain notation; `-` reads standard input
    file: PathBuf,
    /// Output format
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
    let record = read(&args.file, args.size)?;
    let format = match args.to {
        To::Psq => Format::Psq,
        To::Sgf => Format::Sgf,
        To::Plain => Format::Plain,
    };
    ensure!(
        format == Format::Sgf || record.alternates(),
        "the stones do not alternate from black, which only SGF can write"
    );
    let text = formats::write(&record, format);
    print!("{text}{}", if text.ends_with('\n') { "" } else { "\n" });
    Ok(())
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
    let name = || file.display().to_string();
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text)?;
    } else {
        text = std::fs::read_to_string(file).with_context(name)?;
    }
    formats::read(&text, size).with_context(name)
}
