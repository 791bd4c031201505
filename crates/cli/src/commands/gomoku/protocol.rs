//! `parlour gomoku protocol`: a Gomocup brain on standard input and output.
//!
//! One thread reads, one thinks: `END` ends the program at once, whatever is being thought. With
//! `--ponder` the thinking goes on about the answer it expects until the next line comes.

use std::io::{BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use game::Control;
use gomoku::players::swap2::{Swap2Reply, reply};
use gomoku::players::{Clock, Decision, Nets, Player, Resources, player};
use gomoku::protocol::{Session, Step, ThinkRequest};
use gomoku::rules::{Point, Position};

use super::nets;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku protocol --player full --threads 2")]
pub struct Args {
    /// Player: full, net, pattern, policy, one-ply, baseline, heuristic, random or a level
    #[arg(long, default_value = "full")]
    player: String,
    /// Nodes per move instead of the clock (reproducible)
    #[arg(long)]
    nodes: Option<u64>,
    /// Seed of random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ponder: also think in the opponent's time (not allowed at Gomocup)
    #[arg(long)]
    ponder: bool,
    /// Search threads; node budgets are reproducible with one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
}

/// Whether the program was started under a brain's name.
pub fn is_brain_name(program: &str) -> bool {
    Path::new(program)
        .file_name()
        .is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().starts_with("pbrain-"))
}

/// Speaks the protocol as a tournament manager expects it.
pub fn run_as_brain() -> Result<()> {
    run(Args { player: "full".to_owned(), nodes: None, seed: 1, ponder: false, threads: 1 })
}

/// Longest line that is taken in; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 4096;

pub fn run(args: Args) -> Result<()> {
    let nets = nets::load()?;
    let version = env!("CARGO_PKG_VERSION");
    let about = format!("name=\"Parlour\", version=\"{version}\", author=\"the Parlour project\", country=\"CZ\"");
    let mut session = Session::new(about);
    let mut brain = Brain::new(&args, nets)?;
    let lines = read_lines();
    let mut expected = None;
    loop {
        let line = match expected.take().filter(|_| args.ponder) {
            Some(position) => brain.ponder(&position, &lines),
            None => lines.recv(),
        };
        let Ok(Line { text, begun }) = line else { break };
        match session.line(&text) {
            Step::Nothing => brain.make_ready(&session)?,
            Step::Exit => break,
            Step::Say(answer) => {
                brain.make_ready(&session)?;
                say(&answer)?;
            }
            Step::Think(question) => {
                let answer = match *question {
                    ThinkRequest::Move { position, clock, resources } => {
                        brain.choose(&position, &clock.after(begun.elapsed()), resources).map(|decision| {
                            expected = after(position, &decision);
                            session.played(decision.point, begun.elapsed())
                        })
                    }
                    ThinkRequest::Swap2 { rule, size, stones, clock, resources } => brain
                        .open(rule, size, &stones, &clock.after(begun.elapsed()), resources)
                        .map(|answer| session.opened(&answer, begun.elapsed())),
                };
                say(&answer.unwrap_or_else(|error| format!("ERROR {error}")))?;
            }
        }
    }
    Ok(())
}

/// A line from the manager and when it came: time runs from there.
struct Line {
    text: String,
    begun: Instant,
}

/// Lines from standard input, read by a thread of their own; `END` ends the program from there.
fn read_lines() -> mpsc::Receiver<Line> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE && input.skip_until(b'\n').is_err() {
                break;
            }
            let (text, begun) = (String::from_utf8_lossy(&bytes).trim().to_owned(), Instant::now());
            if text.eq_ignore_ascii_case("END") {
                // The lock keeps a half-written answer from being cut.
                let _output = std::io::stdout().lock();
                std::process::exit(0);
            }
            if sender.send(Line { text, begun }).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Sends a line and sees that it leaves.
fn say(line: &str) -> Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).context("the manager does not listen any more")
}

/// The thinking half.
struct Brain {
    name: String,
    nodes: Option<u64>,
    threads: usize,
    seed: u64,
    nets: Nets,
    resources: Resources,
    player: Box<dyn Player>,
}

impl Brain {
    fn new(args: &Args, nets: Nets) -> Result<Self> {
        let threads = usize::from(args.threads);
        let resources = Resources { threads, ..Resources::default() };
        let chosen = player(&args.player, &nets, resources).ok_or_else(|| unknown(&args.player))?;
        let (name, nodes, seed) = (args.player.clone(), args.nodes, args.seed);
        Ok(Self { name, nodes, threads, seed, nets, resources, player: chosen })
    }

