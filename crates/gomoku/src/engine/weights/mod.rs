//! Pattern weights: values of shapes, of pairs of shapes and of threat situations.

use super::pattern_tables::{Class, PatternWeight};
use super::shape::Shape;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Number of shapes.
pub const SHAPES: usize = 15;
/// Number of unordered pairs of shapes.
pub const PAIRS: usize = SHAPES * (SHAPES + 1) / 2;
/// Number of threat situations that [`threat_index`] distinguishes.
pub const THREATS: usize = 256;
/// Weights are stored in this fraction of a point.
pub const FRACTION: i32 = 8;

/// The index of an unordered pair of shapes.
pub const fn pair_index(a: Shape, b: Shape) -> usize {
    let (a, b) = (a as usize, b as usize);
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high + 1) / 2 + low
}

/// A full set of pattern weights: sums over shapes and pairs of shapes, and threat situations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternWeights {
    pub mine: [i16; SHAPES + PAIRS],
    pub theirs: [i16; SHAPES + PAIRS],
    pub attack: [i16; SHAPES + PAIRS],
    pub defend: [i16; SHAPES + PAIRS],
    pub threat: [i16; THREATS],
}

impl Default for PatternWeights {
    /// The weights fitted on self-play.
    fn default() -> Self {
        static SHIPPED: LazyLock<PatternWeights> = LazyLock::new(|| {
            let text = include_str!("../../../../../data/gomoku/patterns.json");
            PatternWeights::from_json(text).expect("the shipped weights are checked by a test")
        });
        SHIPPED.clone()
    }
}

impl PatternWeights {
    /// Reads weights as JSON: an object with one array of numbers per field.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let fields: BTreeMap<String, Vec<i16>> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        fn field<const N: usize>(fields: &BTreeMap<String, Vec<i16>>, name: &str) -> Result<[i16; N], String> {
            let values = fields.get(name).ok_or_else(|| format!("{name} is missing"))?;
            values.as_slice().try_into().map_err(|_| format!("{name} has {} values instead of {N}", values.len()))
        }
        Ok(Self {
            mine: field(&fields, "mine")?,
            theirs: field(&fields, "theirs")?,
            attack: field(&fields, "attack")?,
            defend: field(&fields, "defend")?,
            threat: field(&fields, "threat")?,
        })
    }

    /// The weights of a cell with these four shapes.
    pub fn of(&self, shapes: [Shape; 4]) -> PatternWeight {
        let sum = |weights: &[i16; SHAPES + PAIRS]| {
            let mut total = 0i32;
            for (i, &a) in shapes.iter().enumerate() {
                total += i32::from(weights[a as usize]);
                for &b in &shapes[i + 1..] {
                    total += i32::from(weights[SHAPES + pair_index(a, b)]);
                }
            }
            total.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
        };
        PatternWeight {
            mine: sum(&self.mine),
            theirs: sum(&self.theirs),
            attack: sum(&self.attack),
            defend: sum(&self.defend),
        }
    }
}

/// The threats of both sides as an index.
///
/// Bits from the lowest: the mover's four-three, four, double three, three; then the other side's
/// open four, four-three, four, double three or three.
#[inline(always)]
pub fn threat_index(mover: &[u16; 16], other: &[u16; 16]) -> usize {
    let has = |counts: &[u16; 16], class: Class| usize::from(counts[class as usize] != 0);
    has(mover, Class::FourThree)
        | (has(mover, Class::Four) | has(mover, Class::FourPlus)) << 1
        | has(mover, Class::DoubleThree) << 2
        | (has(mover, Class::Three) | has(mover, Class::ThreePlus)) << 3
        | has(other, Class::OpenFour) << 4
        | has(other, Class::FourThree) << 5
        | (has(other, Class::Four) | has(other, Class::FourPlus)) << 6
        | (has(other, Class::DoubleThree) | has(other, Class::Three) | has(other, Class::ThreePlus)) << 7
}
