//! `parlour play`: play any game in the terminal.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use catalog::{Catalog, ErasedBot, ErasedGame, ErasedTable, ServiceRequest};
use game::{Budget, Control, Ending, Event, Seat, Seed, Setup, Viewer};
use serde_json::{Value, json};

#[derive(clap::Args)]
pub struct Args {
    /// Game id; without it, list the games
    pub game: Option<String>,
    /// Bot level (default: the game's own); --levels lists them
    #[arg(long)]
    pub level: Option<String>,
    /// Your seat, counted from 1; 0: bots play all seats
    #[arg(long, default_value_t = 1)]
    pub seat: u8,
    /// Settings as JSON, e.g. '{"size":19,"rule":"renju"}'
    #[arg(long, default_value = "{}")]
    pub settings: String,
    /// Thinking time of bots in ms per move (default: the level's own budget)
    #[arg(long)]
    pub time_ms: Option<u64>,
    /// Random seed (default: from the clock)
    #[arg(long)]
    pub seed: Option<u64>,
    /// List the levels of the game
    #[arg(long)]
    pub levels: bool,
    /// Data folder (default: data/ beside the program or above it)
    #[arg(long)]
    pub data: Option<PathBuf>,
}

const HELP: &str = "type a move, or: ? (list legal moves), hint, undo, resign, quit";

pub fn run(args: Args) -> Result<()> {
    let folder = catalog::data::find(args.data.as_deref()).map_err(|error| anyhow!(error))?;
    let games = Catalog::load(folder.as_deref());
    let ids: Vec<&str> = games.games().iter().map(|game| game.info().id).collect();
    let Some(id) = &args.game else {
        println!("{}", ids.join("\n"));
        return Ok(());
    };
    let game = games.game(id).with_context(|| match games.missing().iter().find(|missing| missing.id == id) {
        Some(missing) => format!("{id} is not available: {}", missing.reason),
        None => format!("unknown game {id:?}; available: {}", ids.join(", ")),
    })?;
    if args.levels {
        for level in game.levels() {
            println!("{:12} {}", level.id, level.description);
        }
        return Ok(());
    }
    TerminalGame::new(&**game, &args)?.play()
}

/// One game at the terminal.
struct TerminalGame<'a> {
    game: &'a dyn ErasedGame,
    table: Box<dyn ErasedTable>,
    me: Option<Seat>,
    bots: Vec<Option<Box<dyn ErasedBot>>>,
    budget: Budget,
    seed: u64,
}

/// A parsed input line.
enum Input {
    Act(Value),
    Again,
    Leave,
}

impl<'a> TerminalGame<'a> {
    fn new(game: &'a dyn ErasedGame, args: &Args) -> Result<Self> {
        let given: Value = serde_json::from_str(&args.settings).context("--settings")?;
        let (settings, plan) = game.settings(&given)?;
        let seed = args.seed.unwrap_or_else(|| {
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
        });
        let seats = plan.min.max(args.seat).min(plan.max);
        if args.seat > seats {
            bail!("--seat {}: these settings have {seats} seats", args.seat);
        }
        let setup = Setup { rules_version: game.info().rules_version, settings, seats, seed: Seed(seed) };
        let table = game.open(&setup, &[])?;
        let me = args.seat.checked_sub(1).map(Seat);
        let level_id = args.level.clone().unwrap_or_else(|| game.default_level().to_owned());
        let levels = game.levels();
        let names = || levels.iter().map(|level| level.id.clone()).collect::<Vec<_>>().join(", ");
        let level = levels
            .iter()
            .find(|level| level.id == level_id)
            .with_context(|| format!("unknown level {level_id:?}; available: {}", names()))?;
        let budget = args.time_ms.map_or(level.budget, |ms| Budget::Time(Duration::from_millis(ms)));
        let bots = Seat::all(usize::from(seats))
            .map(|seat| if Some(seat) == me { None } else { game.bot(&level_id) })
            .collect();
        Ok(Self { game, table, me, bots, budget, seed })
    }

    fn viewer(&self) -> Viewer {
        self.me.map_or(Viewer::Spectator, Viewer::Seat)
    }

