//! `parlour codenames guess`.

use super::board::read_board;
use super::language_args::{LanguageArgs, open_language_model};
use anyhow::{Context, Result, anyhow};
use codenames::players::Operative;
use codenames::rules::{Clue, Number};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames guess --clue ocean --number 3 --board board.json")]
pub struct Args {
    /// The clue's word
    #[arg(long)]
    clue: String,
    /// The clue's number: 0 to 9 or inf
    #[arg(long)]
    number: String,
    /// The board as JSON
    #[arg(long)]
    board: PathBuf,
    /// Operative: strong, jares, plain, vectors or glosses
    #[arg(long, default_value = "strong")]
    player: String,
    /// Folder with the data packs (default: `data` beside the program or in a parent folder)
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let board = read_board(&args.board)?;
    let position = board.position().map_err(|error| anyhow!("{}: {error}", args.board.display()))?.hidden();
    let lm = open_language_model(&LanguageArgs { lang: board.lang.clone(), data: args.data })?;
    let operative = Operative::parse(&args.player)
        .with_context(|| format!("no operative called {:?}: strong, jares, plain, vectors or glosses", args.player))?;
    let number =
        Number::parse(&args.number).with_context(|| format!("{:?} is not a number: 0 to 9 or inf", args.number))?;
    let ranking = operative.rank(&lm, &position, &Clue { word: args.clue.to_lowercase(), number });
    if args.json {
        let list: Vec<serde_json::Value> = ranking
            .iter()
            .map(|g| serde_json::json!({ "word": board.words[g.card].word, "probability": g.probability }))
            .collect();
        println!("{}", serde_json::to_string(&list)?);
        return Ok(());
    }
    for guess in ranking {
        println!("{:5.1} %  {}", 100.0 * guess.probability, board.words[guess.card].word);
    }
    Ok(())
}
