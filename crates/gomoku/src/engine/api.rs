//! The public interface of the engine: configuration, limits, reports.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::evaluator::PatternEvaluator;
use super::geometry::Cell;
use super::iterative_deepening::{SearchRequest, answer, legal_moves};
use super::pattern_board::PatternBoard;
use super::pattern_tables::{Class, PatternTables};
use super::transposition::SharedTable;
use super::tuning::Tuning;
use crate::engine::net::{LazyEval, Net, NetEvaluator};
use crate::rules::{Color, Point, Rule};

/// Which evaluation the search uses.
#[derive(Clone, Default)]
pub enum Evaluation {
    /// Sums of tuned pattern weights: always available, fastest.
    #[default]
    Pattern,
    /// A line-table net: stronger at equal time (docs/results/gomoku.md).
    Net(Arc<Net>),
}

impl Evaluation {
    /// The search constants tuned for this evaluation.
    pub fn tuning(&self) -> Tuning {
        match self {
            Self::Pattern => Tuning::default(),
            Self::Net(_) => Tuning::with_net(),
        }
    }
}

/// Configuration of an [`Engine`].
#[derive(Clone)]
pub struct Config {
    pub rule: Rule,
    /// Side of the square board, 5 to 22.
    pub size: u8,
    /// Memory of the transposition table in MiB (at least 1). Everything else stays under 40 MiB.
    pub table_mb: usize,
    /// Search threads sharing the table; results are reproducible with one.
    pub threads: usize,
    pub evaluation: Evaluation,
    pub tuning: Tuning,
    /// Pattern weights other than the built-in ones.
    pub tables: Option<&'static PatternTables>,
}

impl Config {
    /// Defaults for a rule and board: 64 MiB, one thread, pattern evaluation.
    pub fn new(rule: Rule, size: u8) -> Self {
        Self {
            rule,
            size,
            table_mb: 64,
            threads: 1,
            evaluation: Evaluation::Pattern,
            tuning: Tuning::default(),
            tables: None,
        }
    }

    /// The same with this evaluation and the search constants tuned for it.
    pub fn with_evaluation(self, evaluation: Evaluation) -> Self {
        let tuning = evaluation.tuning();
        Self { evaluation, tuning, ..self }
    }
}

/// When a search ends. Without any limit it runs until the stop flag is set.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Nodes searched (moves made and evaluated).
    pub nodes: Option<u64>,
    /// Hard limit for this move; the search returns before it.
    pub turn: Option<Duration>,
    /// Time left for the whole match; the search shares it out over the coming moves, never beyond `turn`.
    pub match_left: Option<Duration>,
    pub depth: Option<u32>,
    /// How many different first moves to report with exact scores (0 and 1 mean one).
    pub multi_pv: usize,
    /// Whether a forced reply (one five to stop) gets the value of a search behind it instead of being returned at once:
    /// for analysis, where the value matters as well as the move.
    pub value_forced: bool,
    /// Seeds tie-breaking noise; 0 adds none.
    pub seed: u64,
}

impl SearchLimits {
    /// A node budget: the reproducible kind of limit.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A hard time limit for one move.
    pub fn turn(turn: Duration) -> Self {
        Self { turn: Some(turn), ..Self::default() }
    }
}

/// A value from the point of view of the side to move, positive when good. Beyond [`Score::FORCED`] the game is
/// decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub i32);

impl Score {
    /// The score of a win on the board.
    pub const MATE: i32 = 30_000;
    /// Scores at least this far from zero are forced wins or losses.
    pub const FORCED: i32 = 29_000;
    /// Points of evaluation per unit of log-odds.
    pub const LOGIT: f32 = 200.0;

    /// Moves (of both sides) until the forced end, if there is one; negative when losing.
    pub fn forced_in(self) -> Option<i32> {
        if self.0 >= Self::FORCED {
            Some(Self::MATE - self.0)
        } else if self.0 <= -Self::FORCED {
            Some(-(Self::MATE + self.0))
        } else {
            None
        }
    }

    /// Probability that the side to move wins (a draw counts half).
    pub fn win_probability(self) -> f32 {
        match self.forced_in() {
            Some(n) if n >= 0 => 1.0,
            Some(_) => 0.0,
            None => 1.0 / (1.0 + (-(self.0 as f32) / Self::LOGIT).exp()),
        }
    }
}

/// One principal variation.
#[derive(Clone, Debug)]
pub struct Variation {
    pub score: Score,
    pub win_probability: f32,
    pub depth: u32,
    pub moves: Vec<Point>,
}

/// Progress of a running search, after each finished iteration and line.
#[derive(Clone, Debug)]
pub struct SearchInfo<'a> {
    /// 0 for the best line, 1 for the second, …
    pub index: usize,
    pub line: &'a Variation,
    pub nodes: u64,
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchReport {
    pub best: Point,
    /// The lines found, best first; never empty.
    pub lines: Vec<Variation>,
    pub depth: u32,
    pub nodes: u64,
    /// Nodes of the forced-win searches, not part of `nodes`.
    pub solver_nodes: u64,
    pub elapsed: Duration,
}

/// Why the engine cannot answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The board is not 5 to 22 points wide.
    Size(u8),
    /// A stone is off the board or on another stone.
    Stone(Point),
    /// The side to move has no legal move.
    NoMove,
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size(size) => write!(f, "a board of {size} points: boards are 5 to 22 points wide"),
            Self::Stone(p) => write!(f, "the stone at {},{} is off the board or on another stone", p.x, p.y),
            Self::NoMove => write!(f, "the side to move has no legal move"),
        }
    }
}

