//! Gomoku matches between named players and external Gomocup programs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arena::{Contest, Fault, FaultKind, PlayedGame, Side};
use game::{Control, PlayerSpec};
use gomoku::formats::tree::symmetric;
use gomoku::formats::{Record, RecordResult, psq};
use gomoku::players::{Clock, NAMES, Nets, Player, Resources, levels, player};
use gomoku::rules::{Color, Point, Position, PositionSetup, Rule, Status};

use super::{Brain, BrainFault};
use numerics::SplitMix64;

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Competitor {
    /// A named player, with its own node budget if it has one.
    Named { name: String, nodes: Option<u64> },
    /// Any executable that speaks the Gomocup protocol.
    Brain { command: String },
}

impl Competitor {
    /// Parses `NAME`, `NAME:nodes=N` ([`PlayerSpec`]), or a command line whose program exists.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Ok(spec) = text.parse::<PlayerSpec>()
            && player(spec.name(), &Nets::default(), Resources::default()).is_some()
        {
            spec.allow(&["nodes"]).map_err(|error| error.to_string())?;
            let nodes = spec.option("nodes").map_err(|error| error.to_string())?;
            return Ok(Self::Named { name: spec.name().to_owned(), nodes });
        }
        let program = text.split_whitespace().next().unwrap_or_default();
        if is_program(program) {
            return Ok(Self::Brain { command: text.to_owned() });
        }
        Err(format!(
            "{text:?} is neither a named player ({}) nor a command whose program can be found",
            names().join(", ")
        ))
    }

    /// A short name for records.
    pub fn label(&self) -> String {
        match self {
            Self::Named { name, nodes: Some(nodes) } => format!("{name}:{nodes}"),
            Self::Named { name, nodes: None } => name.clone(),
            Self::Brain { command } => command.clone(),
        }
    }
}

/// Named players, levels included.
fn names() -> Vec<String> {
    let mut names: Vec<String> = NAMES.iter().map(|&name| name.to_owned()).collect();
    names.extend(levels().into_iter().map(|level| level.id).filter(|id| !NAMES.contains(&id.as_str())));
    names
}

/// Whether `program` is a file, by its path or in a folder of PATH.
fn is_program(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let named = Path::new(program).is_file();
    let found = |folder: PathBuf| folder.join(program).is_file();
    !program.is_empty() && (named || (!program.contains('/') && std::env::split_paths(&folders).any(found)))
}

/// A match: rules, time, openings and the two sides.
pub struct EngineMatch {
    pub rule: Rule,
    pub size: u8,
    pub players: [Competitor; 2],
    /// Openings by pair. A longer match reuses them under the symmetries of the board.
    pub openings: Vec<Vec<Point>>,
    /// Limit per move.
    pub turn: Duration,
    /// Limit per game and side.
    pub whole: Option<Duration>,
    /// How late an answer may come, for the transfer through the pipe.
    pub tolerance: Duration,
    /// Node budget of named players, which then ignore the clock.
    pub nodes: Option<u64>,
    pub seed: u64,
    pub nets: Nets,
    /// Whether the time of external programs is their processor time instead of wall-clock time (Linux).
    pub cpu_clock: bool,
}

/// Time for an external program to start and to build its board.
const START_LIMIT: Duration = Duration::from_secs(30);
/// Memory limit of external programs: 350 MB, as at Gomocup.
const MEMORY: u64 = 350 << 20;

/// How much longer than its limit of processor time an answer may take by the wall clock.
const CPU_PATIENCE: u32 = 20;

impl Contest for EngineMatch {
    fn play(&self, pair: u64, swapped: bool) -> PlayedGame {
        self.played(pair, swapped).0
    }
}

impl EngineMatch {
    /// Plays one game and records it as psq.
    pub fn played(&self, pair: u64, swapped: bool) -> (PlayedGame, String) {
        let mut stones = self.opening(pair);
        let mut times = vec![0u64; stones.len()];
        // In the first game of a pair the first player has black.
        let black = if swapped { Side::P2 } else { Side::P1 };
        let played = self.game(pair, black, &mut stones, &mut times);
        let record = psq::write(&self.record(black, &stones, times, &played));
        (played, record)
    }

