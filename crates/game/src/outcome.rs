//! Results of games.

use crate::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The result of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatResult {
    Won,
    Drew,
    Lost,
}

impl SeatResult {
    /// The usual points: 1, ½ or 0.
    pub const fn points(self) -> f64 {
        match self {
            Self::Won => 1.0,
            Self::Drew => 0.5,
            Self::Lost => 0.0,
        }
    }
}

/// The outcome of a game: a result and a score for every seat, and a reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// One result per seat.
    pub results: Vec<SeatResult>,
    /// One score per seat, in the game's own points. Empty where the game has none.
    pub scores: Vec<i32>,
    /// Stable id of the reason, e.g. `five_in_a_row`. The page translates it.
    pub reason: String,
}

impl Outcome {
    /// One seat won, all others lost.
    pub fn won_by(winner: Seat, seats: usize, reason: impl Into<String>) -> Self {
        let results =
            Seat::all(seats).map(|seat| if seat == winner { SeatResult::Won } else { SeatResult::Lost }).collect();
        Self { results, scores: Vec::new(), reason: reason.into() }
    }

    /// One seat lost, all others won.
    pub fn lost_by(loser: Seat, seats: usize, reason: impl Into<String>) -> Self {
        let results =
            Seat::all(seats).map(|seat| if seat == loser { SeatResult::Lost } else { SeatResult::Won }).collect();
        Self { results, scores: Vec::new(), reason: reason.into() }
    }

    /// A draw between all seats.
    pub fn draw(seats: usize, reason: impl Into<String>) -> Self {
        Self { results: vec![SeatResult::Drew; seats], scores: Vec::new(), reason: reason.into() }
    }

    /// The highest score wins. Seats that share it draw, the others lose.
    pub fn by_score(scores: Vec<i32>, reason: impl Into<String>) -> Self {
        let best = scores.iter().copied().max().unwrap_or(0);
        let leaders = scores.iter().filter(|&&score| score == best).count();
        let results = scores
            .iter()
            .map(|&score| match (score == best, leaders) {
                (true, 1) => SeatResult::Won,
                (true, _) => SeatResult::Drew,
                (false, _) => SeatResult::Lost,
            })
            .collect();
        Self { results, scores, reason: reason.into() }
    }
}
