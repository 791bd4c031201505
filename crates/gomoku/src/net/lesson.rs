//! What a net learns from: positions with their result, their move and what patterns say of them.

/// A position to learn from, seen from the side to move.
#[derive(Clone, Debug)]
pub struct Sample {
    pub size: u8,
    /// Own and opponent's stones, as `y * size + x`.
    pub own: Vec<u16>,
    pub other: Vec<u16>,
    /// The moves to learn, with how good each is against the best, which is 1 and comes first; none if there is nothing to
    /// learn.
    pub wanted: Vec<(u16, f32)>,
    /// Wanted win, draw and loss.
    pub outcome: [f32; 3],
}

/// A sample with what patterns say of it.
#[derive(Clone, Debug)]
pub struct Lesson {
    pub sample: Sample,
    /// [`super::Prior::value`] of the position.
    pub value: f32,
    /// Cells worth looking at, with [`super::Prior::urgency`].
    pub candidates: Vec<(u16, i16)>,
}

/// Where a cell of a board of this side goes under a symmetry from 0 to 7.
fn turn(at: u16, side: u16, symmetry: usize) -> u16 {
    let (mut x, mut y) = (at % side, at / side);
    if symmetry & 1 != 0 {
        x = side - 1 - x;
    }
    if symmetry & 2 != 0 {
        y = side - 1 - y;
    }
    if symmetry & 4 != 0 {
        std::mem::swap(&mut x, &mut y);
    }
    y * side + x
}

impl Sample {
    /// The same position turned or mirrored, `symmetry` from 0 to 7.
    pub fn turned(&self, symmetry: usize) -> Self {
        let turn = |at: u16| turn(at, u16::from(self.size), symmetry);
        Self {
            size: self.size,
            own: self.own.iter().map(|&a| turn(a)).collect(),
            other: self.other.iter().map(|&a| turn(a)).collect(),
            wanted: self.wanted.iter().map(|&(at, worth)| (turn(at), worth)).collect(),
            outcome: self.outcome,
        }
    }
}

impl Lesson {
    /// Which candidates are wanted, and how much.
    pub(super) fn wanted(&self) -> impl Iterator<Item = (usize, f32)> + Clone {
        let place = |at: u16| self.candidates.iter().position(|candidate| candidate.0 == at);
        self.sample.wanted.iter().filter_map(move |&(at, worth)| place(at).map(|place| (place, worth)))
    }

    /// The same lesson turned or mirrored, `symmetry` from 0 to 7.
    pub fn turned(&self, symmetry: usize) -> Self {
        let side = u16::from(self.sample.size);
        Self {
            sample: self.sample.turned(symmetry),
            value: self.value,
            candidates: self.candidates.iter().map(|&(at, urgency)| (turn(at, side, symmetry), urgency)).collect(),
        }
    }
}
