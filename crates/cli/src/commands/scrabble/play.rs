//! `parlour scrabble play`: a game in the terminal, saved after every move.

use anyhow::{Context, Result, bail};
use game::{Budget, Control, Event, Game, Seed, Setup, Table, Viewer};
use scrabble::table::{Action, Settings};
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
                print!("your move (8D WORD, -TILES, pass, quit): ");
                std::io::stdout().flush()?;
            }
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line?;
            if line.trim() == "quit" {
                return Ok(());
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
