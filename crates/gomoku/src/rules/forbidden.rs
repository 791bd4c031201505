//! Points black may not take in renju: overline, double four, double three.
//!
//! After the rules of the Renju International Federation (section 9). A *four* is a row that one more stone turns into
//! exactly five; a *three* is a row that one more stone turns into a straight four, and it counts only if that stone
//! would itself be allowed — which is why the check calls itself. Making exactly five is always allowed.

use super::board::{Board, Direction, Index, PointState};
use super::{Color, Point};

/// Why a point is forbidden to black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

impl std::fmt::Display for Forbidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double four",
            Self::DoubleThree => "double three",
        })
    }
}

/// Why black may not play the empty `point`, or `None` where black may.
pub fn forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    if board.get(point) != PointState::Empty {
        return None;
    }
    let mut board = board.clone();
    judge(&mut board, point).reason()
}

/// All points forbidden to black, row by row, with their reasons.
pub fn forbidden_points(board: &Board) -> Vec<(Point, Forbidden)> {
    let mut scratch = board.clone();
    board.empty_points().filter_map(|point| judge(&mut scratch, point).reason().map(|why| (point, why))).collect()
}

/// The verdict of the rules on a black stone.
enum Verdict {
    Five,
    Allowed,
    Refused(Forbidden),
}

impl Verdict {
    const fn reason(&self) -> Option<Forbidden> {
        match self {
            Self::Refused(why) => Some(*why),
            Self::Five | Self::Allowed => None,
        }
    }
}

/// What the new stone makes in one direction.
#[derive(Default)]
struct Shape {
    five: bool,
    overline: bool,
    fours: u8,
    /// Where one more stone makes a straight four (at most both ends of the run).
    extensions: [Option<Index>; 2],
}

/// Places black at `point`, tests the rules, removes the stone.
fn judge(board: &mut Board, point: Point) -> Verdict {
    board.set(point, Some(Color::Black));
    let verdict = judge_placed(board, point);
    board.set(point, None);
    verdict
}

fn judge_placed(board: &mut Board, point: Point) -> Verdict {
    let centre = Board::index(point);
    let shapes = Direction::ALL.map(|direction| shape(board, centre, direction));
    if shapes.iter().any(|shape| shape.five) {
        return Verdict::Five;
    }
    if shapes.iter().any(|shape| shape.overline) {
        return Verdict::Refused(Forbidden::Overline);
    }
    if shapes.iter().map(|shape| shape.fours).sum::<u8>() >= 2 {
        return Verdict::Refused(Forbidden::DoubleFour);
    }
    let candidates = shapes.iter().filter(|shape| shape.extensions.iter().any(Option::is_some)).count();
    if candidates < 2 {
        return Verdict::Allowed;
    }
    // A stone that makes five at the same time makes no straight four in the sense of the rules.
    let counts = |board: &mut Board, index: Index| matches!(judge(board, Board::point(index)), Verdict::Allowed);
    let threes =
        shapes.iter().filter(|shape| shape.extensions.iter().flatten().any(|&index| counts(board, index))).count();
    if threes >= 2 { Verdict::Refused(Forbidden::DoubleThree) } else { Verdict::Allowed }
}

/// Classifies one line through the black stone at `centre`.
fn shape(board: &Board, centre: Index, direction: Direction) -> Shape {
    const BLACK: PointState = PointState::Black;
    let mut shape = Shape::default();
    let back = board.run(centre, direction, -1, BLACK);
    let ahead = board.run(centre, direction, 1, BLACK);
    let length = back + 1 + ahead;
    if length >= 5 {
        shape.five = length == 5;
        shape.overline = length > 5;
        return shape;
    }
    let left = Board::walk(centre, direction, -back - 1);
    let right = Board::walk(centre, direction, ahead + 1);
    let left_open = board.at(left) == PointState::Empty;
    let right_open = board.at(right) == PointState::Empty;
    // The runs beyond the gaps: a stone in the gap joins them to this run.
    let beyond_left = if left_open { board.run(left, direction, -1, BLACK) } else { 0 };
    let beyond_right = if right_open { board.run(right, direction, 1, BLACK) } else { 0 };
    let five_left = left_open && beyond_left + 1 + length == 5;
    let five_right = right_open && length + 1 + beyond_right == 5;
    if five_left || five_right {
        // Both ends of an unbroken four are one four; two gaps of five stones are two.
        shape.fours = if five_left && five_right && length != 4 { 2 } else { 1 };
        return shape;
    }
    // A straight four ends in two empty points, each of which completes exactly five.
    if left_open && beyond_left + 1 + length == 4 && right_open && beyond_right == 0 {
        let end = Board::walk(left, direction, -beyond_left - 1);
        if board.at(end) == PointState::Empty && board.run(end, direction, -1, BLACK) == 0 {
            shape.extensions[0] = Some(left);
        }
    }
    if right_open && length + 1 + beyond_right == 4 && left_open && beyond_left == 0 {
        let end = Board::walk(right, direction, beyond_right + 1);
        if board.at(end) == PointState::Empty && board.run(end, direction, 1, BLACK) == 0 {
            shape.extensions[1] = Some(right);
        }
    }
    shape
}
