//! Look-up tables by rule: line window → shapes of both colours, four shapes → class of a cell.

use std::sync::OnceLock;

use super::shape::{Classifier, FiveRule, Shape};
use super::weights::{PatternWeights, THREATS};
use crate::rules::Rule;

/// What a stone on an empty cell would make in all four directions together, by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    Nothing = 0,
    Two = 1,
    BlockedThree = 2,
    DoubleTwo = 3,
    BlockedThreePlus = 4,
    Three = 5,
    ThreePlus = 6,
    DoubleThree = 7,
    Four = 8,
    FourPlus = 9,
    FourThree = 10,
    /// An open four or two fours: wins unless answered by a five.
    OpenFour = 11,
    Five = 12,
    /// Black in renju: overline, double four, or double three unless a three proves false.
    Forbidden = 13,
}

impl Class {
    /// Number of classes, for arrays.
    pub const COUNT: usize = 14;

    /// All classes by number.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Nothing,
        Self::Two,
        Self::BlockedThree,
        Self::DoubleTwo,
        Self::BlockedThreePlus,
        Self::Three,
        Self::ThreePlus,
        Self::DoubleThree,
        Self::Four,
        Self::FourPlus,
        Self::FourThree,
        Self::OpenFour,
        Self::Five,
        Self::Forbidden,
    ];
}

/// Evaluation and ordering weights of one four-direction code.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternWeight {
    /// Value to its owner when the owner is to move.
    pub mine: i16,
    /// Value to its owner when the other side is to move.
    pub theirs: i16,
    /// How urgent the cell is for its owner.
    pub attack: i16,
    /// How urgent the cell is for the other side.
    pub defend: i16,
}

/// The part of the weights that placing a stone needs: values and class, in one word.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(8))]
pub struct CodeValue {
    /// [`PatternWeight::mine`].
    pub mine: i16,
    /// [`PatternWeight::theirs`].
    pub theirs: i16,
    /// Class for black and for white.
    pub class: [u8; 2],
}

/// The part of the weights that move ordering needs.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Urgency {
    /// [`PatternWeight::attack`].
    pub attack: i16,
    /// [`PatternWeight::defend`].
    pub defend: i16,
}

/// Four shapes of one cell and colour packed in nibbles, direction 0 lowest.
pub type Code = u16;

/// The shapes of a code.
pub fn shapes_of(code: Code) -> [Shape; 4] {
    std::array::from_fn(|d| Shape::ALL[usize::from(code >> (4 * d) & 15).min(14)])
}

/// All look-up tables of one rule.
pub struct PatternTables {
    /// Cells on each side of a window: 4 when five or more wins for both, else 5.
    pub radius: usize,
    /// Window key → black's shape in the low nibble, white's in the high one.
    pub line: Vec<u8>,
    /// Code → values and class; 65536 entries.
    pub values: Vec<CodeValue>,
    /// Code → urgency; 65536 entries.
    pub urgency: Vec<Urgency>,
    /// Threat situation (see [`super::weights::threat_index`]) → bonus for the side to move.
    pub threat: [i16; THREATS],
}

impl PatternTables {
    /// The tables of a rule, built at first use (a few milliseconds) and kept.
    pub fn of(rule: Rule) -> &'static Self {
        static BUILT: [OnceLock<PatternTables>; 5] = [const { OnceLock::new() }; 5];
        let place = match rule {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 2,
            Rule::Caro => 3,
            Rule::CaroExact => 4,
        };
        BUILT[place].get_or_init(|| Self::build(rule, &PatternWeights::default()))
    }

    /// PatternTables with given weights.
    pub fn build(rule: Rule, weights: &PatternWeights) -> Self {
        let (black, white) = five_rules(rule);
        let radius = if black == FiveRule::AtLeast && white == black { 4 } else { 5 };
        let mut black_shapes = Classifier::new(black, radius);
        let mut white_shapes = (black != white).then(|| Classifier::new(white, radius));
        let keys = 1u32 << (4 * radius);
        let mut line = Vec::with_capacity(keys as usize);
        for key in 0..keys {
            if !has_edges_outside(key, radius) {
                line.push(0);
                continue;
            }
            let swapped = (key & 0x5555_5555) << 1 | (key >> 1 & 0x5555_5555);
            let own = black_shapes.shape(key) as u8;
            let other = match &mut white_shapes {
                Some(classifier) => classifier.shape(swapped),
                None => black_shapes.shape(swapped),
            } as u8;
            line.push(own | other << 4);
        }
        let codes = 0..=Code::MAX;
        let values = codes
            .clone()
            .map(|code| {
                let shapes = shapes_of(code);
                let PatternWeight { mine, theirs, .. } = weights.of(shapes);
                let plain = class_of(shapes) as u8;
                let forbidden = black == FiveRule::ExactNoDoubleFour && suspect(shapes);
                CodeValue { mine, theirs, class: [if forbidden { Class::Forbidden as u8 } else { plain }, plain] }
            })
            .collect();
        let urgency = codes
            .map(|code| {
                let PatternWeight { attack, defend, .. } = weights.of(shapes_of(code));
                Urgency { attack, defend }
            })
            .collect();
        Self { radius, line, values, urgency, threat: weights.threat }
    }
}