    fn opening(&self, pair: u64) -> Vec<Point> {
        if self.openings.is_empty() {
            return Vec::new();
        }
        let count = self.openings.len() as u64;
        let turned = (pair / count % 8) as u8;
        self.openings[(pair % count) as usize].iter().map(|&point| symmetric(point, self.size, turned)).collect()
    }

    fn game(&self, pair: u64, black: Side, stones: &mut Vec<Point>, times: &mut Vec<u64>) -> PlayedGame {
        let lost = |by: Side, fault: BrainFault, plies: usize| PlayedGame {
            points: if by == Side::P1 { 0.0 } else { 1.0 },
            plies: plies as u32,
            fault: Some(Fault { by, kind: fault.kind, note: fault.note }),
        };
        let setup = PositionSetup::alternating(self.rule, self.size, stones.iter().copied());
        let mut position = match setup.position() {
            Ok(position) => position,
            Err(error) => return lost(Side::P1, BrainFault::new(FaultKind::Illegal, format!("opening: {error}")), 0),
        };
        let mut seats: [Option<Seat>; 2] = [None, None];
        for side in [Side::P1, Side::P2] {
            match Seat::new(&self.players[usize::from(side == Side::P2)], self) {
                Ok(seat) => seats[usize::from(side == Side::P2)] = Some(seat),
                Err(fault) => return lost(side, fault, 0),
            }
        }
        while *position.status() == Status::Running {
            let side = match (position.to_move(), black) {
                (Color::Black, side) => side,
                (Color::White, Side::P1) => Side::P2,
                (Color::White, Side::P2) => Side::P1,
            };
            let Some(seat) = &mut seats[usize::from(side == Side::P2)] else { break };
            let mut mixed =
                SplitMix64::new(self.seed ^ pair << 20 ^ (stones.len() as u64) << 2 ^ u64::from(black == Side::P2));
            let answer = seat.choose(self, &position, mixed.next_u64());
            let outcome = answer.and_then(|(point, time)| {
                position.play(point).map_err(|error| BrainFault::new(FaultKind::Illegal, error.to_string()))?;
                stones.push(point);
                times.push(time.as_millis() as u64);
                Ok(())
            });
            if let Err(fault) = outcome {
                return lost(side, fault, stones.len());
            }
        }
        let points = match position.status() {
            Status::Won { by, .. } => f64::from(u8::from((*by == Color::Black) == (black == Side::P1))),
            Status::Running | Status::Drawn => 0.5,
        };
        PlayedGame { points, plies: stones.len() as u32, fault: None }
    }

    fn record(&self, black: Side, stones: &[Point], times: Vec<u64>, played: &PlayedGame) -> Record {
        let [first, second] = [self.players[0].label(), self.players[1].label()];
        let (black_name, white_name) = if black == Side::P1 { (first, second) } else { (second, first) };
        let p1_color = if black == Side::P1 { Color::Black } else { Color::White };
        let result = match played.points {
            p if p > 0.75 => RecordResult::Won(p1_color),
            p if p < 0.25 => RecordResult::Won(p1_color.opponent()),
            _ => RecordResult::Drawn,
        };
        let record = Record::of_points(self.size, stones.iter().copied());
        Record { rule: Some(self.rule), times, black: black_name, white: white_name, result: Some(result), ..record }
    }
}

/// One side of one game.
struct Seat {
    used: Duration,
    kind: Kind,
}

enum Kind {
    Named { player: Box<dyn Player>, nodes: Option<u64> },
    Brain { brain: Brain, begun: bool },
}

