//! `parlour lexicon words`: the words that fit a pattern.

use super::{LexiconArgs, print_words};
use crate::commands::scrabble::lexicons;
use anyhow::Result;
use lexicon::Pattern;

#[derive(clap::Args)]
pub struct Args {
    /// Letters, `?` for any one, `*` for any number, `[AEI]` or `[^AEI]` for one of
    pattern: String,
    #[command(flatten)]
    lexicon: LexiconArgs,
    /// Maximum number of words printed
    #[arg(long, default_value_t = usize::MAX)]
    limit: usize,
}

pub fn run(args: Args) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon.lexicon)?;
    let pattern = Pattern::parse(&args.pattern, &lexicon)?;
    print_words(&lexicon, lexicon.matching(&pattern, args.limit), args.lexicon.json)
}
