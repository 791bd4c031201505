//! `parlour scrabble oracle`: move generation against the exhaustive generator.

use anyhow::{Result, bail};
use game::Seed;
use lexicon::{LexiconBuilder, Tile};
use rand::RngExt;
use scrabble::eval::oracle;
use scrabble::{Dictionary, Layout};

#[derive(clap::Args)]
pub struct Args {
    /// Lexicons to sample words from
    #[arg(long, value_delimiter = ',', default_values_t = ["en".to_owned(), "cs".to_owned(), "pl".to_owned(), "sk".to_owned()])]
    lexicons: Vec<String>,
    /// Positions per lexicon
    #[arg(long, default_value_t = 25_000)]
    positions: u64,
    /// Words sampled per batch of games
    #[arg(long, default_value_t = 250)]
    words: usize,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Compares both generators on random positions over words sampled from the lexicons.
pub fn run(args: Args) -> Result<()> {
    let layout = Layout::named("standard").expect("the standard board is shipped");
    for name in &args.lexicons {
        let source = super::lexicons::open(name)?;
        let all: Vec<Vec<Tile>> = source.words().collect();
        let short: Vec<&Vec<Tile>> = all.iter().filter(|w| w.len() <= 3).collect();
        let (mut seen, mut batch) = (0, 0);
        while seen < args.positions {
            let mut rng = Seed(args.seed).rng(batch);
            batch += 1;
            let mut builder = LexiconBuilder::new(source.alphabet().clone());
            for i in 0..args.words {
                // short words make boards grow together
                let word = if i % 3 == 0 && !short.is_empty() {
                    short[rng.random_range(0..short.len())]
                } else {
                    &all[rng.random_range(0..all.len())]
                };
                builder.add(word);
            }
            let dictionary = Dictionary::new(builder.build()?)?;
            let words: Vec<Vec<Tile>> = dictionary.lexicon().words().collect();
            for _ in 0..8 {
                match oracle::random_game(&dictionary, &words, &layout, &mut rng, 16) {
                    Ok(positions) => seen += positions,
                    Err(difference) => bail!("{name}, batch {batch}: {difference}"),
                }
            }
        }
        println!("{name}: {seen} positions, all plays and the best play the same");
    }
    Ok(())
}
