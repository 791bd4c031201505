//! Named players: a player is a function of (position, clock, seed).

use std::time::{Duration, Instant};

use game::{BotError, Budget, Control, Progress};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::heuristic::{self, BlunderModel};
use super::{Baseline, ThoughtLine, levels};
use crate::engine::{Config, Engine, Evaluation, SearchInfo, SearchLimits, SearchReport};
use crate::rules::{Color, Point, Position, Rule};

/// The names that [`player`] knows, besides the levels.
pub const NAMES: [&str; 8] = ["random", "heuristic", "one-ply", "baseline", "pattern", "policy", "net", "full"];

/// The time or node budget of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub nodes: Option<u64>,
    /// Limit of this move.
    pub turn: Option<Duration>,
    /// Time left for all moves; the player shares it out.
    pub match_left: Option<Duration>,
    /// Largest search depth in plies.
    pub depth: Option<u32>,
    /// Number of lines that the search reports with full details (multi-PV); 0 reports one line as a note.
    pub lines: usize,
}

/// The smallest time limit.
const LEAST_TIME: Duration = Duration::from_millis(1);

impl From<Budget> for Clock {
    fn from(budget: Budget) -> Self {
        match budget {
            Budget::Nodes(nodes) => Self { nodes: Some(nodes), ..Self::default() },
            Budget::Time(turn) => Self { turn: Some(turn), ..Self::default() },
        }
    }
}

impl Clock {
    /// The budget left after some time, always at least `LEAST_TIME`.
    pub fn after(&self, spent: Duration) -> Self {
        let left = |time: Duration| time.saturating_sub(spent).max(LEAST_TIME);
        Self { turn: self.turn.map(left), match_left: self.match_left.map(left), ..*self }
    }

    /// The time for this move for players without time management: the turn limit, or a share of the time left.
    pub fn plain_turn(&self) -> Option<Duration> {
        match (self.turn, self.match_left.map(|left| left / 30)) {
            (Some(turn), Some(share)) => Some(turn.min(share)),
            (turn, share) => turn.or(share),
        }
    }
}

/// Memory and threads a player may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    pub table_mb: usize,
    pub threads: usize,
}

impl Default for Resources {
    fn default() -> Self {
        Self { table_mb: 64, threads: 1 }
    }
}

/// The trained evaluations at hand, by rule.
#[derive(Clone, Default)]
pub struct Nets {
    by_rule: Vec<(Rule, Evaluation)>,
}

impl Nets {
    /// Adds or replaces the evaluation for a rule.
    pub fn insert(&mut self, rule: Rule, evaluation: Evaluation) {
        self.by_rule.retain(|(other, _)| *other != rule);
        self.by_rule.push((rule, evaluation));
    }

    /// The evaluation trained for `rule`, if there is one.
    pub fn get(&self, rule: Rule) -> Option<Evaluation> {
        self.by_rule.iter().find(|(other, _)| *other == rule).map(|(_, evaluation)| evaluation.clone())
    }
}

/// A decision of a player with its explanation.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    pub point: Point,
    /// Estimated win probability of the side to move, for players that estimate it.
    pub win_probability: Option<f64>,
    pub depth: u32,
    pub nodes: u64,
    /// The expected line, beginning with the move itself; empty for players without search.
    pub line: Vec<Point>,
}

impl Decision {
    const fn plain(point: Point) -> Self {
        Self { point, win_probability: None, depth: 0, nodes: 0, line: Vec::new() }
    }
}

/// A player that chooses moves.
pub trait Player: Send {
    /// Chooses a move for the side to move of a position that is not over.
    fn choose(
        &mut self,
        position: &Position,
        clock: &Clock,
        seed: u64,
        control: &Control,
    ) -> Result<Decision, BotError>;

    /// Thinks about an expected position until the control stops it; the results speed up the next [`Player::choose`].
    fn ponder(&mut self, _position: &Position, _control: &Control) {}

    /// Builds tables for a board, so that the first move does not wait for them.
    fn prepare(&mut self, _rule: Rule, _size: u8) {}

    /// Clears the memory of earlier games.
    fn reset(&mut self) {}
}

