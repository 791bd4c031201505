//! A line of a running search, as players report it.

use serde::{Deserialize, Serialize};

use crate::engine::SearchInfo;
use crate::rules::Point;

/// One principal variation of a finished iteration. Players put it into [`game::Progress::detail`] when
/// [`super::Clock::lines`] is at least 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThoughtLine {
    /// 0 for the best line, 1 for the second, …
    pub index: usize,
    pub depth: u32,
    /// Score in points for the side to move.
    pub score: i32,
    pub win_probability: f32,
    /// Moves of both sides until the forced end, if there is one; negative when losing.
    pub forced_in: Option<i32>,
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub ms: u64,
    /// The moves as x and y.
    pub moves: Vec<(u8, u8)>,
}

impl ThoughtLine {
    /// The line of a search report.
    pub fn of(info: &SearchInfo<'_>) -> Self {
        let line = info.line;
        Self {
            index: info.index,
            depth: line.depth,
            score: line.score.0,
            win_probability: line.win_probability,
            forced_in: line.score.forced_in(),
            nodes: info.nodes,
            ms: info.elapsed.as_millis() as u64,
            moves: line.moves.iter().map(|point| (point.x, point.y)).collect(),
        }
    }

    /// The moves as points.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.moves.iter().map(|&(x, y)| Point { x, y })
    }
}
