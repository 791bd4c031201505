//! A slow restatement of the renju rules, word by word, to check the quick one against.
//!
//! Shares nothing with `super::forbidden`: it tries every row of five, four and six cells and asks what stands there
//! ("four stones that one more stone makes exactly five"), where the quick one measures runs.

use super::{Color, Forbidden, Point, Stone};

type Spot = (i16, i16);

const STEPS: [Spot; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board as a plain list of cells.
#[derive(Clone, Debug)]
pub struct SlowBoard {
    size: i16,
    cells: Vec<Option<Color>>,
}

impl SlowBoard {
    /// A board of `size` with the given stones.
    pub fn new(size: u8, stones: &[Stone]) -> Self {
        let mut board = Self { size: i16::from(size), cells: vec![None; usize::from(size) * usize::from(size)] };
        for stone in stones {
            board.set(spot(stone.point), Some(stone.color));
        }
        board
    }

    /// Why black may not play the empty `point`, or `None` where black may.
    pub fn forbidden(&mut self, point: Point) -> Option<Forbidden> {
        self.judge(spot(point))
    }

    fn on(&self, spot: Spot) -> bool {
        (0..self.size).contains(&spot.0) && (0..self.size).contains(&spot.1)
    }

    fn set(&mut self, spot: Spot, stone: Option<Color>) {
        self.cells[(spot.1 * self.size + spot.0) as usize] = stone;
    }

    fn get(&self, spot: Spot) -> Option<Color> {
        self.cells[(spot.1 * self.size + spot.0) as usize]
    }

    fn black(&self, spot: Spot) -> bool {
        self.on(spot) && self.get(spot) == Some(Color::Black)
    }

    fn empty(&self, spot: Spot) -> bool {
        self.on(spot) && self.get(spot).is_none()
    }

    /// Asks a question of the board with one more black stone.
    fn with_black<T>(&mut self, spot: Spot, question: impl FnOnce(&mut Self) -> T) -> T {
        self.set(spot, Some(Color::Black));
        let answer = question(self);
        self.set(spot, None);
        answer
    }

    fn row_is_black<const N: usize>(&self, row: [Spot; N]) -> bool {
        row.iter().all(|&spot| self.black(spot))
    }

    /// Whether five black stones, no more, stand in a row through `spot` along `step`.
    fn exactly_five(&self, spot: Spot, step: Spot) -> bool {
        rows_with::<5>(spot, step).any(|row| self.row_is_black(row)) && !self.six_or_more(spot, step)
    }

    fn six_or_more(&self, spot: Spot, step: Spot) -> bool {
        rows_with::<6>(spot, step).any(|row| self.row_is_black(row))
    }

    fn completes_five(&mut self, gap: Spot, step: Spot) -> bool {
        self.empty(gap) && self.with_black(gap, |then| then.exactly_five(gap, step))
    }

    /// Fours through `spot`: sets of four black stones that one more stone makes exactly five.
    fn fours(&mut self, spot: Spot, step: Spot) -> usize {
        let mut found: Vec<Vec<Spot>> = Vec::new();
        for row in rows_with::<5>(spot, step) {
            let (stones, gaps): (Vec<Spot>, Vec<Spot>) = row.into_iter().partition(|&s| self.black(s));
            if gaps.len() == 1 && self.completes_five(gaps[0], step) && !found.contains(&stones) {
                found.push(stones);
            }
        }
        found.len()
    }

    /// Whether both spots stand in one unbroken four that either end makes exactly five.
    fn straight_four(&mut self, spot: Spot, other: Spot, step: Spot) -> bool {
        rows_with::<4>(spot, step).any(|row| {
            let before = (row[0].0 - step.0, row[0].1 - step.1);
            let after = (row[3].0 + step.0, row[3].1 + step.1);
            row.contains(&other)
                && self.row_is_black(row)
                && self.completes_five(before, step)
                && self.completes_five(after, step)
        })
    }

    /// Whether `spot` stands in a three: some allowed stone makes a straight four of it and no five.
    fn three(&mut self, spot: Spot, step: Spot) -> bool {
        (-3..=3).map(|k| (spot.0 + k * step.0, spot.1 + k * step.1)).any(|next| {
            self.empty(next)
                && self.with_black(next, |then| {
                    !STEPS.iter().any(|&s| then.exactly_five(next, s)) && then.straight_four(spot, next, step)
                })
                && self.judge(next).is_none()
        })
    }

    fn judge(&mut self, spot: Spot) -> Option<Forbidden> {
        self.with_black(spot, |then| {
            if STEPS.iter().any(|&step| then.exactly_five(spot, step)) {
                None
            } else if STEPS.iter().any(|&step| then.six_or_more(spot, step)) {
                Some(Forbidden::Overline)
            } else if STEPS.iter().map(|&step| then.fours(spot, step)).sum::<usize>() >= 2 {
                Some(Forbidden::DoubleFour)
            } else if STEPS.iter().filter(|&&step| then.three(spot, step)).count() >= 2 {
                Some(Forbidden::DoubleThree)
            } else {
                None
            }
        })
    }
}

fn spot(point: Point) -> Spot {
    (i16::from(point.x), i16::from(point.y))
}

/// All rows of `N` spots along `step` that contain `spot`.
fn rows_with<const N: usize>(spot: Spot, step: Spot) -> impl Iterator<Item = [Spot; N]> {
    (0..N as i16)
        .map(move |k| std::array::from_fn(|i| (spot.0 + (i as i16 - k) * step.0, spot.1 + (i as i16 - k) * step.1)))
}
