//! `parlour lexicon`: build, check and query word graphs.

mod anagram;
mod build;
mod check;
mod extensions;
mod hooks;
mod info;
mod list;
mod words;

use anyhow::Result;
use lexicon::{Lexicon, Tile};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Build a lexicon file from a word list, one word a line
    #[command(after_help = "Example: parlour lexicon build words.txt --name hu --out hu.lex")]
    Build(build::Args),
    /// Read a lexicon and compare it word for word with its list
    #[command(after_help = "Example: parlour lexicon check en --words words.txt")]
    Check(check::Args),
    /// Print what a lexicon holds: words, nodes, tiles
    #[command(after_help = "Example: parlour lexicon info --lexicon cs")]
    Info(LexiconArgs),
    /// List the words that fit a pattern
    #[command(after_help = "Example: parlour lexicon words \"Q[^U]*\" --limit 20")]
    Words(words::Args),
    /// List the words that a rack spells
    #[command(after_help = "Example: parlour lexicon anagram AEINRS? --partial")]
    Anagram(anagram::Args),
    /// List words by the probability of drawing their tiles, for study
    #[command(after_help = "Example: parlour lexicon list --lexicon cs --length 7 --limit 500")]
    List(list::Args),
    /// List the words that continue a word at the front or the back
    #[command(after_help = "Example: parlour lexicon extensions RATE")]
    Extensions(extensions::Args),
    /// List the letters that extend a word by one at the front or back
    #[command(after_help = "Example: parlour lexicon hooks RATE")]
    Hooks(hooks::Args),
}

#[derive(clap::Args)]
pub struct LexiconArgs {
    /// Lexicon file or name (en, cs, pl, sk)
    #[arg(long, default_value = "en")]
    pub lexicon: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Build(args) => build::run(args),
        Command::Check(args) => check::run(args),
        Command::Info(args) => info::run(args),
        Command::Words(args) => words::run(args),
        Command::Anagram(args) => anagram::run(args),
        Command::List(args) => list::run(args),
        Command::Extensions(args) => extensions::run(args),
        Command::Hooks(args) => hooks::run(args),
    }
}

fn print_words(lexicon: &Lexicon, words: Vec<Vec<Tile>>, json: bool) -> Result<()> {
    let alphabet = lexicon.alphabet();
    let words: Vec<String> = words.iter().map(|w| alphabet.decode(w)).collect();
    if json {
        println!("{}", serde_json::to_string(&words)?);
    } else {
        for word in words {
            println!("{word}");
        }
    }
    Ok(())
}
