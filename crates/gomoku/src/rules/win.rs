//! Winning lines under each rule set.

use super::board::{Board, Direction, PointState};
use super::{Color, Point, Rule};

/// Whether the run of `length` stones with the given neighbours wins for `color`.
pub(crate) fn run_wins(rule: Rule, color: Color, length: isize, before: PointState, after: PointState) -> bool {
    let enemy = PointState::from(color.opponent());
    let blocked = before == enemy && after == enemy;
    match rule {
        Rule::Freestyle => length >= 5,
        Rule::Standard => length == 5,
        Rule::Renju => length == 5 || (color == Color::White && length > 5),
        Rule::Caro => length > 5 || (length == 5 && !blocked),
        Rule::CaroExact => length == 5 && !blocked,
    }
}

/// The winning line through the stone at `point`, if it is part of one: its points in order.
pub fn winning_line(board: &Board, rule: Rule, point: Point) -> Option<Vec<Point>> {
    let color = board.get(point).stone()?;
    let cell = PointState::from(color);
    let centre = Board::index(point);
    Direction::ALL.into_iter().find_map(|direction| {
        let back = board.run(centre, direction, -1, cell);
        let ahead = board.run(centre, direction, 1, cell);
        let before = board.at(Board::walk(centre, direction, -back - 1));
        let after = board.at(Board::walk(centre, direction, ahead + 1));
        run_wins(rule, color, back + 1 + ahead, before, after)
            .then(|| (-back..=ahead).map(|k| Board::point(Board::walk(centre, direction, k))).collect())
    })
}
