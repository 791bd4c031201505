//! `parlour scrabble play`: a game in the terminal, saved after every move.

use anyhow::{Context, Result, bail};
use game::{Budget, Control, Event, Game, Seed, ServiceCall, Setup, Table, Viewer};
use scrabble::table::{Action, Scrabble, Settings, View};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Level of the computer: beginner, learner, casual, club, expert, master
    #[arg(long, default_value = "casual")]
    level: String,
    /// Seed of the bag; random when absent
    #[arg(long)]
    seed: Option<u64>,
    /// Save after every move; resumes if the file exists
    #[arg(long)]
    file: Option<PathBuf>,
    /// Print views and moves as JSON lines
    #[arg(long)]
    json: bool,
}

/// A saved game: plain, editable JSON.
#[derive(Serialize, Deserialize)]
struct Saved {
    setup: Setup<Settings>,
    level: String,
    events: Vec<Event<Action>>,
}

pub fn run(args: Args) -> Result<()> {
    let game = super::lexicons::game(&args.lexicon)?;
    let saved = match args.file.as_ref().filter(|f| f.exists()) {
        Some(file) => {
            serde_json::from_str(&std::fs::read_to_string(file)?).with_context(|| format!("{}", file.display()))?
        }
        None => {
            let settings = Settings { language: super::lexicons::code(&args.lexicon), ..Settings::default() };
            let seed = args.seed.unwrap_or_else(|| {
                std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |d| d.as_nanos() as u64)
            });
            let setup = Setup { rules_version: 1, settings, seats: 2, seed: Seed(seed) };
            Saved { setup, level: args.level.clone(), events: Vec::new() }
        }
    };
    let mut saved: Saved = saved;
    let mut table = Table::replay(&game, saved.setup.clone(), &saved.events)?;
    let Some(mut bot) = game.bot(&saved.level) else { bail!("no level {:?}", saved.level) };
    let me = game::Seat(0);
    let mut lines = std::io::stdin().lock().lines();
    while let Some(seat) = table.to_act(&game).iter().next() {
        let view = table.view(&game, Viewer::Seat(seat));
        let action = if seat == me {
            if args.json {
                println!("{}", serde_json::json!({ "view": view }));
            } else {
                println!("\n{}", game.render_text(&view));
                print!("your move, or help: ");
                std::io::stdout().flush()?;
            }
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line?;
            if line.trim() == "quit" {
                return Ok(());
            }
            if let Some(answer) = question(&game, &table, &view, line.trim()) {
                println!("{answer}");
                continue;
            }
            match game.read_action(table.state(), seat, &line) {
                Ok(action) => action,
                Err(error) => {
                    println!("{error}");
                    continue;
                }
            }
        } else {
            let budget = Budget::Time(Duration::from_secs(2));
            let choice = bot.choose(&game, seat, &view, budget, saved.events.len() as u64, &Control::new())?;
            let text = game.write_action(table.state(), seat, &choice.action);
            if args.json {
                println!("{}", serde_json::json!({ "computer": text, "thought": choice.thought }));
            } else {
                println!("computer: {text}");
            }
            choice.action
        };
        let event = Event::Action { seat, action };
        if let Err(error) = table.apply(&game, &event) {
            println!("{error}");
            continue;
        }
        saved.events.push(event);
        if let Some(file) = &args.file {
            let part = file.with_extension("part");
            std::fs::write(&part, serde_json::to_string_pretty(&saved)?)?;
            std::fs::rename(&part, file)?;
        }
    }
    println!("{}", game.render_text(&table.view(&game, Viewer::Seat(me))));
    Ok(())
}

const HELP: &str = "8D WORD     play across from D8; D8 WORD plays down; lower case is a blank, . a tile on the board
-TILES      exchange tiles
pass        pass the turn
challenge   challenge the last play, where the rules allow it
hint        where a good move is; hint 2 its tiles; hint 3 the move
check 8D WORD   words and score of a move without playing it
unseen      the tiles you cannot see
history     the moves so far
quit        leave; with --file the game is kept";

/// The answer to a line that is no move; none for a move.
fn question(game: &Scrabble, table: &Table<Scrabble>, view: &View, line: &str) -> Option<String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let viewer = Viewer::Seat(view.viewer?);
    match word {
        "help" => Some(HELP.to_owned()),
        "history" => {
            let entries = table.history(game, viewer);
            Some(entries.iter().map(|e| format!("{:>3} {}: {}\n", e.ply, e.seat, e.text)).collect())
        }
        "unseen" => Some(view.unseen.iter().map(|l| format!("{}×{} ", l.letter, l.count)).collect()),
        "hint" => {
            let depth: u8 = rest.trim().parse().unwrap_or(1);
            Some(ask(game, view, "hint", serde_json::json!({ "depth": depth })))
        }
        "check" => {
            let (at, word) = rest.trim().split_once(' ')?;
            Some(ask(game, view, "check", serde_json::json!({ "at": at, "word": word.trim() })))
        }
        _ => None,
    }
}

/// What a service answers, field by field.
fn ask(game: &Scrabble, view: &View, name: &str, request: serde_json::Value) -> String {
    let (control, Some(seat)) = (Control::new(), view.viewer) else { return String::new() };
    let call = ServiceCall { view: Some(view), viewer: Viewer::Seat(seat), control: &control, seed: 1 };
    let service = game.services().into_iter().find(|s| s.name == name);
    match service.map(|s| s.call(game, request, call)) {
        Some(Ok(serde_json::Value::Object(fields))) => {
            let shown = fields.iter().filter(|(_, value)| !value.is_null());
            shown.map(|(key, value)| format!("{key}: {value}\n")).collect()
        }
        Some(Ok(other)) => other.to_string(),
        Some(Err(error)) => error.to_string(),
        None => String::new(),
    }
}
