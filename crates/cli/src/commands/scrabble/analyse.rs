//! `parlour scrabble analyse`: reports of recorded games, one or a whole folder.

use anyhow::{Context, Result, bail};
use scrabble::engine::analysis::{AnalysisOptions, GameReport};
use scrabble::formats::gcg::Gcg;
use scrabble::formats::html;
use scrabble::table::GameLanguage;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// A GCG file, or a folder of them
    path: PathBuf,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Rollouts per candidate and turn; 0 evaluates by static equity. Endgames are searched exactly in any case
    #[arg(long, default_value_t = 0)]
    iterations: u64,
    /// Time limit of the rollouts per game in seconds, shared evenly among 25 turns
    #[arg(long)]
    seconds: Option<f64>,
    /// Folder for the HTML reports; by default beside the records
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print the reports as JSON instead of writing HTML
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> AnalysisOptions {
        let time = self.seconds.map(|s| Duration::from_secs_f64(s.clamp(0.0, 1e6) / TURNS_PER_GAME));
        // a page lists every move, folded beyond ten; JSON lists six
        let shown = if self.json { AnalysisOptions::default().shown } else { html::MOVES_PER_TURN };
        AnalysisOptions { shown, iterations: self.iterations, time, ..AnalysisOptions::default() }
    }
}

/// Turns among which the time of a game is shared.
const TURNS_PER_GAME: f64 = 25.0;

pub fn run(args: Args) -> Result<()> {
    let kit = super::player_kit::PlayerKit::load(&args.lexicon)?;
    let (language, layout) = (kit.language, kit.layout);
    let options = args.options();
    let files = records(&args.path)?;
    let (mut reports, mut failed, mut losses) = (Vec::new(), 0, PhaseLosses::default());
    for file in &files {
        match read(file, &language, &layout, options) {
            Ok(report) if args.json => {
                losses.add(&report);
                reports.push(serde_json::json!({ "file": file.display().to_string(), "report": report }))
            }
            Ok(report) => {
                losses.add(&report);
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let folder = args.out.clone().unwrap_or_else(|| file.parent().unwrap_or(Path::new(".")).to_owned());
                std::fs::create_dir_all(&folder)?;
                let path = folder.join(format!("{name}.html"));
                std::fs::write(&path, html::page(&report, &layout, &name))?;
                println!("{}: {}", path.display(), report.summary);
            }
            Err(error) => {
                failed += 1;
                eprintln!("{}: {error:#}", file.display());
                if args.json {
                    reports
                        .push(serde_json::json!({ "file": file.display().to_string(), "error": format!("{error:#}") }));
                }
            }
        }
    }
    if args.json {
        println!("{}", serde_json::Value::from(reports));
    } else if files.len() > 1 {
        losses.print();
    }
    if failed > 0 && failed == files.len() {
        bail!("no record could be read");
    }
    Ok(())
}

fn read(
    file: &Path,
    language: &GameLanguage,
    layout: &scrabble::Layout,
    options: AnalysisOptions,
) -> Result<GameReport> {
    let gcg = Gcg::parse(&std::fs::read(file)?)?;
    Ok(gcg.report(language, layout, options))
}

fn records(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| format!("{}", path.display()))? {
        let file = entry?.path();
        if file.extension().is_some_and(|e| e.eq_ignore_ascii_case("gcg")) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        bail!("{}: no .gcg files", path.display());
    }
    Ok(files)
}

/// Phases of the summary by tiles on the board.
const PHASES: [(&str, usize); 4] = [("opening", 14), ("middle", 50), ("late", 86), ("end", usize::MAX)];

/// Losses of all players over a folder of games, by phase.
#[derive(Default)]
struct PhaseLosses([PhaseLoss; PHASES.len()]);

#[derive(Clone, Copy, Default)]
struct PhaseLoss {
    turns: u32,
    points: f64,
    win: f64,
    phonies: usize,
}

impl PhaseLosses {
    fn add(&mut self, report: &GameReport) {
        for turn in &report.turns {
            let placed = turn.board.iter().flatten().filter(|cell| cell.as_str() != " ").count();
            let phase = PHASES.iter().position(|&(_, end)| placed < end).unwrap_or(PHASES.len() - 1);
            let sums = &mut self.0[phase];
            sums.phonies += turn.phonies.len();
            if let (Some(loss), Some(best), Some(win)) = (turn.loss, turn.win_best, turn.win) {
                sums.turns += 1;
                sums.points += loss;
                sums.win += (best - win).max(0.0);
            }
        }
    }

    fn print(&self) {
        println!("{:<10} {:>6} {:>14} {:>14} {:>8}", "phase", "turns", "points/turn", "win %/turn", "phonies");
        for ((name, _), sums) in PHASES.iter().zip(&self.0) {
            let n = f64::from(sums.turns.max(1));
            let (points, win) = (sums.points / n, 100.0 * sums.win / n);
            println!("{name:<10} {:>6} {points:>14.2} {win:>14.2} {:>8}", sums.turns, sums.phonies);
        }
    }
}
