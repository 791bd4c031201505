//! Positions as the thesis networks see them: two planes of 0 and 1 for own and opponent stones.

use gomoku::engine::net::LabelledPosition;
use gomoku::rules::{Color, Point, Position};
use neural::{BoardShape, Matrix};

use super::games::SIZE;
use crate::gomoku::training_games::TrainingGame;
use numerics::SplitMix64;

/// The board as networks take it.
pub const SHAPE: BoardShape = BoardShape { height: SIZE as usize, width: SIZE as usize };

/// Boards per forward pass: few enough for the caches.
pub const TOGETHER: usize = 16;

/// Whose moves are targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    All,
    Winners,
}

fn place(point: Point) -> u16 {
    u16::from(point.y) * u16::from(SIZE) + u16::from(point.x)
}

/// The outcome (win, draw, loss) for a side.
fn outcome(game: &TrainingGame, side: Color) -> [f32; 3] {
    match (side, game.result) {
        (_, 1) => [0.0, 1.0, 0.0],
        (Color::Black, 2) | (Color::White, 0) => [1.0, 0.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    }
}

/// Every position of a game in which a player chose a move.
pub fn of_game(game: &TrainingGame, moves: Moves, out: &mut Vec<LabelledPosition>) {
    let mut stones: [Vec<u16>; 2] = [Vec::new(), Vec::new()];
    for (number, chosen) in game.moves.iter().enumerate() {
        let mover = if number % 2 == 0 { Color::Black } else { Color::White };
        let outcome = outcome(game, mover);
        let targets = moves == Moves::All || outcome[0] > 0.0;
        if number >= usize::from(game.opening) && targets {
            let (own, other) = (stones[number % 2].clone(), stones[1 - number % 2].clone());
            out.push(LabelledPosition { size: SIZE, own, other, targets: vec![(place(chosen.point), 1.0)], outcome });
        }
        stones[number % 2].push(place(chosen.point));
    }
}

/// The finished board as either side sees it; none for drawn games.
pub fn finished(game: &TrainingGame) -> Vec<LabelledPosition> {
    if game.result == 1 {
        return Vec::new();
    }
    let mut stones: [Vec<u16>; 2] = [Vec::new(), Vec::new()];
    game.moves.iter().enumerate().for_each(|(number, m)| stones[number % 2].push(place(m.point)));
    let seen_by = |side: usize| LabelledPosition {
        size: SIZE,
        own: stones[side].clone(),
        other: stones[1 - side].clone(),
        targets: Vec::new(),
        outcome: outcome(game, if side == 0 { Color::Black } else { Color::White }),
    };
    vec![seen_by(0), seen_by(1)]
}

/// A random sample of at most `count` positions.
pub fn drawn(games: &[TrainingGame], moves: Moves, count: usize, seed: u64) -> Vec<LabelledPosition> {
    let mut all = Vec::new();
    games.iter().for_each(|game| of_game(game, moves, &mut all));
    SplitMix64::new(seed).shuffle(&mut all);
    all.truncate(count);
    all
}

/// Planes of samples, one board after the other.
pub fn planes(samples: &[LabelledPosition]) -> Matrix {
    let mut planes = Matrix::zeros(samples.len() * SHAPE.cells(), 2);
    for (board, sample) in samples.iter().enumerate() {
        for (plane, stones) in [&sample.own, &sample.other].into_iter().enumerate() {
            for &stone in stones {
                planes.row_mut(board * SHAPE.cells() + usize::from(stone))[plane] = 1.0;
            }
        }
    }
    planes
}

/// A position from the side to move.
pub fn of_position(position: &Position) -> LabelledPosition {
    let me = position.to_move();
    let of = |side: Color| position.stones().iter().filter(|s| s.color == side).map(|s| place(s.point)).collect();
    LabelledPosition {
        size: SIZE,
        own: of(me),
        other: of(me.opponent()),
        targets: Vec::new(),
        outcome: [0.0, 1.0, 0.0],
    }
}

/// The point with a number.
pub fn point(place: usize) -> Point {
    Point { x: (place % SHAPE.width) as u8, y: (place / SHAPE.width) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::training_games::RecordedMove;
    use gomoku::rules::Rule;

    /// Black makes five in the first row, white answers in the last.
    fn game() -> TrainingGame {
        let point = |number: u8| Point { x: number / 2, y: if number.is_multiple_of(2) { 0 } else { SIZE - 1 } };
        let moves = (0..9).map(|number| RecordedMove { point: point(number), score: 0 }).collect();
        TrainingGame { size: SIZE, rule: Rule::Freestyle, opening: 2, result: 2, moves }
    }

    #[test]
    fn chosen_moves_become_positions_with_own_stones_first() {
        let mut all = Vec::new();
        of_game(&game(), Moves::All, &mut all);
        assert_eq!(all.len(), 7);
        assert_eq!((all[1].own.len(), all[1].other.len(), all[1].outcome), (1, 2, [0.0, 0.0, 1.0]));
        assert_eq!(all[0].targets, [(1, 1.0)], "the second stone of the first row");
        let mut won = Vec::new();
        of_game(&game(), Moves::Winners, &mut won);
        assert_eq!(won.len(), 4);
        let planes = planes(&all[1..2]);
        assert_eq!((planes.row(0), planes.row(1)), (&[0.0, 1.0][..], &[0.0, 1.0][..]));
        assert_eq!(planes.data.iter().sum::<f32>(), 3.0);
    }

    #[test]
    fn a_finished_board_is_won_for_one_and_lost_for_the_other() {
        let seen = finished(&game());
        assert_eq!(seen.iter().map(|s| s.outcome[0]).collect::<Vec<_>>(), [1.0, 0.0]);
        assert_eq!((seen[0].own.len(), seen[1].own.len()), (5, 4));
    }
}