    /// Prepares for the board that was named, so that the first move need not wait for it.
    fn make_ready(&mut self, session: &Session) -> Result<()> {
        if let Some((size, resources)) = session.board() {
            self.equip(resources)?;
            if self.nodes.is_none() {
                self.player.prepare(session.rule(), size);
            }
        }
        Ok(())
    }

    /// Takes note of the memory limit.
    fn equip(&mut self, resources: Resources) -> Result<()> {
        let resources = Resources { threads: self.threads, ..resources };
        if resources != self.resources {
            self.player = player(&self.name, &self.nets, resources).ok_or_else(|| unknown(&self.name))?;
            self.resources = resources;
        }
        Ok(())
    }

    /// Takes note of the memory limit and makes the clock for one thought.
    fn prepare(&mut self, clock: &Clock, resources: Resources) -> Result<Clock> {
        self.equip(resources)?;
        self.seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        Ok(self.nodes.map_or(*clock, |nodes| Clock { nodes: Some(nodes), ..Clock::default() }))
    }

    /// The next move; a player that fails is replaced by the heuristic for this move, so that the game is not lost by it.
    fn choose(&mut self, position: &Position, clock: &Clock, resources: Resources) -> Result<Decision> {
        let clock = self.prepare(clock, resources)?;
        let (chosen, seed) = (&mut self.player, self.seed);
        let thought = guarded(&clock, |control| chosen.choose(position, &clock, seed, control));
        match thought {
            Ok(Ok(decision)) if position.check(decision.point).is_ok() => Ok(decision),
            failed => {
                let reason = match failed {
                    Ok(Ok(decision)) => format!("{:?} is no legal move", decision.point),
                    Ok(Err(error)) => error.to_string(),
                    Err(error) => error.to_string(),
                };
                say(&format!("DEBUG the {} player failed: {reason}", self.name))?;
                self.player = player(&self.name, &self.nets, self.resources).ok_or_else(|| unknown(&self.name))?;
                let mut plain = player("heuristic", &self.nets, self.resources).ok_or_else(|| unknown("heuristic"))?;
                Ok(plain.choose(position, &clock, seed, &Control::new())?)
            }
        }
    }

    /// Thinks about a position until the next line comes.
    fn ponder(&mut self, position: &Position, lines: &mpsc::Receiver<Line>) -> Result<Line, mpsc::RecvError> {
        let control = Control::new();
        let player = &mut self.player;
        std::thread::scope(|scope| {
            let thinking = control.clone();
            scope.spawn(move || {
                // a panic must not take the game with it: the next question is answered by guarded thought
                let _unused = catch_unwind(AssertUnwindSafe(|| player.ponder(position, &thinking)));
            });
            let line = lines.recv();
            control.stop();
            line
        })
    }

    fn open(
        &mut self,
        rule: gomoku::rules::Rule,
        size: u8,
        stones: &[Point],
        clock: &Clock,
        resources: Resources,
    ) -> Result<Swap2Reply> {
        let clock = self.prepare(clock, resources)?;
        let (chosen, seed) = (&mut self.player, self.seed);
        Ok(guarded(&clock, |control| reply(&mut **chosen, rule, size, stones, &clock, seed, control))??)
    }
}

/// What the player expects to be asked about next: its own move and, if it sees one, the answer to it.
fn after(mut position: Position, decision: &Decision) -> Option<Position> {
    position.play(decision.point).ok()?;
    if let Some(&answer) = decision.line.get(1)
        && !position.is_over()
    {
        position.play(answer).ok()?;
    }
    (!position.is_over()).then_some(position)
}

/// Thinks with a watchdog that asks to stop when the turn's time is over, and turns a panic into an error.
fn guarded<T>(clock: &Clock, think: impl FnOnce(&Control) -> T) -> Result<T> {
    let control = Control::new();
    let (done, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        if let Some(turn) = clock.turn {
            let control = control.clone();
            scope.spawn(move || {
                if waiting.recv_timeout(turn + Duration::from_millis(5)) == Err(mpsc::RecvTimeoutError::Timeout) {
                    control.stop();
                }
            });
        }
        let thought = catch_unwind(AssertUnwindSafe(|| think(&control)));
        drop(done);
        thought.map_err(|_| anyhow!("the player panicked"))
    })
}

fn unknown(name: &str) -> anyhow::Error {
    anyhow!("no player is called {name:?}; there are {} and the levels", gomoku::players::NAMES.join(", "))
}