/// The player called `name`: one of [`NAMES`] or a level.
pub fn player(name: &str, nets: &Nets, resources: Resources) -> Option<Box<dyn Player>> {
    Some(match name {
        "random" => Box::new(Random),
        "heuristic" => Box::new(Heuristic(BlunderModel::FULL)),
        "one-ply" => Box::new(EnginePlayer::new(EngineMode::OnePly, nets, resources)),
        "baseline" | "foundation" => Box::new(BaselinePlayer::default()),
        "pattern" => Box::new(EnginePlayer::new(EngineMode::Pattern, nets, resources)),
        "policy" => Box::new(EnginePlayer::new(EngineMode::Policy, nets, resources)),
        "net" => Box::new(EnginePlayer::new(EngineMode::Net, nets, resources)),
        "full" => Box::new(EnginePlayer::new(EngineMode::Best, nets, resources)),
        level => return levels::player(level, nets, resources),
    })
}

fn nothing_to_play() -> BotError {
    BotError::Other("the side to move has no point to play".to_owned())
}

/// Any legal point.
struct Random;

impl Player for Random {
    fn choose(&mut self, position: &Position, _: &Clock, seed: u64, _: &Control) -> Result<Decision, BotError> {
        let points: Vec<Point> = position.legal_points().collect();
        if points.is_empty() {
            return Err(nothing_to_play());
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Ok(Decision::plain(points[rng.random_range(0..points.len())]))
    }
}

/// Row counts without search.
pub(super) struct Heuristic(pub(super) BlunderModel);

impl Player for Heuristic {
    fn choose(&mut self, position: &Position, _: &Clock, seed: u64, _: &Control) -> Result<Decision, BotError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        heuristic::choose(position, self.0, &mut rng).map(Decision::plain).ok_or_else(nothing_to_play)
    }
}

/// Alpha-beta over row counts.
#[derive(Default)]
pub(super) struct BaselinePlayer(Baseline);

/// Row counts per unit of log-odds of winning.
const BASELINE_LOGIT: f64 = 120.0;

impl Player for BaselinePlayer {
    fn choose(&mut self, position: &Position, clock: &Clock, _: u64, control: &Control) -> Result<Decision, BotError> {
        let (stop, nodes) = (control.stop_flag(), clock.nodes.unwrap_or(u64::MAX));
        let size = position.size();
        let on_progress = |found: &super::BaselineMove| {
            let note = format!("depth {}: {}", found.depth, found.point.name(size));
            control.report(Progress { done: 0.0, note, detail: serde_json::Value::Null });
        };
        let found =
            self.0.choose(position, nodes, clock.plain_turn(), &stop, on_progress).ok_or_else(nothing_to_play)?;
        let win_probability = Some(1.0 / (1.0 + (-f64::from(found.score) / BASELINE_LOGIT).exp()));
        Ok(Decision { point: found.point, win_probability, depth: found.depth, nodes: found.nodes, line: found.line })
    }
}

/// How the engine chooses moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EngineMode {
    Pattern,
    /// The move with the highest pattern urgency, without search.
    OnePly,
    /// The most likely move of the net (or of patterns where there is no net), without search.
    Policy,
    /// Search with the net; an error where there is none.
    Net,
    /// Search with the net where there is one, else with patterns.
    Best,
}

impl EngineMode {
    /// Whether moves are chosen without search.
    fn looks_no_further(self) -> bool {
        matches!(self, Self::OnePly | Self::Policy)
    }
}

/// The engine as a player.
pub(super) struct EnginePlayer {
    judge: EngineMode,
    nets: Nets,
    resources: Resources,
    engine: Option<Engine>,
}

impl EnginePlayer {
    pub(super) fn new(judge: EngineMode, nets: &Nets, resources: Resources) -> Self {
        Self { judge, nets: nets.clone(), resources, engine: None }
    }

