//! Counts of move sequences and positions to a depth: one wrong rule changes them.

use std::collections::HashSet;

use super::{Color, Point, Position, Status};

/// What lies exactly `depth` stones below a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Move sequences of this length (a game that ended earlier adds none).
    pub sequences: u64,
    /// Different boards among their ends.
    pub positions: u64,
    /// Sequences whose last stone wins.
    pub wins: u64,
    /// Sequences whose last stone leaves no point to play.
    pub draws: u64,
}

/// Counts the sequences of `depth` stones from `position`.
pub fn perft(position: &Position, depth: u32) -> Perft {
    let mut count = Perft::default();
    let mut boards = HashSet::new();
    descend(&mut position.clone(), depth, &mut count, &mut boards);
    count.positions = boards.len() as u64;
    count
}

type Key = (Vec<Point>, Vec<Point>);

fn descend(position: &mut Position, depth: u32, count: &mut Perft, boards: &mut HashSet<Key>) {
    if depth == 0 {
        count.sequences += 1;
        match position.status() {
            Status::Won { .. } => count.wins += 1,
            Status::Drawn => count.draws += 1,
            Status::Running => {}
        }
        boards.insert(key(position));
        return;
    }
    let points: Vec<Point> = position.legal_points().collect();
    for point in points {
        position.play(point).expect("a legal point can be played");
        descend(position, depth - 1, count, boards);
        position.undo();
    }
}

fn key(position: &Position) -> Key {
    let of = |color: Color| {
        let mut points: Vec<Point> = position.stones().iter().filter(|s| s.color == color).map(|s| s.point).collect();
        points.sort_unstable();
        points
    };
    (of(Color::Black), of(Color::White))
}
