//! `parlour lexicon anagram`: the words that a rack spells.

use super::{LexiconArgs, print_words};
use crate::commands::scrabble::lexicons;
use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    /// Tiles; `?` is a blank
    rack: String,
    #[command(flatten)]
    lexicon: LexiconArgs,
    /// Also words that use only some of the tiles
    #[arg(long)]
    partial: bool,
}

pub fn run(args: Args) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon.lexicon)?;
    let rack = lexicon.alphabet().encode_rack(&args.rack)?;
    print_words(&lexicon, lexicon.anagrams(&rack, args.partial), args.lexicon.json)
}
