//! `analyse`: the best moves with lines and win probabilities, with progress while the search runs.

use game::{Control, Cost, Needs, Progress, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::request::{PositionRequest, SearchEffort, engine, still_running, table_position};
use crate::Gomoku;
use crate::engine::reason::{MoveReason, reason};
use crate::engine::{SearchInfo, Variation};
use crate::players::engine_stones;
use crate::rules::Position;
use crate::table::Spot;

/// How to analyse the table's position.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct AnalyseRequest {
    #[serde(flatten)]
    pub effort: SearchEffort,
    /// How many moves to compare, 1 to 10.
    pub lines: Option<u8>,
}

/// How to analyse a stated position.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct AnalysePositionRequest {
    #[serde(flatten)]
    pub position: PositionRequest,
    /// Milliseconds, at most 60,000.
    pub ms: Option<u64>,
    /// Moves made and evaluated, at most 50 million.
    pub nodes: Option<u64>,
    /// How many moves to compare, 1 to 10.
    pub lines: Option<u8>,
}

/// One candidate move with its principal variation.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CandidateLine {
    #[serde(rename = "move")]
    pub first: Spot,
    /// Win probability of the side to move, 0 to 1.
    pub win_probability: f64,
    /// Moves of both sides until the end, where it is forced; negative when losing.
    pub forced_in: Option<i32>,
    pub depth: u32,
    pub line: Vec<Spot>,
    pub reason: MoveReason,
    /// The reason in one English sentence.
    pub note: String,
}

/// The result of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Analysis {
    /// The candidates, best first.
    pub lines: Vec<CandidateLine>,
    pub win_probability: f64,
    pub depth: u32,
    pub nodes: u64,
    pub ms: u64,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![
        Service::new(
            "analyse",
            "The best moves of the table's position with chances, lines and reasons; reports every deeper result.",
            Cost::Heavy,
            Needs::View,
            json!({ "ms": 1000, "lines": 3 }),
            |game: &Gomoku, request: AnalyseRequest, call| {
                let position = table_position(&call)?;
                analyse(game, &position, request.effort, request.lines.unwrap_or(3), call.seed, call.control)
            },
        ),
        Service::new(
            "analyse_position",
            "The same for any position.",
            Cost::Heavy,
            Needs::Nothing,
            json!({ "stones": "h8i9h9h10", "nodes": 20000, "lines": 2 }),
            |game: &Gomoku, request: AnalysePositionRequest, call| {
                let position = request.position.position()?;
                let effort = SearchEffort { ms: request.ms, nodes: request.nodes };
                analyse(game, &position, effort, request.lines.unwrap_or(1), call.seed, call.control)
            },
        ),
    ]
}

/// Analyses a position with progress.
pub(super) fn analyse(
    game: &Gomoku,
    position: &Position,
    effort: SearchEffort,
    lines: u8,
    seed: u64,
    control: &Control,
) -> Result<Analysis, ServiceError> {
    still_running(position)?;
    if !(1..=10).contains(&lines) {
        return Err(ServiceError::BadRequest(format!("{lines} lines cannot be compared; 1 to 10 can")));
    }
    let mut limits = effort.limits(1_000, seed)?;
    limits.multi_pv = usize::from(lines);
    limits.value_forced = true;
    let mut engine = engine(game, position)?;
    let budget = limits.turn;
    let mut heard = |info: &SearchInfo<'_>| {
        let done = budget.map_or(0.0, |turn| (info.elapsed.as_secs_f64() / turn.as_secs_f64()).min(1.0));
        let found = candidate(position, info.line);
        let note = found.as_ref().map_or_else(String::new, |line| {
            format!("depth {}: {} {:.0} %", line.depth, line.first.name, line.win_probability * 100.0)
        });
        control.report(Progress { done, note, detail: json!({ "index": info.index, "line": found }) });
    };
    let stop = control.stop_flag();
    let report = engine
        .search(&engine_stones(position), position.to_move(), &limits, &stop, &mut heard)
        .map_err(|error| ServiceError::BadRequest(error.to_string()))?;
    let lines: Vec<CandidateLine> = report.lines.iter().filter_map(|line| candidate(position, line)).collect();
    Ok(Analysis {
        win_probability: lines.first().map_or(0.5, |line| line.win_probability),
        lines,
        depth: report.depth,
        nodes: report.nodes,
        ms: report.elapsed.as_millis() as u64,
    })
}

fn candidate(position: &Position, line: &Variation) -> Option<CandidateLine> {
    let size = position.size();
    let first = *line.moves.first()?;
    let why = reason(position, first);
    Some(CandidateLine {
        first: Spot::new(first, size),
        win_probability: f64::from(line.win_probability),
        forced_in: line.score.forced_in(),
        depth: line.depth,
        line: line.moves.iter().map(|&point| Spot::new(point, size)).collect(),
        reason: why,
        note: why.sentence(first, size),
    })
}
