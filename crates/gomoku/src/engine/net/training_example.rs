//! Training examples: positions with outcome and target moves, and the pattern prior of each.

/// A labelled position, seen from the side to move.
#[derive(Clone, Debug)]
pub struct LabelledPosition {
    pub size: u8,
    /// Own and opponent's stones, as `y * size + x`.
    pub own: Vec<u16>,
    pub other: Vec<u16>,
    /// Target moves with their weight relative to the best, which is 1 and comes first. Empty: no policy target.
    pub targets: Vec<(u16, f32)>,
    /// Target probabilities of win, draw and loss.
    pub outcome: [f32; 3],
}

/// A labelled position with its pattern prior.
#[derive(Clone, Debug)]
pub struct TrainingExample {
    pub sample: LabelledPosition,
    /// [`super::PatternPrior::value`] of the position.
    pub value: f32,
    /// Candidate cells, with [`super::PatternPrior::urgency`].
    pub candidates: Vec<(u16, i16)>,
}

/// Image of a cell under one of the eight symmetries (0 to 7) of a board.
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

impl LabelledPosition {
    /// The same position turned or mirrored, `symmetry` from 0 to 7.
    pub fn turned(&self, symmetry: usize) -> Self {
        let turn = |at: u16| turn(at, u16::from(self.size), symmetry);
        Self {
            size: self.size,
            own: self.own.iter().map(|&a| turn(a)).collect(),
            other: self.other.iter().map(|&a| turn(a)).collect(),
            targets: self.targets.iter().map(|&(at, worth)| (turn(at), worth)).collect(),
            outcome: self.outcome,
        }
    }
}

impl TrainingExample {
    /// Target candidates as (place in `candidates`, weight).
    pub(super) fn targets(&self) -> impl Iterator<Item = (usize, f32)> + Clone {
        let place = |at: u16| self.candidates.iter().position(|candidate| candidate.0 == at);
        self.sample.targets.iter().filter_map(move |&(at, worth)| place(at).map(|place| (place, worth)))
    }

    /// The same example turned or mirrored, `symmetry` from 0 to 7.
    pub fn turned(&self, symmetry: usize) -> Self {
        let side = u16::from(self.sample.size);
        Self {
            sample: self.sample.turned(symmetry),
            value: self.value,
            candidates: self.candidates.iter().map(|&(at, urgency)| (turn(at, side, symmetry), urgency)).collect(),
        }
    }
}
