//! Self-play games as data files: every move with its search score.
//!
//! A file is a sequence of games, each: board size, rule number, number of opening stones, result for
//! black (0 loss, 1 draw, 2 win, 3 not played out), number of moves (u16 little-endian), then for each move x, y and the
//! score from the mover's side (i16 little-endian). Opening stones have score 0, exploration moves
//! [`UNSCORED`]. Labelled off-trajectory positions come before their game, each as a game that was not played out:
//! its stones are its opening, then comes the best move, then the alternatives. A file cut short by an
//! interruption is valid up to its last whole game.

use std::collections::HashSet;

use gomoku::rules::{MAX_SIZE, MIN_SIZE, Point, Rule};

/// One move of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    pub point: Point,
    /// The search's score for the side that moved.
    pub score: i16,
}

/// The score of a move played instead of the searched one: it is no training target.
pub const UNSCORED: i16 = i16::MIN;

/// The result of an off-trajectory position: unknown.
pub const OFF_TRAJECTORY: u8 = 3;

/// A recorded game; black moves first and colours alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    pub size: u8,
    pub rule: Rule,
    /// Stones that were given, not chosen.
    pub opening: u8,
    /// 0 black lost, 1 draw, 2 black won, [`OFF_TRAJECTORY`] not played out.
    pub result: u8,
    pub moves: Vec<RecordedMove>,
}

const RULES: [Rule; 5] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

impl TrainingGame {
    /// Whether this is an off-trajectory position, not a game.
    pub fn is_off_trajectory(&self) -> bool {
        self.result == OFF_TRAJECTORY
    }

    /// Whether stones and moves are distinct points on the board.
    pub fn is_possible(&self) -> bool {
        let mut taken = HashSet::new();
        let on_board = |p: Point| p.x < self.size && p.y < self.size;
        (MIN_SIZE..=MAX_SIZE).contains(&self.size)
            && usize::from(self.opening) <= self.moves.len()
            && self.moves.iter().all(|m| on_board(m.point) && taken.insert((m.point.x, m.point.y)))
    }

    /// The played or best moves, without the alternatives to the last.
    pub fn line(&self) -> &[RecordedMove] {
        if self.is_off_trajectory() {
            &self.moves[..self.moves.len().min(usize::from(self.opening) + 1)]
        } else {
            &self.moves
        }
    }

    /// The alternatives to the last move of the line.
    pub fn alternatives(&self) -> &[RecordedMove] {
        &self.moves[self.line().len()..]
    }

    /// Number of games among these records.
    pub fn games(records: &[Self]) -> usize {
        records.iter().filter(|record| !record.is_off_trajectory()).count()
    }

    /// Keeps the first `count` games with their off-trajectory positions.
    pub fn keep_games(records: &mut Vec<Self>, count: usize) {
        let mut games = 0;
        records.retain(|record| {
            let kept = games < count;
            games += usize::from(!record.is_off_trajectory());
            kept
        });
    }

    /// All records with a flag: every `nth` game is held out, with its off-trajectory positions.
    pub fn held_out(records: &[Self], nth: usize) -> impl Iterator<Item = (bool, &Self)> {
        records.iter().scan(0, move |games, record| {
            let held = *games % nth == nth - 1;
            *games += usize::from(!record.is_off_trajectory());
            Some((held, record))
        })
    }

    /// Appends the game's bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let rule = RULES.iter().position(|r| *r == self.rule).unwrap_or(0) as u8;
        out.extend([self.size, rule, self.opening, self.result]);
        out.extend((self.moves.len() as u16).to_le_bytes());
        for m in &self.moves {
            out.extend([m.point.x, m.point.y]);
            out.extend(m.score.to_le_bytes());
        }
    }

    /// All whole games of a file; a partial tail is dropped.
    pub fn read_all(mut bytes: &[u8]) -> Vec<Self> {
        let mut games = Vec::new();
        while let [size, rule, opening, result, a, b, rest @ ..] = bytes {
            let count = usize::from(u16::from_le_bytes([*a, *b]));
            let Some(rule) = RULES.get(usize::from(*rule)) else { break };
            if rest.len() < 4 * count || *result > OFF_TRAJECTORY {
                break;
            }
            let moves = rest[..4 * count]
                .chunks_exact(4)
                .map(|m| RecordedMove { point: Point { x: m[0], y: m[1] }, score: i16::from_le_bytes([m[2], m[3]]) })
                .collect();
            games.push(Self { size: *size, rule: *rule, opening: *opening, result: *result, moves });
            bytes = &rest[4 * count..];
        }
        games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_board_can_hold_is_told() {
        let of = |size, opening, points: &[(u8, u8)]| {
            let moves = points.iter().map(|&(x, y)| RecordedMove { point: Point { x, y }, score: 0 }).collect();
            TrainingGame { size, rule: Rule::Freestyle, opening, result: OFF_TRAJECTORY, moves }
        };
        assert!(of(15, 1, &[(0, 14), (3, 3), (4, 3)]).is_possible());
        assert!(of(15, 0, &[]).is_possible());
        for impossible in
            [of(4, 0, &[(1, 1)]), of(15, 1, &[(0, 15)]), of(15, 1, &[(3, 3), (3, 3)]), of(15, 2, &[(3, 3)])]
        {
            assert!(!impossible.is_possible(), "{impossible:?}");
        }
    }
}