impl Seat {
    fn new(competitor: &Competitor, plan: &EngineMatch) -> Result<Self, BrainFault> {
        let kind = match competitor {
            Competitor::Named { name, nodes } => {
                let resources = Resources { table_mb: 32, threads: 1 };
                let player = player(name, &plan.nets, resources)
                    .ok_or_else(|| BrainFault::new(FaultKind::Crash, format!("no player is called {name}")))?;
                Kind::Named { player, nodes: nodes.or(plan.nodes) }
            }
            Competitor::Brain { command } => {
                let mut brain = Brain::start(command)?;
                let asked = Instant::now();
                brain.tell(&[format!("START {}", plan.size)])?;
                let (answer, _) = brain.answer(asked, START_LIMIT)?;
                if !answer.to_ascii_uppercase().starts_with("OK") {
                    return Err(BrainFault::new(FaultKind::Crash, format!("START was answered with {answer:?}")));
                }
                let whole = plan.whole.map_or(0, |whole| whole.as_millis());
                brain.tell(&[
                    format!("INFO timeout_turn {}", plan.turn.as_millis()),
                    format!("INFO timeout_match {whole}"),
                    format!("INFO max_memory {MEMORY}"),
                    "INFO game_type 1".to_owned(),
                    format!("INFO rule {}", plan.rule.gomocup_bits()),
                ])?;
                Kind::Brain { brain, begun: false }
            }
        };
        Ok(Self { used: Duration::ZERO, kind })
    }

    fn choose(&mut self, plan: &EngineMatch, position: &Position, seed: u64) -> Result<(Point, Duration), BrainFault> {
        let left = plan.whole.map(|whole| whole.saturating_sub(self.used));
        let limit = left.map_or(plan.turn, |left| left.min(plan.turn)) + plan.tolerance;
        let (point, time) = match &mut self.kind {
            Kind::Named { player, nodes } => {
                let begun = Instant::now();
                // The turn limit is the manager's; a named player keeps a reserve, as an external program does.
                let reserve = plan.turn / 25 + Duration::from_millis(10);
                let clock = match nodes {
                    Some(nodes) => Clock { nodes: Some(*nodes), ..Clock::default() },
                    None => {
                        Clock { turn: Some(plan.turn.saturating_sub(reserve)), match_left: left, ..Clock::default() }
                    }
                };
                let decision = player
                    .choose(position, &clock, seed, &Control::new())
                    .map_err(|error| BrainFault::new(FaultKind::Crash, error.to_string()))?;
                (decision.point, if nodes.is_some() { Duration::ZERO } else { begun.elapsed() })
            }
            Kind::Brain { brain, begun } if plan.cpu_clock => {
                let before = brain.cpu_time();
                // on a busy machine the wall clock runs ahead of the processor time
                let (point, wall) = ask(brain, begun, position, left, limit * CPU_PATIENCE)?;
                let used = before.zip(brain.cpu_time()).map(|(before, after)| after.saturating_sub(before));
                (point, used.unwrap_or(wall))
            }
            Kind::Brain { brain, begun } => ask(brain, begun, position, left, limit)?,
        };
        self.used += time;
        if time > limit {
            let note = format!("{} ms for a move, {} allowed", time.as_millis(), limit.as_millis());
            return Err(BrainFault::new(FaultKind::Time, note));
        }
        Ok((point, time))
    }
}

