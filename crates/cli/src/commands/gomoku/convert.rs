//! `parlour gomoku convert`: converts game files between formats.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use gomoku::formats::{self, Format, GameTree, Record, renlib, sgf_tree};

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

pub(super) fn read(file: &Path, size: u8) -> Result<Record> {
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
