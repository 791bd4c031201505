//! `parlour arena tournament`: a tournament of named players and Gomocup programs from a TOML file.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result};
use gomoku::formats::openings;
use lab::gomoku::tournament::{TournamentPlan, TournamentReport, TournamentRun, run as play};

use super::gomoku::make_openings;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour arena tournament fixtures/gomoku/tournament.toml --out runs/cup --json")]
pub struct Args {
    /// Tournament file (docs/gomoku.md describes its keys)
    file: PathBuf,
    /// Folder of the games; an existing tournament resumes [default: runs/ and the name of the file]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let name = || args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).with_context(name)?;
    let mut plan: TournamentPlan = toml::from_str(&text).with_context(name)?;
    plan.players.iter_mut().filter_map(|player| player.command.as_mut()).for_each(name_this_program);
    plan.competitors().map_err(anyhow::Error::msg).with_context(name)?;
    let openings = match &plan.openings {
        Some(file) => {
            let file = args.file.parent().unwrap_or(Path::new("")).join(file);
            let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            openings::read(&text, plan.size).with_context(|| file.display().to_string())?
        }
        None => make_openings(plan.rule, plan.size, plan.seed)?,
    };
    let folder = args.out.clone().unwrap_or_else(|| Path::new("runs").join(args.file.file_stem().unwrap_or_default()));
    let stop = AtomicBool::new(false);
    let nets = crate::commands::gomoku::nets::load()?;
    let tournament = TournamentRun { folder: &folder, openings, nets, workers: args.workers, stop: &stop };
    let begun = Instant::now();
    let report = play(&plan, &tournament, &|game, count| {
        let result = if game.points > 0.75 {
            "1-0"
        } else if game.points < 0.25 {
            "0-1"
        } else {
            "½-½"
        };
        let fault = game.fault.as_ref().map(|(by, what)| format!(", fault of {by}: {what}")).unwrap_or_default();
        let seconds = begun.elapsed().as_secs();
        eprintln!("{count}: {} - {} {result}, {} stones{fault} ({seconds} s)", game.black, game.white, game.plies);
    })?;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print!("{}", table(&report));
    }
    Ok(())
}

/// A command that begins with `parlour` means this program.
fn name_this_program(command: &mut String) {
    let rest = command.strip_prefix("parlour").filter(|rest| rest.starts_with(' '));
    if let (Some(rest), Ok(program)) = (rest, std::env::current_exe()) {
        *command = format!("'{}'{rest}", program.display());
    }
}

/// The table with the crosstable as text.
fn table(report: &TournamentReport) -> String {
    let width = report.players.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("    {:width$}  games  score    Elo  95 % interval  faults", "player");
    for number in 1..=report.players.len() {
        text += &format!("{number:>8}");
    }
    text.push('\n');
    for (i, (row, cells)) in report.players.iter().zip(&report.crosstable).enumerate() {
        let [low, high] = row.elo_ci;
        text += &format!(
            "{:>2}. {:width$}  {:5}  {:.3}  {:+5.0}  {:+5.0} to {:+5.0}  {:6}",
            i + 1,
            row.name,
            row.games,
            row.score,
            row.elo,
            low,
            high,
            row.faults
        );
        for [points, games] in cells {
            text +=
                &if *games == 0.0 { format!("{:>8}", "–") } else { format!("{:>8}", format!("{points}/{games}")) };
        }
        text.push('\n');
    }
    text
}
