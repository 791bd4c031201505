//! `parlour semantics`: word meaning, models from a text of one's own, and measures.

mod bench;
mod clue;
mod compare;
mod count;
mod counts;
pub(super) mod data;
mod encode;
mod eval;
mod explain;
mod output;
mod pack_args;
mod prepare;
mod progress;
mod sense_args;
mod similar;
mod split;
mod train;

use clap::Subcommand;
use pack_args::PackArgs;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    packs: PackArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the words nearest to a word, or to several together
    Similar(similar::Args),
    /// Compare two words: cosine, association both ways, links
    Compare(compare::Args),
    /// Explain the links between a clue and a word
    Explain(explain::Args),
    /// Rank answers to a crossword clue
    Clue(clue::Args),
    /// Encode texts as vectors with the sentence encoder
    Encode(encode::Args),
    /// Measure against human data
    Eval(eval::Args),
    /// Measure how quickly packs open and queries are answered
    Bench,
    /// Prepare a text as a corpus: one sentence a line, base forms, no function or rare words
    Prepare(prepare::Args),
    /// Count word co-occurrences in a corpus with bounded memory
    Count(count::Args),
    /// Query a matrix written by `count`
    Counts(counts::Args),
    /// Split homonyms of a corpus into two words each, to train vectors by meaning
    Split(split::Args),
    /// Train word vectors on a corpus
    Train(train::Args),
}

pub fn run(args: Args) -> anyhow::Result<()> {
    let packs = &args.packs;
    match &args.command {
        Command::Similar(args) => similar::run(args, packs),
        Command::Compare(args) => compare::run(args, packs),
        Command::Explain(args) => explain::run(args, packs),
        Command::Clue(args) => clue::run(args, packs),
        Command::Encode(args) => encode::run(args, packs),
        Command::Eval(args) => eval::run(args, packs),
        Command::Bench => bench::run(packs),
        Command::Prepare(args) => prepare::run(args, packs),
        Command::Count(args) => count::run(args, packs),
        Command::Counts(args) => counts::run(args, packs),
        Command::Split(args) => split::run(args, packs),
        Command::Train(args) => train::run(args, packs),
    }
}
