//! `parlour scrabble protocol`: the engine as a UCGI process.
//!
//! Commands are read while a search runs; every `go` ends with exactly one `bestmove`.

use super::lexicons;
use super::player_kit::{PlayerKit, STATIC_ENDGAME_NODES};
use anyhow::Result;
use scrabble::engine::endgame::EndgameLimits;
use scrabble::engine::preendgame::{self, PreEndgameLimits};
use scrabble::engine::simulation::{Allocation, KnownPosition, SimulationBudget, simulate};
use scrabble::engine::{MoveSort, rank_moves};
use scrabble::formats::Cgp;
use scrabble::formats::ucgi::{GoLimits, UcgiCommand, move_text};
use scrabble::players::endgame_turn;
use scrabble::{Layout, PlayerMove, unseen};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name; the option Lexicon changes it
    #[arg(long, default_value = "en")]
    lexicon: String,
}

/// Milliseconds of a search without a limit.
const DEFAULT_MS: u64 = 2000;

/// What the referee has set.
struct Engine {
    lexicon: String,
    kit: Option<Arc<PlayerKit>>,
    position: Option<String>,
    threads: usize,
    stop: Arc<AtomicBool>,
    search: Option<JoinHandle<()>>,
}

pub fn run(args: Args) -> Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut engine = Engine { lexicon: args.lexicon, kit: None, position: None, threads: 1, stop, search: None };
    for line in std::io::stdin().lock().lines() {
        match UcgiCommand::parse(&line?) {
            UcgiCommand::Quit => break,
            command => engine.execute(command)?,
        }
    }
    engine.finish();
    Ok(())
}

/// Writes one line and flushes it.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // a referee that has gone away needs no answer
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

impl Engine {
    fn execute(&mut self, command: UcgiCommand) -> Result<()> {
        match command {
            UcgiCommand::Handshake => {
                say(&format!("id name Parlour {}", env!("CARGO_PKG_VERSION")));
                say("id author the Parlour maintainers");
                say(&format!("option name Lexicon type string default {}", self.lexicon));
                say("option name Threads type spin default 1 min 1 max 64");
                say("ucgiok");
            }
            UcgiCommand::IsReady => {
                if self.search.is_none() {
                    self.load()?;
                }
                say("readyok");
            }
            UcgiCommand::NewGame => {}
            UcgiCommand::SetOption(name, value) => match name.to_lowercase().as_str() {
                "lexicon" if lexicons::path(&value).is_ok() => {
                    self.lexicon = value;
                    self.kit = None;
                }
                "lexicon" => say(&format!("info string error no lexicon {value}; {} stays", self.lexicon)),
                "threads" => self.threads = value.parse().unwrap_or(1).clamp(1, 64),
                _ => say(&format!("info string ignored option {name}")),
            },
            UcgiCommand::Position(cgp) => {
                self.finish();
                self.position = Some(cgp);
            }
            UcgiCommand::Go(limits) => self.go(limits)?,
            UcgiCommand::Stop => self.finish(),
            UcgiCommand::Unknown(line) if line.is_empty() => {}
            UcgiCommand::Unknown(line) => say(&format!("info string error unknown-command {line}")),
            UcgiCommand::Quit => {}
        }
        Ok(())
    }

    fn load(&mut self) -> Result<Arc<PlayerKit>> {
        if let Some(kit) = &self.kit {
            return Ok(Arc::clone(kit));
        }
        let kit = Arc::new(PlayerKit::load(&self.lexicon)?);
        self.kit = Some(Arc::clone(&kit));
        Ok(kit)
    }

    /// Stops a running search and waits for its `bestmove`.
    fn finish(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(search) = self.search.take() {
            let _ = search.join();
        }
    }

    fn go(&mut self, mut limits: GoLimits) -> Result<()> {
        self.finish();
        let Some(position) = self.position.clone() else {
            say("info string error no-position");
            say("bestmove none");
            return Ok(());
        };
        limits.ignored.iter().for_each(|word| say(&format!("info string ignored {word}")));
        limits.threads = Some(limits.threads.unwrap_or(self.threads).clamp(1, 64));
        let kit = self.load()?;
        self.stop = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&self.stop);
        self.search = Some(std::thread::spawn(move || match search(&kit, &position, &limits, &stop) {
            Ok(best) => say(&format!("bestmove {best}")),
            Err(error) => {
                say(&format!("info string error bad-position {error:#}"));
                say("bestmove none");
            }
        }));
        Ok(())
    }
}

