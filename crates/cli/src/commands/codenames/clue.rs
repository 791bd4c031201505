//! `parlour codenames clue` and `guess`.

use super::data::{Source, tongue};
use anyhow::{Context, Result, anyhow};
use codenames::formats::BoardFile;
use codenames::players::{Giver, Guesser};
use codenames::rules::{Clue, Number};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct ClueArgs {
    /// The board as JSON: words with role and revealed, and lang
    #[arg(long)]
    board: PathBuf,
    /// study or strong
    #[arg(long, default_value = "strong")]
    player: String,
    /// How many clues
    #[arg(short, default_value_t = 5)]
    n: usize,
    /// Folder with the data packs
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn read(path: &PathBuf) -> Result<BoardFile> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{}", path.display()))
}

pub fn clue(args: ClueArgs) -> Result<()> {
    let board = read(&args.board)?;
    let situation = board.situation().map_err(|error| anyhow!("{}: {error}", args.board.display()))?;
    let tongue = tongue(&Source { lang: board.lang.clone(), data: args.data })?;
    let giver =
        Giver::parse(&args.player).with_context(|| format!("no giver called {:?}: study or strong", args.player))?;
    let ideas = giver.meeting_people().ideas(&tongue, &situation, args.n);
    let words = |cards: &[usize]| cards.iter().map(|&i| board.words[i].word.clone()).collect::<Vec<_>>();
    if args.json {
        let list: Vec<serde_json::Value> = ideas
            .iter()
            .map(|idea| {
                serde_json::json!({
                    "clue": idea.word, "number": idea.number, "targets": words(&idea.targets), "value": idea.value,
                })
            })
            .collect();
        println!("{}", serde_json::to_string(&list)?);
        return Ok(());
    }
    for idea in ideas {
        println!("{} {}  ({:.2})", idea.word, idea.number, idea.value);
        for word in words(&idea.targets) {
            let why = tongue.reasons(&idea.word, &word).into_iter().next().map_or(String::new(), |r| r.text);
            println!("    {word}: {why}");
        }
    }
    Ok(())
}

#[derive(clap::Args)]
pub struct GuessArgs {
    /// The clue's word
    #[arg(long)]
    clue: String,
    /// The clue's number: 0 to 9 or inf
    #[arg(long)]
    number: String,
    /// The board as JSON
    #[arg(long)]
    board: PathBuf,
    /// cosine, glosses, study or strong
    #[arg(long, default_value = "strong")]
    player: String,
    /// Folder with the data packs
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn guess(args: GuessArgs) -> Result<()> {
    let board = read(&args.board)?;
    let situation = board.situation().map_err(|error| anyhow!("{}: {error}", args.board.display()))?.hidden();
    let tongue = tongue(&Source { lang: board.lang.clone(), data: args.data })?;
    let guesser = Guesser::parse(&args.player).with_context(|| format!("no guesser called {:?}", args.player))?;
    let number =
        Number::parse(&args.number).with_context(|| format!("{:?} is not a number: 0 to 9 or inf", args.number))?;
    let ranking = guesser.rank(&tongue, &situation, &Clue { word: args.clue.to_lowercase(), number });
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