    fn play(mut self) -> Result<()> {
        if self.me.is_some() {
            println!("{HELP}");
        }
        println!("{}", self.table.render_text(self.viewer()));
        while self.table.ending().is_none() {
            let acting = self.table.to_act();
            // A person goes first where both may act: then nobody waits for the computer.
            let mine = self.me.filter(|&seat| acting.contains(seat));
            let Some(seat) = mine.or_else(|| acting.iter().next()) else {
                bail!("nobody may act, yet the game goes on")
            };
            let event = if mine.is_some() {
                match self.ask(seat)? {
                    Input::Act(action) => Event::Action { seat, action },
                    Input::Again => continue,
                    Input::Leave => return Ok(()),
                }
            } else {
                self.think(seat)?
            };
            match self.table.apply(&event) {
                Ok(_) => println!("{}", self.table.render_text(self.viewer())),
                Err(refusal) if mine.is_some() => println!("{refusal}"),
                Err(refusal) => bail!("the computer's move was refused: {refusal}"),
            }
        }
        self.tell_end();
        Ok(())
    }

    fn think(&mut self, seat: Seat) -> Result<Event<Value>> {
        let view = self.table.view_for(Viewer::Seat(seat));
        let seed = self.seed.wrapping_add(u64::from(self.table.ply()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let plan = self.table.plan();
        let team = |seat: Seat| plan.teams.get(seat.index()).copied().unwrap_or(seat.0);
        let bot = self.bots[seat.index()].as_mut().with_context(|| format!("nobody plays on {seat}"))?;
        bot.set_human_partners(self.me.into_iter().filter(|me| team(*me) == team(seat)).collect());
        let decision = bot.choose(seat, &view, self.budget, seed, &Control::new())?;
        if !decision.thought.note.is_empty() {
            println!("{seat}: {}", decision.thought.note);
        }
        Ok(Event::Action { seat, action: decision.action })
    }

    /// Reads one line. Commands such as `hint` are executed here and return `Again`.
    fn ask(&mut self, seat: Seat) -> Result<Input> {
        print!("> ");
        std::io::stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            println!();
            return Ok(Input::Leave);
        }
        match line.trim() {
            "" => println!("{HELP}"),
            "quit" | "exit" => return Ok(Input::Leave),
            "?" => match self.table.legal(seat, 300) {
                Some(actions) => {
                    println!("{}", actions.iter().map(|action| action.text.as_str()).collect::<Vec<_>>().join(" "));
                }
                None => println!("too many legal moves to list"),
            },
            "hint" => println!("{}", self.hint()),
            "undo" => self.undo(seat),
            "resign" => {
                if let Err(refusal) = self.table.apply(&Event::Resign { seat }) {
                    println!("{refusal}");
                }
            }
            typed => match self.table.read_action(seat, typed) {
                Ok(action) => return Ok(Input::Act(action)),
                Err(refusal) => println!("{refusal}"),
            },
        }
        Ok(Input::Again)
    }

    fn hint(&self) -> String {
        if self.game.services().iter().all(|service| service.name != "hint") {
            return "this game gives no hints".to_owned();
        }
        let view = self.table.view_for(self.viewer());
        let request =
            ServiceRequest { name: "hint", body: json!({}), view: Some(&view), viewer: self.viewer(), seed: self.seed };
        match self.game.call(request, &Control::new()) {
            Ok(answer) => answer.get("note").and_then(Value::as_str).map_or_else(|| answer.to_string(), str::to_owned),
            Err(error) => error.to_string(),
        }
    }

    /// Undoes back to before the user's last action.
    fn undo(&mut self, seat: Seat) {
        let own = self.table.actors().iter().rposition(|&actor| actor == seat);
        let Some(keep) = own else {
            println!("you have not moved yet");
            return;
        };
        match self.table.apply(&Event::Undo { keep: keep as u32 }) {
            Ok(_) => println!("{}", self.table.render_text(self.viewer())),
            Err(refusal) => println!("{refusal}"),
        }
    }

    fn tell_end(&self) {
        let Some(Ending::Outcome(outcome)) = self.table.ending() else { return };
        for (seat, result) in Seat::all(outcome.results.len()).zip(&outcome.results) {
            let score = outcome.scores.get(seat.index()).map_or_else(String::new, |score| format!(", {score} points"));
            let you = if Some(seat) == self.me { " (you)" } else { "" };
            println!("{seat}{you}: {result:?}{score}");
        }
        println!("{}", outcome.reason.replace('_', " "));
    }
}