    /// The engine for a rule and board, created at first use.
    fn engine(&mut self, rule: Rule, size: u8, nodes: Option<u64>) -> Result<&mut Engine, BotError> {
        let Resources { table_mb, threads } = self.resources;
        // A node budget clears the table before every move: a small one needs a small table, or clearing costs more
        // than searching.
        let table_mb = nodes.map_or(table_mb, |nodes| table_mb.min((nodes / 2_000).max(1) as usize));
        let fits = |config: &Config| (config.rule, config.size, config.table_mb) == (rule, size, table_mb);
        if self.engine.as_ref().is_none_or(|engine| !fits(engine.config())) {
            let evaluation = match (self.judge, self.nets.get(rule)) {
                (EngineMode::Pattern | EngineMode::OnePly, _) => Evaluation::Pattern,
                (_, Some(evaluation)) => evaluation,
                (EngineMode::Net, None) => {
                    return Err(BotError::Other(format!(
                        "no trained net for {rule} was found; `pattern` plays without one"
                    )));
                }
                (EngineMode::Best | EngineMode::Policy, None) => Evaluation::Pattern,
            };
            let config = Config { table_mb, threads, ..Config::new(rule, size).with_evaluation(evaluation) };
            self.engine = Some(Engine::new(config).map_err(|error| BotError::Other(error.to_string()))?);
        }
        self.engine.as_mut().ok_or_else(nothing_to_play)
    }
}

/// The stones in the form that the engine takes.
pub(crate) fn engine_stones(position: &Position) -> Vec<(Point, Color)> {
    position.stones().iter().map(|stone| (stone.point, stone.color)).collect()
}

impl Player for EnginePlayer {
    fn choose(
        &mut self,
        position: &Position,
        clock: &Clock,
        seed: u64,
        control: &Control,
    ) -> Result<Decision, BotError> {
        let (judge, begun) = (self.judge, Instant::now());
        let engine = self.engine(position.rule(), position.size(), clock.nodes)?;
        let clock = clock.after(begun.elapsed());
        let stones = engine_stones(position);
        let failed = |error: crate::engine::EngineError| BotError::Other(error.to_string());
        if judge.looks_no_further() {
            let points = engine.policy(&stones, position.to_move()).map_err(failed)?;
            return points.first().map(|&(point, _)| Decision::plain(point)).ok_or_else(nothing_to_play);
        }
        if clock.nodes.is_some() {
            // A node budget promises the same move for the same request, whatever was searched before.
            engine.clear();
        }
        let limits = SearchLimits {
            nodes: clock.nodes,
            turn: clock.turn,
            match_left: clock.match_left,
            depth: clock.depth,
            multi_pv: clock.lines,
            seed,
            ..SearchLimits::default()
        };
        let size = position.size();
        let mut on_progress = |info: &SearchInfo<'_>| {
            let name = info.line.moves.first().map(|point| point.name(size).to_string()).unwrap_or_default();
            let note = format!("depth {}: {name}, {:.0} %", info.line.depth, info.line.win_probability * 100.0);
            let detail =
                if clock.lines > 0 { serde_json::json!(ThoughtLine::of(info)) } else { serde_json::Value::Null };
            control.report(Progress { done: 0.0, note, detail });
        };
        let stop = control.stop_flag();
        let report = engine.search(&stones, position.to_move(), &limits, &stop, &mut on_progress).map_err(failed)?;
        Ok(decision(&report))
    }

    fn ponder(&mut self, position: &Position, control: &Control) {
        if self.judge.looks_no_further() {
            return;
        }
        // an error here costs nothing: the next request fails with its reason
        if let Ok(engine) = self.engine(position.rule(), position.size(), None) {
            let stones = engine_stones(position);
            let stop = control.stop_flag();
            let _unused = engine.search(&stones, position.to_move(), &SearchLimits::default(), &stop, &mut |_| {});
        }
    }

    fn prepare(&mut self, rule: Rule, size: u8) {
        // the first request reports what is wrong
        let _unused = self.engine(rule, size, None);
    }

    fn reset(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }
}

fn decision(report: &SearchReport) -> Decision {
    let best = report.lines.first();
    Decision {
        point: report.best,
        win_probability: best.map(|line| f64::from(line.win_probability)),
        depth: report.depth,
        nodes: report.nodes,
        line: best.map(|line| line.moves.clone()).unwrap_or_default(),
    }
}
