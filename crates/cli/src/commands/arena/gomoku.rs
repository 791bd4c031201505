//! `parlour arena gomoku`: plays a match between two players or Gomocup programs.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use gomoku::engine::{Config, Engine};
use gomoku::formats::openings;
use gomoku::rules::{Point, Rule};
use lab::external::gomoku::Competitor;
use lab::gomoku::match_work::{GomokuMatch, GomokuWork};
use lab::gomoku::openings::{OpeningStyle, balanced};
use lab::job_submitter::Programs;
use numerics::SplitMix64;

use super::report::{MatchArgs, play};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour arena gomoku --p1 full --p2 ./pbrain-other --games 100 --time-ms 500")]
pub struct Args {
    /// First player: a name (full, pattern, baseline, a level …), NAME:NODES, or the command line of a Gomocup program
    #[arg(long)]
    p1: String,
    /// Second player, in the same forms
    #[arg(long)]
    p2: String,
    /// Milliseconds per move
    #[arg(long, default_value_t = 1000)]
    time_ms: u64,
    /// Milliseconds per game and side; 0 is no limit
    #[arg(long, default_value_t = 0)]
    match_ms: u64,
    /// Milliseconds that an answer may be late
    #[arg(long, default_value_t = 100)]
    tolerance_ms: u64,
    /// Nodes per move of named players instead of the clock (reproducible)
    #[arg(long)]
    nodes: Option<u64>,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board size in points
    #[arg(long, default_value_t = 15)]
    size: u8,
    /// Opening list (offsets from the centre, one opening per line); balanced openings are generated if not given
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Seed of openings and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for psq records of all games
    #[arg(long)]
    records: Option<PathBuf>,
    #[command(flatten)]
    games: MatchArgs,
}

/// Openings generated for a match without a list; longer matches reuse them under the symmetries of the board.
const MADE_OPENINGS: usize = 50;

pub fn run(args: Args) -> Result<()> {
    // Checked here, before a worker fails.
    let players = [competitor("--p1", &args.p1)?, competitor("--p2", &args.p2)?];
    let outside = |player: &Competitor| matches!(player, Competitor::Brain { .. });
    ensure!(
        args.games.queue.is_local() || !players.iter().any(outside),
        "workers do not start external programs: use --queue local"
    );
    let openings = match &args.openings {
        Some(file) => {
            let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
            openings::read(&text, args.size).with_context(|| file.display().to_string())?
        }
        None => make_openings(args.rule, args.size, args.seed)?,
    };
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let title = format!(
        "gomoku {} {} p1 {} p2 {} time {} match {} nodes {:?} openings {} seed {}",
        args.rule,
        args.size,
        args.p1,
        args.p2,
        args.time_ms,
        args.match_ms,
        args.nodes,
        args.openings.as_ref().map_or_else(|| "made".to_owned(), |file| file.display().to_string()),
        args.seed
    );
    let params = GomokuMatch {
        rule: args.rule.to_string(),
        size: args.size,
        players: [args.p1, args.p2],
        openings: openings.iter().map(|opening| opening.iter().map(|point| (point.x, point.y)).collect()).collect(),
        turn_ms: args.time_ms,
        whole_ms: (args.match_ms > 0).then_some(args.match_ms),
        tolerance_ms: args.tolerance_ms,
        nodes: args.nodes,
        seed: args.seed,
        records: args.records.is_some(),
    };
    let files: Vec<PathBuf> = crate::commands::gomoku::nets::file(args.rule).into_iter().collect();
    let records = args.records.map(|folder| (folder, "psq"));
    play(&GomokuWork { programs: Programs::Allowed }, &params, files, records, &args.games, title)
}

fn competitor(option: &str, text: &str) -> Result<Competitor> {
    Competitor::parse(text).map_err(|error| anyhow!("{option}: {error}"))
}

pub fn make_openings(rule: Rule, size: u8, seed: u64) -> Result<Vec<Vec<Point>>> {
    let mut engine = Engine::new(Config { table_mb: 8, ..Config::new(rule, size) })?;
    let style = OpeningStyle { stones: (3, 6), nodes: 3_000, margin: 120 };
    let mut rng = SplitMix64::new(seed);
    let mut made: Vec<Vec<Point>> = Vec::new();
    while made.len() < MADE_OPENINGS {
        engine.clear();
        let points = balanced(&mut engine, &style, &mut rng);
        if !made.contains(&points) {
            made.push(points);
        }
    }
    Ok(made)
}