/// Searches a position and prints what it finds; the best move in UCGI notation.
fn search(kit: &PlayerKit, position: &str, limits: &GoLimits, stop: &AtomicBool) -> Result<String> {
    let dictionary = &kit.language.dictionary;
    let layout = Layout::named(Cgp::board_name(position)?).expect("board_name names a shipped board");
    let cgp = Cgp::parse(position, dictionary, &layout)?;
    anyhow::ensure!(!cgp.racks[0].is_empty(), "the side to move has no rack");
    let hidden =
        unseen(dictionary, &cgp.board, &cgp.racks[0]).ok_or_else(|| anyhow::anyhow!("more tiles than a set has"))?;
    let known = KnownPosition {
        board: &cgp.board,
        rack: &cgp.racks[0],
        unseen: &hidden,
        opponent_tiles: hidden.len().min(7),
        opponent_known: &cgp.racks[1],
        lead: cgp.scores[0] - cgp.scores[1],
        inference: None,
        positional: Some(&kit.language.positional),
    };
    let mut player = kit.one_ply(MoveSort::Equity);
    player.layout = &layout;
    let text = |turn: &PlayerMove| move_text(dictionary.alphabet(), &cgp.board, turn);
    let time = (!limits.infinite).then(|| Duration::from_millis(limits.movetime.unwrap_or(DEFAULT_MS)));
    let parallel = limits.threads.unwrap_or(1) > 1;
    let mode = limits.mode.as_deref();
    if matches!(mode, Some("static" | "gen")) {
        let ranked = rank_moves(&player, &known, 10);
        for t in &ranked {
            say(&format!("info currmove {} sc {} eq {:.3}", text(&t.turn), t.score, t.points()));
        }
        return Ok(ranked.first().map_or("pass".into(), |t| text(&t.turn)));
    }
    if known.bag() == 0 {
        let nodes = limits.iterations.map(|n| n.max(STATIC_ENDGAME_NODES));
        let limits = EndgameLimits { nodes, time, depth: None };
        let (turn, solution) = endgame_turn(&player, &cgp.board, &cgp.racks[0], &hidden, cgp.idle > 0, limits);
        let bound = if solution.status == scrabble::engine::endgame::ProofStatus::Proved { "" } else { " lowerbound" };
        say(&format!(
            "info depth {} nodes {} score spread {:+}{bound}",
            solution.depth, solution.nodes, solution.value
        ));
        return Ok(text(&turn));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limits.threads.unwrap_or(1)).build()?;
    if mode == Some("peg") || (mode.is_none() && known.bag() == 1) {
        let peg = PreEndgameLimits { time, parallel, ..PreEndgameLimits::default() };
        if let Some(solution) = pool.install(|| preendgame::solve(&player, &kit.language.win, &known, peg, stop)) {
            for m in &solution.moves {
                let bound = if m.bound { " bound" } else { "" };
                let (win, spread) = (m.win * 100.0, m.spread);
                say(&format!("info currmove {} sc {} wp {win:.3} spread {spread:+.2}{bound}", text(&m.turn), m.score));
            }
            return Ok(solution.moves.first().map_or("pass".into(), |m| text(&m.turn)));
        }
    }
    let uniform = limits.iterations.is_some();
    let budget = SimulationBudget {
        candidates: 15,
        iterations: limits.iterations.unwrap_or(u64::MAX),
        time,
        plies: limits.depth.map(|d| d.clamp(1, 10)),
        allocation: if uniform { Allocation::Uniform } else { Allocation::BestArm },
        seed: 1,
        parallel,
    };
    let result = pool.install(|| simulate(&player, &kit.language.win, &known, budget, stop));
    for c in result.candidates.iter().filter(|c| c.iterations > 0) {
        let (wp, eq) = (c.win * 100.0, c.mean);
        let half = |[low, high]: [f64; 2]| (high - low) / 3.92;
        let (wp_error, eq_error) = (half(c.win_interval) * 100.0, half(c.mean_interval));
        let (turn, it) = (text(&c.turn), c.iterations);
        say(&format!(
            "info currmove {turn} sc {} wp {wp:.3} wpe {wp_error:.3} eq {eq:.3} eqe {eq_error:.3} it {it}",
            c.score
        ));
    }
    say(&format!("info string stopped {}", result.stopped.text()));
    Ok(result.candidates.first().map_or("pass".into(), |c| text(&c.turn)))
}
