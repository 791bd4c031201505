//! What viewers see. Gomoku hides nothing: views differ only in `my_color`.

use game::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Phase, Settings, State};
use crate::rules::{
    Color, Forbidden, Point, Position, PositionSetup, Rule, SetupError, Status, Stone, forbidden_points,
};

/// A point in answers: coordinates from the top left and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Spot {
    pub x: u8,
    pub y: u8,
    /// Column letter and row from the bottom, `H8`.
    pub name: String,
}

impl Spot {
    /// The point as it is shown on a board of `size`.
    pub fn new(point: Point, size: u8) -> Self {
        Self { x: point.x, y: point.y, name: point.name(size).to_string() }
    }
}

/// A stone on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoneView {
    pub x: u8,
    pub y: u8,
    pub color: Color,
}

/// A point black may not take, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ForbiddenSpot {
    #[serde(flatten)]
    pub spot: Spot,
    pub why: Forbidden,
}

/// What a viewer sees of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct View {
    pub size: u8,
    pub rule: Rule,
    /// Stones in the order they were placed; the last is the newest.
    pub stones: Vec<StoneView>,
    /// The colour of the next stone.
    pub to_move: Color,
    pub phase: Phase,
    /// Who may act.
    pub acting: Option<Seat>,
    /// Who plays black, once the opening has settled it.
    pub black: Option<Seat>,
    /// The colour of the viewing seat, once settled.
    pub my_color: Option<Color>,
    /// The winning line, once there is one.
    pub line: Vec<Spot>,
    /// In renju with black to move: where black may not play.
    pub forbidden: Vec<ForbiddenSpot>,
    /// All actions so far, in notation.
    pub actions: Vec<String>,
}

impl View {
    /// What `viewer` sees of `state`.
    pub fn new(state: &State, viewer: Viewer) -> Self {
        let position = state.position();
        let size = position.size();
        let line = match position.status() {
            Status::Won { line, .. } => line.iter().map(|&point| Spot::new(point, size)).collect(),
            Status::Running | Status::Drawn => Vec::new(),
        };
        let black_moves = position.rule() == Rule::Renju && position.to_move() == Color::Black && !position.is_over();
        let forbidden = if black_moves { forbidden_points(position.board()) } else { Vec::new() };
        let color_of = |seat: Seat| state.black().map(|black| if black == seat { Color::Black } else { Color::White });
        Self {
            size,
            rule: position.rule(),
            stones: position
                .stones()
                .iter()
                .map(|stone| StoneView { x: stone.point.x, y: stone.point.y, color: stone.color })
                .collect(),
            to_move: position.to_move(),
            phase: state.phase(),
            acting: state.acting(),
            black: state.black(),
            my_color: viewer.seat().and_then(color_of),
            line,
            forbidden: forbidden
                .into_iter()
                .map(|(point, why)| ForbiddenSpot { spot: Spot::new(point, size), why })
                .collect(),
            actions: state.log().iter().map(|(_, action)| action.write(size)).collect(),
        }
    }

    /// The view of a position outside any table, black on the first seat.
    pub fn of_position(settings: &Settings) -> Result<Self, game::RuleError> {
        State::start(settings).map(|state| Self::new(&state, Viewer::Spectator))
    }

    /// The position that the view shows.
    pub fn position(&self) -> Result<Position, SetupError> {
        let stones = self.stones.iter().map(|s| Stone { point: Point { x: s.x, y: s.y }, color: s.color }).collect();
        PositionSetup { rule: self.rule, size: self.size, stones, to_move: self.to_move }.position()
    }
}
