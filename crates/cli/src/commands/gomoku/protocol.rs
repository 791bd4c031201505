//! `parlour gomoku protocol`: the Gomocup protocol with the Yixin extension on standard input and output.
//!
//! One thread reads, one thinks. Commands run strictly in order; only `YXSTOP` and an `END` from a manager that does not
//! want to wait act during a thought. With `--ponder` the program thinks about the expected answer until the next line.

use std::io::{BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use game::Control;
use gomoku::players::swap2::{balancing_stones, reply};
use gomoku::players::{Clock, Decision, Nets, Player, Resources, ThoughtLine, player};
use gomoku::protocol::{Detail, Session, Step, ThinkRequest, thought_messages};
use gomoku::rules::Position;

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
    let lines = read_lines(brain.running.clone());
    let mut expected = None;
    loop {
        let ponder = args.ponder || session.pondering();
        let line = match expected.take().filter(|_| ponder) {
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
            Step::ClearHash(answer) => {
                brain.player.reset();
                say(&answer)?;
            }
            Step::Think(request) => {
                brain.detail = session.detail();
                let (answer, next) = brain.answer(*request, &mut session, begun);
                expected = next;
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

/// The control of the thought that runs now, if one does.
type Running = Arc<Mutex<Option<Control>>>;

/// An `END` this close behind the line before it belongs to a script: the thought before it runs to its end.
const SCRIPTED: Duration = Duration::from_millis(100);

/// Lines from standard input, read by a thread of their own and processed in order.
///
/// Two lines act at once while a thought runs: `YXSTOP` ends the thought, and `END` from a manager that does not want to
/// wait ends the program without output. An `END` that a script has already written behind the thinking command waits for
/// its turn.
fn read_lines(running: Running) -> mpsc::Receiver<Line> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut input = std::io::BufReader::new(std::io::stdin().lock());
        let mut bytes = Vec::new();
        let mut before = Instant::now();
        loop {
            let buffered = !input.buffer().is_empty();
            bytes.clear();
            match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE && input.skip_until(b'\n').is_err() {
                break;
            }
            let (text, begun) = (String::from_utf8_lossy(&bytes).trim().to_owned(), Instant::now());
            let scripted = buffered || begun.duration_since(before) < SCRIPTED;
            before = begun;
            let thinking = running.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(control) = &*thinking {
                if text.eq_ignore_ascii_case("END") && !scripted {
                    // The lock keeps a half-written answer from being cut.
                    let _output = std::io::stdout().lock();
                    std::process::exit(0);
                }
                if text.eq_ignore_ascii_case("YXSTOP") {
                    control.stop();
                    continue;
                }
            }
            drop(thinking);
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
    detail: Detail,
    running: Running,
}

impl Brain {
    fn new(args: &Args, nets: Nets) -> Result<Self> {
        let threads = usize::from(args.threads);
        let resources = Resources { threads, ..Resources::default() };
        let chosen = player(&args.player, &nets, resources).ok_or_else(|| unknown(&args.player))?;
        let (name, nodes, seed) = (args.player.clone(), args.nodes, args.seed);
        Ok(Self {
            name,
            nodes,
            threads,
            seed,
            nets,
            resources,
            player: chosen,
            detail: Detail::default(),
            running: Running::default(),
        })
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
        let resources = Resources { threads: self.threads.max(resources.threads), ..resources };
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
        Ok(self.nodes.map_or(*clock, |nodes| Clock {
            nodes: Some(nodes),
            lines: clock.lines,
            depth: clock.depth,
            ..Clock::default()
        }))
    }

    /// The next move; a player that fails is replaced by the heuristic for this move, so that the game is not lost by it.
    fn choose(&mut self, position: &Position, clock: &Clock, resources: Resources) -> Result<Decision> {
        let clock = self.prepare(clock, resources)?;
        let (chosen, seed) = (&mut self.player, self.seed);
        let (detail, size, lines) = (self.detail, position.size(), clock.lines);
        let control = Control::with_listener(move |progress| {
            if let Ok(line) = serde_json::from_value::<ThoughtLine>(progress.detail) {
                // a manager that does not listen any more is noticed by the answer
                let _unused = say(&thought_messages(&line, detail, size, lines).join("\n"));
            }
        });
        let thought = guarded(&clock, control, &self.running, |control| chosen.choose(position, &clock, seed, control));
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

    /// Answers a request; returns the line to send and the position that the player expects next.
    fn answer(
        &mut self,
        request: ThinkRequest,
        session: &mut Session,
        begun: Instant,
    ) -> (Result<String>, Option<Position>) {
        match request {
            ThinkRequest::Move { position, clock, resources } => {
                match self.choose(&position, &clock.after(begun.elapsed()), resources) {
                    Ok(decision) => {
                        let next = after(position, &decision);
                        (Ok(session.played(decision.point, begun.elapsed())), next)
                    }
                    Err(error) => (Err(error), None),
                }
            }
            ThinkRequest::Balance { position, stones, clock, resources } => {
                let found =
                    self.opening_thought(&clock.after(begun.elapsed()), resources, |player, _, seed, control| {
                        Ok(balancing_stones(player, &position, stones, seed, control)?)
                    });
                (found.map(|stones| session.balanced(&stones, begun.elapsed())), None)
            }
            ThinkRequest::Swap2 { rule, size, stones, clock, resources } => {
                let found =
                    self.opening_thought(&clock.after(begun.elapsed()), resources, |player, clock, seed, control| {
                        Ok(reply(player, rule, size, &stones, clock, seed, control)?)
                    });
                (found.map(|answer| session.opened(&answer, begun.elapsed())), None)
            }
        }
    }

    fn opening_thought<T>(
        &mut self,
        clock: &Clock,
        resources: Resources,
        think: impl FnOnce(&mut dyn Player, &Clock, u64, &Control) -> Result<T>,
    ) -> Result<T> {
        let clock = self.prepare(clock, resources)?;
        let (player, seed) = (&mut *self.player, self.seed);
        guarded(&clock, Control::new(), &self.running, |control| think(player, &clock, seed, control))?
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
fn guarded<T>(clock: &Clock, control: Control, running: &Running, think: impl FnOnce(&Control) -> T) -> Result<T> {
    let (done, waiting) = mpsc::channel::<()>();
    *running.lock().unwrap_or_else(PoisonError::into_inner) = Some(control.clone());
    let thought = std::thread::scope(|scope| {
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
    });
    *running.lock().unwrap_or_else(PoisonError::into_inner) = None;
    thought
}

fn unknown(name: &str) -> anyhow::Error {
    anyhow!("no player is called {name:?}; there are {} and the levels", gomoku::players::NAMES.join(", "))
}
