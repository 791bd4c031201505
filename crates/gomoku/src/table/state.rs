//! State of a game: the position, the swap2 negotiation, and the colours of the seats.

use game::{RuleError, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Action, Opening, Settings};
use crate::rules::{Color, MoveError, Point, Position};

/// The decision that the acting seat has to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Swap2: the first player places three stones.
    ThreeStones,
    /// Swap2: the second player takes a colour or adds two stones.
    ChooseOrAdd,
    /// Swap2: the second player places two stones.
    TwoStones,
    /// Swap2: the first player takes a colour.
    Choose,
    /// Stones in turn.
    Play,
}

/// The complete state of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    position: Position,
    phase: Phase,
    /// Who plays black; settled once the phase is [`Phase::Play`].
    black: Seat,
    log: Vec<(Seat, Action)>,
}

/// The first player: black, or in swap2 the one who places three stones.
const FIRST: Seat = Seat(0);
const SECOND: Seat = Seat(1);

fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}

impl State {
    /// The state before the first action.
    pub fn start(settings: &Settings) -> Result<Self, RuleError> {
        let phase = if settings.opening == Opening::Swap2 { Phase::ThreeStones } else { Phase::Play };
        Ok(Self { position: settings.start()?, phase, black: FIRST, log: Vec::new() })
    }

    /// The stones and whose turn it is.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The decision that the acting seat has to make.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// All actions so far with who took them.
    pub fn log(&self) -> &[(Seat, Action)] {
        &self.log
    }

    /// Who plays black, once that is settled.
    pub fn black(&self) -> Option<Seat> {
        (self.phase == Phase::Play).then_some(self.black)
    }

    /// The seat that plays `color` in the game proper.
    pub fn seat_of(&self, color: Color) -> Seat {
        if color == Color::Black { self.black } else { other(self.black) }
    }

    /// Who may act; nobody once the game is over.
    pub fn acting(&self) -> Option<Seat> {
        match self.phase {
            Phase::ThreeStones | Phase::Choose => Some(FIRST),
            Phase::ChooseOrAdd | Phase::TwoStones => Some(SECOND),
            Phase::Play if self.position.is_over() => None,
            Phase::Play => Some(self.seat_of(self.position.to_move())),
        }
    }

    /// Everything the acting seat may do.
    pub fn legal_actions(&self) -> Vec<Action> {
        match self.phase {
            Phase::ChooseOrAdd => vec![Action::TakeBlack, Action::TakeWhite, Action::AddTwo],
            Phase::Choose => vec![Action::TakeBlack, Action::TakeWhite],
            Phase::ThreeStones | Phase::TwoStones | Phase::Play => {
                self.position.legal_points().map(Action::place).collect()
            }
        }
    }

    /// Applies an action of the acting seat, or refuses it and changes nothing.
    pub fn apply(&mut self, seat: Seat, action: Action) -> Result<(), RuleError> {
        if self.acting() != Some(seat) {
            return Err(RuleError::new("gomoku.turn", format!("it is not {seat}'s turn")));
        }
        let choice = match (self.phase, action) {
            (Phase::ChooseOrAdd | Phase::Choose, Action::TakeBlack) => Some((Phase::Play, seat)),
            (Phase::ChooseOrAdd | Phase::Choose, Action::TakeWhite) => Some((Phase::Play, other(seat))),
            (Phase::ChooseOrAdd, Action::AddTwo) => Some((Phase::TwoStones, self.black)),
            (Phase::ThreeStones | Phase::TwoStones | Phase::Play, Action::Place { x, y }) => {
                self.position.play(Point { x, y }).map_err(refusal)?;
                None
            }
            (Phase::ChooseOrAdd | Phase::Choose, _) => {
                return Err(RuleError::new("gomoku.choose", "choose a colour first: take-black or take-white"));
            }
            (_, _) => {
                return Err(RuleError::new(
                    "gomoku.place",
                    "there is nothing to choose now: place a stone, such as H8",
                ));
            }
        };
        if let Some((phase, black)) = choice {
            (self.phase, self.black) = (phase, black);
        } else if self.phase == Phase::ThreeStones && self.position.stones().len() == 3 {
            self.phase = Phase::ChooseOrAdd;
        } else if self.phase == Phase::TwoStones && self.position.stones().len() == 5 {
            self.phase = Phase::Choose;
        }
        self.log.push((seat, action));
        Ok(())
    }
}

fn refusal(error: MoveError) -> RuleError {
    let code = match error {
        MoveError::Over => "gomoku.over",
        MoveError::Outside { .. } => "gomoku.outside",
        MoveError::Taken { .. } => "gomoku.taken",
        MoveError::Forbidden { .. } => "gomoku.forbidden",
    };
    RuleError::new(code, error.to_string())
}
