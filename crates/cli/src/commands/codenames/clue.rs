//! `parlour codenames clue`.

use super::board::read_board;
use super::language_args::{LanguageArgs, open_language_model};
use anyhow::{Context, Result, anyhow};
use codenames::players::Spymaster;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames clue --board board.json -n 5")]
pub struct Args {
    /// The board as JSON: words with role and revealed, and lang
    #[arg(long)]
    board: PathBuf,
    /// Spymaster: strong, people, programs, jares, vectors or glosses
    #[arg(long, default_value = "strong")]
    player: String,
    /// Number of clues
    #[arg(short, default_value_t = 5)]
    n: usize,
    /// Folder with the data packs (default: `data` beside the program or in a parent folder)
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let board = read_board(&args.board)?;
    let position = board.position().map_err(|error| anyhow!("{}: {error}", args.board.display()))?;
    let lm = open_language_model(&LanguageArgs { lang: board.lang.clone(), data: args.data })?;
    let spymaster = Spymaster::parse(&args.player).with_context(|| {
        format!("no spymaster called {:?}: strong, people, programs, jares, vectors or glosses", args.player)
    })?;
    let clues = spymaster.facing_people().best_clues(&lm, &position, args.n);
    let words = |cards: &[usize]| cards.iter().map(|&i| board.words[i].word.clone()).collect::<Vec<_>>();
    if args.json {
        let list: Vec<serde_json::Value> = clues
            .iter()
            .map(|clue| {
                serde_json::json!({
                    "clue": clue.word, "number": clue.number, "targets": words(&clue.targets), "value": clue.value,
                })
            })
            .collect();
        println!("{}", serde_json::to_string(&list)?);
        return Ok(());
    }
    for clue in clues {
        println!("{} {}  ({:.2})", clue.word, clue.number, clue.value);
        for word in words(&clue.targets) {
            let why = lm.reasons(&clue.word, &word).into_iter().next().map_or(String::new(), |r| r.text);
            println!("    {word}: {why}");
        }
    }
    Ok(())
}
