//! `review`: the win-probability curve through a game, with mistakes marked.

use game::{Control, Cost, Needs, Progress, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::request::{PositionRequest, engine, table_position};
use crate::Gomoku;
use crate::engine::SearchLimits;
use crate::engine::reason::{MoveReason, reason};
use crate::players::engine_stones;
use crate::rules::{Color, Position, PositionSetup, Status};
use crate::table::Spot;

/// How thoroughly to review a table's game.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReviewRequest {
    /// Nodes per position, 100 to 1,000,000; 20,000 if not given.
    pub nodes: Option<u64>,
}

/// A game to review.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReviewPositionRequest {
    #[serde(flatten)]
    pub position: PositionRequest,
    /// Nodes per position, 100 to 1,000,000; 20,000 if not given.
    pub nodes: Option<u64>,
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Good,
    /// Lost at least a tenth of the game.
    Slip,
    /// Lost at least a quarter.
    Mistake,
    /// Lost at least half of the game.
    Blunder,
}

/// One move of the game under review.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ReviewedMove {
    /// Number of the stone, from 1.
    pub number: u32,
    pub color: Color,
    pub played: Spot,
    /// Black's win probability before the move, 0 to 1.
    pub black_before: f64,
    /// Black's win probability after it.
    pub black_after: f64,
    /// Win probability that the move lost, 0 to 1.
    pub cost: f64,
    pub mark: Mark,
    /// The move that the engine prefers, with its reason, where it differs.
    pub better: Option<Better>,
}

/// The preferred move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Better {
    #[serde(rename = "move")]
    pub point: Spot,
    pub reason: MoveReason,
    /// The reason in one English sentence.
    pub note: String,
    pub line: Vec<Spot>,
}

/// A reviewed game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Review {
    pub moves: Vec<ReviewedMove>,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![
        Service::new(
            "review",
            "The table's game move by move: chances, mistakes and better moves.",
            Cost::Heavy,
            Needs::View,
            json!({ "nodes": 5000 }),
            |game: &Gomoku, request: ReviewRequest, call| {
                review(game, &table_position(&call)?, request.nodes, call.control)
            },
        ),
        Service::new(
            "review_position",
            "The same for any game.",
            Cost::Heavy,
            Needs::Nothing,
            json!({ "stones": "h8h9i8j8g8f8", "nodes": 2000 }),
            |game: &Gomoku, request: ReviewPositionRequest, call| {
                review(game, &request.position.position()?, request.nodes, call.control)
            },
        ),
    ]
}

/// The evaluation of one position: black's win probability, the preferred move and its line.
struct Moment {
    black: f64,
    best: Option<Better>,
}

fn review(game: &Gomoku, last: &Position, nodes: Option<u64>, control: &Control) -> Result<Review, ServiceError> {
    let nodes = nodes.unwrap_or(20_000);
    if !(100..=1_000_000).contains(&nodes) {
        return Err(ServiceError::BadRequest(format!("{nodes} nodes per move is out of range: 100 to 1000000")));
    }
    let mut engine = engine(game, last)?;
    let stones = last.stones();
    let mut moments: Vec<Moment> = Vec::new();
    for count in 0..=stones.len() {
        let to_move = stones.get(count).map_or(last.to_move(), |stone| stone.color);
        let setup = PositionSetup { rule: last.rule(), size: last.size(), stones: stones[..count].to_vec(), to_move };
        let position = setup.position().map_err(|error| ServiceError::BadRequest(error.to_string()))?;
        moments.push(judge(&mut engine, &position, nodes, control)?);
        let done = (count + 1) as f64 / (stones.len() + 1) as f64;
        control.report(Progress { done, note: format!("move {count} of {}", stones.len()), detail: json!(null) });
        if control.stopped() {
            break;
        }
    }
    let moves = moments
        .windows(2)
        .zip(stones)
        .enumerate()
        .map(|(i, (pair, stone))| {
            let (before, after) = (pair[0].black, pair[1].black);
            let cost = if stone.color == Color::Black { before - after } else { after - before }.max(0.0);
            let played = Spot::new(stone.point, last.size());
            let better = pair[0].best.clone().filter(|better| better.point != played && cost >= 0.05);
            ReviewedMove {
                number: i as u32 + 1,
                color: stone.color,
                black_before: before,
                black_after: after,
                cost,
                mark: mark(cost),
                better,
                played,
            }
        })
        .collect();
    Ok(Review { moves })
}

fn mark(cost: f64) -> Mark {
    match cost {
        c if c >= 0.5 => Mark::Blunder,
        c if c >= 0.25 => Mark::Mistake,
        c if c >= 0.1 => Mark::Slip,
        _ => Mark::Good,
    }
}

fn judge(
    engine: &mut crate::engine::Engine,
    position: &Position,
    nodes: u64,
    control: &Control,
) -> Result<Moment, ServiceError> {
    match position.status() {
        Status::Won { by, .. } => return Ok(Moment { black: f64::from(u8::from(*by == Color::Black)), best: None }),
        Status::Drawn => return Ok(Moment { black: 0.5, best: None }),
        Status::Running => {}
    }
    let (me, size) = (position.to_move(), position.size());
    let stop = control.stop_flag();
    let report = engine
        .search(
            &engine_stones(position),
            me,
            &SearchLimits { value_forced: true, ..SearchLimits::nodes(nodes) },
            &stop,
            &mut |_| {},
        )
        .map_err(|error| ServiceError::BadRequest(error.to_string()))?;
    let chance = report.lines.first().map_or(0.5, |line| f64::from(line.win_probability));
    let why = reason(position, report.best);
    let line = report.lines.first().map(|line| line.moves.clone()).unwrap_or_default();
    Ok(Moment {
        black: if me == Color::Black { chance } else { 1.0 - chance },
        best: Some(Better {
            point: Spot::new(report.best, size),
            reason: why,
            note: why.sentence(report.best, size),
            line: line.into_iter().map(|point| Spot::new(point, size)).collect(),
        }),
    })
}