impl std::error::Error for EngineError {}

/// The engine for one rule and board size.
pub struct Engine {
    config: Config,
    position: PatternBoard,
    table: SharedTable,
}

impl Engine {
    /// An engine; fails if the board size is not 5 to 22.
    pub fn new(config: Config) -> Result<Self, EngineError> {
        let tables = config.tables.unwrap_or_else(|| PatternTables::of(config.rule));
        let position =
            PatternBoard::with_tables(config.rule, config.size, tables).ok_or(EngineError::Size(config.size))?;
        let table = SharedTable::new(config.table_mb);
        Ok(Self { config, position, table })
    }

    /// The configuration of this engine.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Clears the transposition table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches for the best move. `stones` are in the order they were placed; the side to move need not follow from
    /// their number. The call returns within the limits, or soon after `stop` is set; it reports every finished
    /// iteration
    /// to `on_info`.
    pub fn search(
        &mut self,
        stones: &[(Point, Color)],
        mover: Color,
        limits: &SearchLimits,
        stop: &AtomicBool,
        on_info: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Result<SearchReport, EngineError> {
        self.position.set(stones).map_err(EngineError::Stone)?;
        let question = SearchRequest {
            position: &mut self.position,
            mover,
            limits,
            stop,
            table: &mut self.table,
            threads: self.config.threads,
            tuning: &self.config.tuning,
        };
        match &self.config.evaluation {
            Evaluation::Pattern => answer(question, PatternEvaluator, on_info),
            Evaluation::Net(net) => {
                let Tuning { guide_depth: depth, certain, .. } = self.config.tuning;
                answer(question, NetEvaluator::with_lazy_eval(Arc::clone(net), LazyEval { depth, certain }), on_info)
            }
        }
        .ok_or(EngineError::NoMove)
    }

    /// The policy without search: probabilities of all legal points as the next move, most likely first. They sum to
    /// one.
    pub fn policy(&mut self, stones: &[(Point, Color)], mover: Color) -> Result<Vec<(Point, f32)>, EngineError> {
        self.position.set(stones).map_err(EngineError::Stone)?;
        let cells = legal_moves(&mut self.position, mover);
        if cells.is_empty() {
            return Err(EngineError::NoMove);
        }
        let position = &self.position;
        let mut logits: Vec<f32> = match &self.config.evaluation {
            Evaluation::Pattern => cells
                .iter()
                .map(|&cell| {
                    let own = f32::from(position.urgency(cell, mover).attack);
                    let theirs = f32::from(position.urgency(cell, mover.opponent()).defend);
                    (own + theirs) / POLICY_TEMPERATURE
                })
                .collect(),
            Evaluation::Net(net) => {
                let mut logits = NetEvaluator::new(Arc::clone(net)).logits(position, mover, &cells);
                leave_far_cells(position, &cells, &mut logits);
                logits
            }
        };
        urge_forced_cells(position, mover, &cells, &mut logits);
        let mut scored: Vec<(Point, f32)> = cells.iter().map(|c| c.point()).zip(logits).collect();
        let top = scored.iter().map(|s| s.1).fold(f32::MIN, f32::max);
        let total: f32 = scored.iter().map(|s| (s.1 - top).exp()).sum();
        for (_, p) in &mut scored {
            *p = (*p - top).exp() / total;
        }
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(scored)
    }
}

/// Training data hold only moves near stones: all other cells rank below them.
fn leave_far_cells(position: &PatternBoard, cells: &[Cell], logits: &mut [f32]) {
    let near = position.candidates();
    let is_near = |cell: &Cell| near.contains(*cell);
    let lowest = cells.iter().zip(&*logits).filter(|(cell, _)| is_near(cell)).map(|(_, l)| *l).reduce(f32::min);
    if let Some(lowest) = lowest {
        for (_, logit) in cells.iter().zip(logits).filter(|(cell, _)| !is_near(cell)) {
            *logit = lowest - FAR;
        }
    }
}

/// Where a move of one kind wins or loses at once, the policy is restricted to moves of that kind: neither patterns nor
/// nets learn from positions with a five or an open four to make or a five to stop, and a four-three wins as surely. An
/// open four of the opponent is met on the cells that take part in it, or by fours.
fn urge_forced_cells(position: &PatternBoard, mover: Color, cells: &[Cell], logits: &mut [f32]) {
    let you = mover.opponent();
    let makes = |colour: Color, class: Class| position.count(colour, class) > 0;
    let four_three = position.rule() != Rule::Renju && !position.has_four(you);
    let wanted = [
        (mover, Class::Five, true),
        (you, Class::Five, true),
        (mover, Class::OpenFour, true),
        (mover, Class::FourThree, four_three),
    ];
    let wanted = wanted.iter().find(|&&(colour, class, counts)| counts && makes(colour, class));
    let (own, theirs) = (position.hot(mover), position.hot(you));
    for (&cell, logit) in cells.iter().zip(logits) {
        let forced = match wanted {
            Some(&(colour, class, _)) => position.class(cell, colour) == class as u8,
            None => makes(you, Class::OpenFour) && (own.contains(cell) || theirs.contains(cell)),
        };
        if forced {
            *logit += FORCED_CELL;
        }
    }
}

/// Bonus of a cell that wins or must be taken, in log-odds.
const FORCED_CELL: f32 = 30.0;

/// Distance between the least likely cell near stones and all cells far from them, in log-odds.
const FAR: f32 = 3.0;

/// Ordering points per unit of log-probability where patterns replace a policy.
const POLICY_TEMPERATURE: f32 = 100.0;
