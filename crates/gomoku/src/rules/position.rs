//! A position: stones, side to move, and status of the game.

use super::board::{Board, PointState};
use super::forbidden::{Forbidden, forbidden};
use super::{Color, Point, PositionSetup, Rule, SetupError, Stone, winning_line};

/// The status of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The side to move may play.
    Running,
    /// A winning line is on the board.
    Won { by: Color, line: Vec<Point> },
    /// No point is left to the side to move.
    Drawn,
}

/// Why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// Beyond the edge.
    #[error("{x},{y} is outside the board of {size}; coordinates run from 0 to {}", size - 1)]
    Outside { x: u8, y: u8, size: u8 },
    /// A stone stands there.
    #[error("{point} is already taken")]
    Taken { point: String },
    /// Renju forbids it to black.
    #[error("{point} is forbidden to black in renju: {why}")]
    Forbidden { point: String, why: Forbidden },
}

/// A checked position with its history; moves can be made and taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    rule: Rule,
    board: Board,
    stones: Vec<Stone>,
    /// How many of `stones` were there from the start and cannot be taken back.
    given: usize,
    to_move: Color,
    status: Status,
}

impl Position {
    /// The empty board of `size` under `rule`, black to move.
    pub fn new(rule: Rule, size: u8) -> Result<Self, SetupError> {
        PositionSetup::empty(rule, size).position()
    }

    pub(super) fn from_checked(
        rule: Rule,
        board: Board,
        stones: &[Stone],
        to_move: Color,
        winner: Option<(Color, Vec<Point>)>,
    ) -> Self {
        let mut position =
            Self { rule, board, given: stones.len(), stones: stones.to_vec(), to_move, status: Status::Running };
        position.status = match winner {
            Some((by, line)) => Status::Won { by, line },
            None => position.running_or_drawn(),
        };
        position
    }

    /// The rule set.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The stones on their grid.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Points per side.
    pub const fn size(&self) -> u8 {
        self.board.size()
    }

    /// Stones in the order they were placed.
    pub fn stones(&self) -> &[Stone] {
        &self.stones
    }

    /// The stone placed last.
    pub fn last(&self) -> Option<Stone> {
        self.stones.last().copied()
    }

    /// Whose turn it is (or would be, were the game not over).
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// How the position stands.
    pub const fn status(&self) -> &Status {
        &self.status
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.status != Status::Running
    }

    /// The same position, stated as a set-up.
    pub fn setup(&self) -> PositionSetup {
        PositionSetup { rule: self.rule, size: self.size(), stones: self.stones.clone(), to_move: self.to_move }
    }

    /// Whether the side to move may play `point`; the error says why not.
    pub fn check(&self, point: Point) -> Result<(), MoveError> {
        if self.is_over() {
            return Err(MoveError::Over);
        }
        if !point.on(self.size()) {
            return Err(MoveError::Outside { x: point.x, y: point.y, size: self.size() });
        }
        if self.board.get(point) != PointState::Empty {
            return Err(MoveError::Taken { point: point.name(self.size()).to_string() });
        }
        match self.forbidden(point) {
            Some(why) => Err(MoveError::Forbidden { point: point.name(self.size()).to_string(), why }),
            None => Ok(()),
        }
    }

    /// Why renju forbids `point` to the side to move, if it does.
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        if self.rule == Rule::Renju && self.to_move == Color::Black { forbidden(&self.board, point) } else { None }
    }

    /// The points the side to move may play, row by row.
    pub fn legal_points(&self) -> impl Iterator<Item = Point> {
        let running = !self.is_over();
        self.board.empty_points().filter(move |&point| running && self.forbidden(point).is_none())
    }

    /// Plays `point` for the side to move.
    pub fn play(&mut self, point: Point) -> Result<(), MoveError> {
        self.check(point)?;
        self.board.set(point, Some(self.to_move));
        self.stones.push(Stone { point, color: self.to_move });
        let by = self.to_move;
        self.to_move = by.opponent();
        self.status = match winning_line(&self.board, self.rule, point) {
            Some(line) => Status::Won { by, line },
            None => self.running_or_drawn(),
        };
        Ok(())
    }

    /// Takes back the stone placed last, unless it was part of the set-up.
    pub fn undo(&mut self) -> Option<Stone> {
        if self.stones.len() == self.given {
            return None;
        }
        let stone = self.stones.pop()?;
        self.board.set(stone.point, None);
        self.to_move = stone.color;
        self.status = Status::Running;
        Some(stone)
    }

    /// A full board is a draw; so is a board whose empty points are all forbidden to the side to move.
    fn running_or_drawn(&self) -> Status {
        let stuck = self.board.empty_points().all(|point| self.forbidden(point).is_some());
        if stuck { Status::Drawn } else { Status::Running }
    }
}
