//! Shapes: what a stone on an empty cell would make of one line, from dead to five.

/// What a line becomes for its owner when the middle of the window is taken.
///
/// Defined by recursion on what one more stone would give, so that every rule needs only its own
/// notion of a five. Order is by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Shape {
    /// No five can come through the middle.
    Dead = 0,
    /// A run too long to win under the rule.
    Overline = 1,
    /// One stone that can become a blocked two.
    BlockedOne = 2,
    /// One stone that can become an open two.
    One = 3,
    /// Can become a blocked three.
    BlockedTwo = 4,
    /// Can become an open three in one way.
    Two = 5,
    /// Can become an open three in two or three ways.
    TwoWide = 6,
    /// Can become an open three in four or more ways.
    TwoFree = 7,
    /// Can become a four, but not an open one.
    BlockedThree = 8,
    /// Can become an open four in exactly one way.
    ThreeNarrow = 9,
    /// Can become an open four in several ways.
    Three = 10,
    /// One point completes five.
    Four = 11,
    /// Two fours in one line (`X_XXX_X`): unstoppable, but forbidden for black in renju.
    DoubleFour = 12,
    /// Two points complete five.
    OpenFour = 13,
    /// Five.
    Five = 14,
}

impl Shape {
    /// All shapes, by their number.
    pub const ALL: [Self; 15] = [
        Self::Dead,
        Self::Overline,
        Self::BlockedOne,
        Self::One,
        Self::BlockedTwo,
        Self::Two,
        Self::TwoWide,
        Self::TwoFree,
        Self::BlockedThree,
        Self::ThreeNarrow,
        Self::Three,
        Self::Four,
        Self::DoubleFour,
        Self::OpenFour,
        Self::Five,
    ];
}

/// What counts as five for one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FiveRule {
    /// Five or more.
    AtLeast,
    /// Exactly five.
    Exact,
    /// Exactly five, and two fours in one line are not an open four (black in renju).
    ExactNoDoubleFour,
    /// Five not shut in by opponent stones at both ends, or six and more.
    Caro,
    /// Exactly five, not shut in by opponent stones at both ends.
    CaroExact,
}

/// State of a cell in a packed window, two bits each.
pub const EMPTY: u32 = 0;
/// A stone of the owner (black in the board's own lines).
pub const OWN: u32 = 1;
/// A stone of the opponent (white in the board's own lines).
pub const OTHER: u32 = 2;
/// Beyond the edge.
pub const EDGE: u32 = 3;

/// Classifies windows of `radius` cells on both sides of an own stone, remembering what it has seen.
///
/// A window key packs the cells without the middle, two bits each, nearest the low end first.
pub struct Classifier {
    rule: FiveRule,
    radius: usize,
    seen: Vec<u8>,
}

const UNSEEN: u8 = u8::MAX;

impl Classifier {
    /// A classifier for windows of this radius (4 or 5).
    pub fn new(rule: FiveRule, radius: usize) -> Self {
        Self { rule, radius, seen: vec![UNSEEN; 1 << (4 * radius)] }
    }

    /// The shape of a window whose cells are seen from the owner of the middle.
    pub fn shape(&mut self, key: u32) -> Shape {
        let key = self.canonical(key);
        let known = self.seen[key as usize];
        if known != UNSEEN {
            return Shape::ALL[known as usize];
        }
        let shape = self.classify(key);
        self.seen[key as usize] = shape as u8;
        shape
    }

    /// Edges are opponent stones, except where a rule tells them apart.
    fn canonical(&self, key: u32) -> u32 {
        match self.rule {
            FiveRule::Caro | FiveRule::CaroExact => key,
            _ => key & !(key & (key >> 1) & 0x5555_5555),
        }
    }

    fn cell(&self, key: u32, offset: isize) -> u32 {
        let radius = self.radius as isize;
        if offset == 0 {
            return OWN;
        }
        if offset < -radius || offset > radius {
            return EDGE;
        }
        let place = if offset < 0 { offset + radius } else { offset + radius - 1 };
        key >> (2 * place) & 3
    }

    fn with_stone(&self, key: u32, offset: isize) -> u32 {
        let radius = self.radius as isize;
        let place = if offset < 0 { offset + radius } else { offset + radius - 1 };
        key | OWN << (2 * place)
    }

    fn with_other(&self, key: u32, offset: isize) -> u32 {
        let radius = self.radius as isize;
        let place = if offset < 0 { offset + radius } else { offset + radius - 1 };
        key | OTHER << (2 * place)
    }