/// Whether a window can occur: beyond an edge cell there are only edge cells.
fn has_edges_outside(key: u32, radius: usize) -> bool {
    let edge = key & key >> 1 & 0x5555_5555;
    let half = (1u32 << (2 * radius)) - 1;
    // left half: the middle is at the high end, edges fill up from bit 0; right half: from the top
    let left = edge & half;
    let right = edge >> (2 * radius);
    let filled = half & 0x5555_5555;
    let gap = !right & filled;
    is_run(left) && is_run(gap)
}

/// Whether the set bits (on even places) are one run from bit 0.
fn is_run(bits: u32) -> bool {
    let wide = bits | bits << 1;
    wide & wide.wrapping_add(1) == 0
}

/// What counts as five for black and for white.
pub fn five_rules(rule: Rule) -> (FiveRule, FiveRule) {
    match rule {
        Rule::Freestyle => (FiveRule::AtLeast, FiveRule::AtLeast),
        Rule::Standard => (FiveRule::Exact, FiveRule::Exact),
        Rule::Renju => (FiveRule::ExactNoDoubleFour, FiveRule::AtLeast),
        Rule::Caro => (FiveRule::Caro, FiveRule::Caro),
        Rule::CaroExact => (FiveRule::CaroExact, FiveRule::CaroExact),
    }
}

struct Counts {
    five: usize,
    open_four: usize,
    four: usize,
    three: usize,
    blocked_three: usize,
    two: usize,
}

fn count(shapes: [Shape; 4]) -> Counts {
    let of = |wanted: &[Shape]| shapes.iter().filter(|s| wanted.contains(s)).count();
    Counts {
        five: of(&[Shape::Five]),
        open_four: of(&[Shape::OpenFour, Shape::DoubleFour]),
        four: of(&[Shape::Four]),
        three: of(&[Shape::Three, Shape::ThreeNarrow]),
        blocked_three: of(&[Shape::BlockedThree]),
        two: of(&[Shape::Two, Shape::TwoWide, Shape::TwoFree]),
    }
}

/// The class of four shapes when nothing is forbidden.
pub fn class_of(shapes: [Shape; 4]) -> Class {
    let c = count(shapes);
    if c.five > 0 {
        Class::Five
    } else if c.open_four > 0 || c.four >= 2 {
        Class::OpenFour
    } else if c.four == 1 {
        match (c.three, c.blocked_three + c.two) {
            (1.., _) => Class::FourThree,
            (0, 1..) => Class::FourPlus,
            _ => Class::Four,
        }
    } else if c.three >= 2 {
        Class::DoubleThree
    } else if c.three == 1 {
        if c.blocked_three + c.two > 0 { Class::ThreePlus } else { Class::Three }
    } else if c.blocked_three >= 2 || (c.blocked_three == 1 && c.two > 0) {
        Class::BlockedThreePlus
    } else if c.two >= 2 {
        Class::DoubleTwo
    } else if c.blocked_three == 1 {
        Class::BlockedThree
    } else if c.two == 1 {
        Class::Two
    } else {
        Class::Nothing
    }
}

/// Whether black may be forbidden to make these shapes in renju (a double three still needs proof).
fn suspect(shapes: [Shape; 4]) -> bool {
    let c = count(shapes);
    c.five == 0
        && (shapes.contains(&Shape::Overline)
            || shapes.contains(&Shape::DoubleFour)
            || c.open_four + c.four >= 2
            || c.three >= 2)
}
