//! Leave values: what the tiles kept on the rack are worth, learned by self-play.
//!
//! The value of a leave is the sum of a learned number for every tile, pair and triple in it: exact for leaves of up
//! to three tiles, an additive model of third order above that. In Czech that is 12,000 numbers instead of eight
//! million.

use crate::engine::movegen::{LeaveValues, MAX_RACK};
use lexicon::{Alphabet, Tile};

const MAGIC: &[u8; 8] = b"PARLEAV\n";
const VERSION: u32 = 1;

/// Learned leave values, in thousandths of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaveModel {
    /// Letters of the alphabet plus one for the blank.
    symbols: usize,
    single: Vec<i32>,
    pair: Vec<i32>,
    triple: Vec<i32>,
}

/// Why a file of leave values cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LeaveError {
    #[error("not a file of leave values")]
    NotLeaves,
    #[error("leave values of format {0}, this program reads format {VERSION}")]
    Version(u32),
    #[error("leave values for {found} letters, this alphabet has {wanted}")]
    Alphabet { found: usize, wanted: usize },
    #[error("the file of leave values is cut short")]
    Short,
}

/// Index of an ordered pair `a <= b`.
#[inline]
pub fn pair_index(a: usize, b: usize) -> usize {
    b * (b + 1) / 2 + a
}

/// Index of an ordered triple `a <= b <= c`.
#[inline]
pub fn triple_index(a: usize, b: usize, c: usize) -> usize {
    c * (c + 1) * (c + 2) / 6 + pair_index(a, b)
}

/// Whether a letter is written with a vowel, with or without diacritics, in Latin, Greek or Cyrillic script.
fn is_vowel(text: &str) -> bool {
    const VOWELS: &str = "aáàâãäåāăąæeéèêëēėęěiíìîïīįıoóòôõöøōőœuúùûüūůűųyýÿαεηιουωάέήίόύώаеёиоуыэюяіїє";
    text.to_lowercase().chars().next().is_some_and(|c| VOWELS.contains(c))
}

impl LeaveModel {
    /// All leave values zero, for an alphabet of `letters` letters.
    pub fn zero(letters: usize) -> Self {
        let n = letters + 1;
        let (pair, triple) = (n * (n + 1) / 2, n * (n + 1) * (n + 2) / 6);
        Self { symbols: n, single: vec![0; n], pair: vec![0; pair], triple: vec![0; triple] }
    }

    /// Default values of a language without learned ones, from the values and counts of its tiles.
    ///
    /// The numbers are means over the learned models of English, Czech, Polish and Slovak: blanks, single letters by
    /// tile value, pairs of equal letters, and pairs of two vowels, two consonants or one of each.
    pub fn untrained(alphabet: &Alphabet) -> Self {
        let mut model = Self::zero(alphabet.len());
        let vowel: Vec<bool> = (0..=alphabet.len()).map(|t| t > 0 && is_vowel(alphabet.text(t as Tile))).collect();
        model.single[0] = 24_000;
        model.pair[pair_index(0, 0)] = -6_000;
        for b in 1..=alphabet.len() {
            model.single[b] = match alphabet.value(b as Tile) {
                ..=2 => -400,
                3..=4 => -1_100,
                _ => -2_200,
            };
            model.pair[pair_index(b, b)] = -5_000;
            for a in 1..b {
                model.pair[pair_index(a, b)] = match (vowel[a], vowel[b]) {
                    (true, true) => -1_100,
                    (false, false) => -400,
                    _ => 850,
                };
            }
        }
        model
    }

    /// A model from its numbers, one per tile, pair and triple, in thousandths.
    pub fn from_parts(single: Vec<i32>, pair: Vec<i32>, triple: Vec<i32>) -> Self {
        let symbols = single.len();
        let zero = Self::zero(symbols - 1);
        assert!(pair.len() == zero.pair.len() && triple.len() == zero.triple.len(), "sizes belong together");
        Self { symbols, single, pair, triple }
    }

    /// The numbers for tiles, pairs and triples.
    pub fn parts(&self) -> (&[i32], &[i32], &[i32]) {
        (&self.single, &self.pair, &self.triple)
    }

    /// Value of a leave.
    pub fn value(&self, leave: &[Tile]) -> i32 {
        let mut tiles: Vec<usize> = leave.iter().map(|&t| t as usize).collect();
        tiles.sort_unstable();
        let mut sum = 0;
        for (k, &c) in tiles.iter().enumerate() {
            sum += self.single[c];
            for (j, &b) in tiles[..k].iter().enumerate() {
                sum += self.pair[pair_index(b, c)];
                for &a in &tiles[..j] {
                    sum += self.triple[triple_index(a, b, c)];
                }
            }
        }
        sum
    }

    /// The model as bytes: magic, version, symbols, then all numbers, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(self.symbols as u32).to_le_bytes());
        for number in self.single.iter().chain(&self.pair).chain(&self.triple) {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out
    }

    /// Reads a model for an alphabet of `letters` letters.
    pub fn from_bytes(bytes: &[u8], letters: usize) -> Result<Self, LeaveError> {
        let word = |at: usize| -> Result<u32, LeaveError> {
            let four = bytes.get(at..at + 4).ok_or(LeaveError::Short)?;
            Ok(u32::from_le_bytes(four.try_into().expect("four bytes")))
        };
        if bytes.get(..8) != Some(MAGIC) {
            return Err(LeaveError::NotLeaves);
        }
        match word(8)? {
            VERSION => {}
            other => return Err(LeaveError::Version(other)),
        }
        let symbols = word(12)? as usize;
        if symbols != letters + 1 {
            return Err(LeaveError::Alphabet { found: symbols.saturating_sub(1), wanted: letters });
        }
        let mut model = Self::zero(letters);
        let numbers = model.single.iter_mut().chain(&mut model.pair).chain(&mut model.triple);
        for (i, number) in numbers.enumerate() {
            *number = word(16 + 4 * i)? as i32;
        }
        Ok(model)
    }
}

impl LeaveValues for LeaveModel {
    fn fill(&self, slots: &[Tile], table: &mut [i32; 1 << MAX_RACK]) {
        let n = slots.len();
        let all = &mut table[..1 << n];
        all.fill(0);
        for k in 0..n {
            let c = slots[k] as usize;
            all[1 << k] = self.single[c];
            for j in 0..k {
                let b = slots[j] as usize;
                all[1 << k | 1 << j] = self.pair[pair_index(b, c)];
                for i in 0..j {
                    all[1 << k | 1 << j | 1 << i] = self.triple[triple_index(slots[i] as usize, b, c)];
                }
            }
        }
        // sum over subsets for all masks at once
        for bit in 0..n {
            for mask in 0..1usize << n {
                if mask >> bit & 1 == 1 {
                    all[mask] += all[mask ^ 1 << bit];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_a_rack_agrees_with_single_leaves() {
        let mut model = LeaveModel::zero(5);
        let mut x = 7u64;
        for number in model.single.iter_mut().chain(&mut model.pair).chain(&mut model.triple) {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1);
            *number = (x >> 50) as i32 - 8000;
        }
        let slots = [0, 1, 1, 3, 3, 3, 5];
        let mut table = [0; 128];
        model.fill(&slots, &mut table);
        for (mask, &value) in table.iter().enumerate() {
            let leave: Vec<u8> = (0..7).filter(|i| mask >> i & 1 == 1).map(|i| slots[i]).collect();
            assert_eq!(value, model.value(&leave), "{leave:?}");
        }
        assert_eq!(LeaveModel::from_bytes(&model.to_bytes(), 5), Ok(model));
    }
}