/// Requests a move: the whole board the first time, the opponent's last stone from then on.
fn ask(
    brain: &mut Brain,
    begun: &mut bool,
    position: &Position,
    left: Option<Duration>,
    limit: Duration,
) -> Result<(Point, Duration), BrainFault> {
    let time_left = left.map_or(i32::MAX as u128, |left| left.as_millis());
    let mut lines = vec![format!("INFO time_left {time_left}")];
    let stones = position.stones();
    match (stones.last(), *begun) {
        (None, _) => lines.push("BEGIN".to_owned()),
        (Some(last), true) => lines.push(format!("TURN {},{}", last.point.x, last.point.y)),
        (Some(_), false) => {
            lines.push("BOARD".to_owned());
            for stone in stones {
                let who = if stone.color == position.to_move() { 1 } else { 2 };
                lines.push(format!("{},{},{who}", stone.point.x, stone.point.y));
            }
            lines.push("DONE".to_owned());
        }
    }
    *begun = true;
    let asked = Instant::now();
    brain.tell(&lines)?;
    let (answer, time) = brain.answer(asked, limit)?;
    let numbers: Option<Vec<u8>> = answer.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y]) => Ok((Point { x, y }, time)),
        _ => Err(BrainFault::new(FaultKind::Crash, format!("it answered {answer:?} instead of a move"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn plan(p1: &str, p2: &str) -> EngineMatch {
        EngineMatch {
            rule: Rule::Freestyle,
            size: 15,
            players: [p1, p2].map(|text| Competitor::parse(text).expect("players of the tests")),
            openings: vec![vec![Point::new(7, 7), Point::new(8, 8), Point::new(6, 8)]],
            turn: Duration::from_millis(500),
            whole: None,
            tolerance: Duration::from_millis(100),
            nodes: Some(50),
            seed: 1,
            nets: Nets::default(),
            cpu_clock: false,
        }
    }

    #[test]
    fn names_and_commands_are_told_apart() {
        let named = |name: &str, nodes| Competitor::Named { name: name.to_owned(), nodes };
        assert_eq!(Competitor::parse("baseline"), Ok(named("baseline", None)));
        assert_eq!(Competitor::parse("pattern:500"), Ok(named("pattern", Some(500))));
        assert!(matches!(Competitor::parse("sh -c true"), Ok(Competitor::Brain { .. })));
        let error = Competitor::parse("./no-such-brain --fast").expect_err("there is no such program");
        assert!(error.contains("no-such-brain") && error.contains("steady"), "{error}");
    }

    #[test]
    fn the_eight_symmetries_are_different_and_stay_on_the_board() {
        let all: Vec<Point> = (0..8).map(|turned| symmetric(Point::new(1, 2), 15, turned)).collect();
        for (i, point) in all.iter().enumerate() {
            assert!(point.on(15) && !all[..i].contains(point));
        }
    }

    #[test]
    fn the_heuristic_beats_random_stones_and_node_matches_repeat() {
        let play = || {
            let pairs = arena::MatchPlan { pairs: 3, workers: 1, sprt: None, file: None, title: "t".to_owned() };
            arena::run(&plan("heuristic", "random"), &pairs, &AtomicBool::new(false), |_| {}).unwrap()
        };
        let results = play();
        assert_eq!(results, play());
        assert_eq!(arena::Summary::of(&results, None).p1_score, 1.0);
    }

    #[test]
    fn a_program_that_is_no_brain_loses_by_a_crash_and_a_silent_one_on_time() {
        let crash = plan("heuristic", "true").play(0, false);
        assert_eq!(crash.fault.map(|fault| (fault.by, fault.kind)), Some((Side::P2, FaultKind::Crash)));
        assert_eq!(crash.points, 1.0);
        let gone = Competitor::Brain { command: "/no/such/brain".to_owned() };
        let missing = EngineMatch { players: [gone, Competitor::parse("heuristic").unwrap()], ..plan("true", "true") };
        let missing = missing.play(0, false);
        assert_eq!((missing.points, missing.fault.map(|fault| fault.by)), (0.0, Some(Side::P1)));
    }

    #[test]
    fn a_brain_that_answers_too_late_or_off_the_board_loses() {
        let script = |move_line: &str| {
            format!(
                "sh -c 'read l; echo OK; while read l; do case \"$l\" in DONE*|TURN*|BEGIN*) {move_line};; END*) exit;; esac; done'"
            )
        };
        let late = plan("heuristic", &script("sleep 2; echo 1,1")).play(0, false);
        assert_eq!(late.fault.map(|fault| fault.kind), Some(FaultKind::Time));
        let off = plan("heuristic", &script("echo 99,99")).play(0, false);
        assert_eq!(off.fault.map(|fault| fault.kind), Some(FaultKind::Illegal));
        let chatty = plan("heuristic", &script("echo MESSAGE hello; echo nonsense")).play(0, false);
        assert_eq!(chatty.fault.map(|fault| fault.kind), Some(FaultKind::Crash));
    }
}