    fn classify(&mut self, key: u32) -> Shape {
        let (mut left, mut right) = (0isize, 0isize);
        while self.cell(key, left - 1) == OWN {
            left -= 1;
        }
        while self.cell(key, right + 1) == OWN {
            right += 1;
        }
        let run = right - left + 1;
        if run >= 5 {
            return self.judge_run(key, run, left, right);
        }
        let radius = self.radius as isize;
        let mut counts = [0u32; 15];
        // bit n: offset n - 8 completes five
        let mut completions = 0u32;
        for offset in (-radius..=radius).filter(|&offset| offset != 0) {
            if self.cell(key, offset) == EMPTY {
                let next = self.shape(self.with_stone(key, offset));
                counts[next as usize] += 1;
                if next == Shape::Five {
                    completions |= 1 << (offset + 8);
                }
            }
        }
        let count = |shapes: &[Shape]| shapes.iter().map(|&s| counts[s as usize]).sum::<u32>();
        match completions.count_ones() {
            0 => {}
            1 => return Shape::Four,
            _ if self.rule == FiveRule::ExactNoDoubleFour => {
                let ends = 1 << (left + 7) | 1 << (right + 9);
                let straight = run == 4 && completions & ends == ends;
                return if straight { Shape::OpenFour } else { Shape::DoubleFour };
            }
            _ if matches!(self.rule, FiveRule::Caro | FiveRule::CaroExact) => {
                // a stone at one end may shut in the five at the other: it must survive every answer
                let mut survives = true;
                for offset in (-radius..=radius).filter(|&offset| offset != 0) {
                    if self.cell(key, offset) == EMPTY {
                        survives &= self.shape(self.with_other(key, offset)) >= Shape::Four;
                    }
                }
                return if survives { Shape::OpenFour } else { Shape::Four };
            }
            _ => return Shape::OpenFour,
        }
        match count(&[Shape::OpenFour]) {
            0 => {}
            1 => return Shape::ThreeNarrow,
            _ => return Shape::Three,
        }
        if count(&[Shape::Four, Shape::DoubleFour]) > 0 {
            return Shape::BlockedThree;
        }
        match count(&[Shape::Three, Shape::ThreeNarrow]) {
            0 => {}
            1 => return Shape::Two,
            2 | 3 => return Shape::TwoWide,
            _ => return Shape::TwoFree,
        }
        if count(&[Shape::BlockedThree]) > 0 {
            return Shape::BlockedTwo;
        }
        if count(&[Shape::Two, Shape::TwoWide, Shape::TwoFree]) > 0 {
            return Shape::One;
        }
        if count(&[Shape::BlockedTwo]) > 0 {
            return Shape::BlockedOne;
        }
        Shape::Dead
    }

    fn judge_run(&self, key: u32, run: isize, left: isize, right: isize) -> Shape {
        let shut = self.cell(key, left - 1) == OTHER && self.cell(key, right + 1) == OTHER;
        let five = match self.rule {
            FiveRule::AtLeast => true,
            FiveRule::Exact | FiveRule::ExactNoDoubleFour => run == 5,
            FiveRule::Caro => run > 5 || !shut,
            FiveRule::CaroExact => run == 5 && !shut,
        };
        if five {
            Shape::Five
        } else if run > 5 {
            Shape::Overline
        } else {
            Shape::Dead
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `..X?O|`: `?` the middle, `X` own, `O` opponent, `|` edge, radius 5.
    fn window(text: &str) -> u32 {
        let middle = text.find('?').expect("a middle") as isize;
        let mut key = 0;
        for offset in (-5isize..=5).filter(|&o| o != 0) {
            let place = if offset < 0 { offset + 5 } else { offset + 4 };
            let at = middle + offset;
            let state = match usize::try_from(at).ok().and_then(|i| text.as_bytes().get(i)) {
                Some(b'.') => EMPTY,
                Some(b'X') => OWN,
                Some(b'O') => OTHER,
                _ => EDGE,
            };
            key |= state << (2 * place);
        }
        key
    }

    fn shape(rule: FiveRule, text: &str) -> Shape {
        Classifier::new(rule, 5).shape(window(text))
    }

    #[test]
    fn fives_and_fours_by_rule() {
        use FiveRule::*;
        assert_eq!(shape(AtLeast, "..XX?XX.."), Shape::Five);
        assert_eq!(shape(AtLeast, ".XXX?XX.."), Shape::Five);
        assert_eq!(shape(Exact, ".XXX?XX.."), Shape::Overline);
        assert_eq!(shape(Caro, "OXXX?XO"), Shape::Dead);
        assert_eq!(shape(Caro, "|XXX?XO..."), Shape::Five);
        assert_eq!(shape(Caro, "OXXX?XXO"), Shape::Five);
        assert_eq!(shape(CaroExact, "OXXX?XXO"), Shape::Overline);
        assert_eq!(shape(Caro, "O.XX?X.O"), Shape::Four);
        assert_eq!(shape(Caro, "..XX?X..."), Shape::OpenFour);
        assert_eq!(shape(AtLeast, "..XX?X..."), Shape::OpenFour);
        assert_eq!(shape(AtLeast, "O.XX?XO.."), Shape::Four);
        assert_eq!(shape(AtLeast, ".X.X?X.X."), Shape::OpenFour);
        assert_eq!(shape(ExactNoDoubleFour, ".X.X?X.X."), Shape::DoubleFour);
        assert_eq!(shape(ExactNoDoubleFour, "..XX?X..."), Shape::OpenFour);
        assert_eq!(shape(ExactNoDoubleFour, "X.XX?X..."), Shape::Four);
    }

    #[test]
    fn threes_and_twos() {
        use FiveRule::*;
        assert_eq!(shape(AtLeast, "...X?X..."), Shape::Three);
        assert_eq!(shape(AtLeast, "..O.X?X..."), Shape::ThreeNarrow);
        assert_eq!(shape(AtLeast, "..X.?X..."), Shape::ThreeNarrow);
        assert_eq!(shape(AtLeast, "..OX?X..."), Shape::BlockedThree);
        assert_eq!(shape(AtLeast, "....?X....."), Shape::TwoFree);
        assert_eq!(shape(AtLeast, ".....?....."), Shape::One);
        assert_eq!(shape(AtLeast, "....O?O...."), Shape::Dead);
        // stones just beyond make both extensions overlines
        assert_eq!(shape(ExactNoDoubleFour, "X..?XX..X"), Shape::BlockedThree);
    }
}
