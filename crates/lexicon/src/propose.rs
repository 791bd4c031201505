//! Tile counts and values proposed from letter frequencies, for a language without a designed set.

use crate::alphabet::{Alphabet, AlphabetError, Letter};
use std::collections::BTreeMap;

/// Proposes an alphabet from a word list: a hundred tiles, two of them blank, counts in proportion to the letters'
/// frequency (softened by an exponent of 0.85, so that no letter floods the bag), values from rarity, 1 to 10.
pub fn propose_tiles(text: &str, name: &str, code: &str) -> Result<Alphabet, AlphabetError> {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        *seen.entry(c.to_uppercase().collect()).or_default() += 1;
    }
    let total: u64 = seen.values().sum();
    if total == 0 {
        return Err(AlphabetError::Whole("the list has no letters to count".into()));
    }
    let weight = |n: u64| (n as f64 / total as f64).powf(0.85);
    let sum: f64 = seen.values().map(|&n| weight(n)).sum();
    let room = 98usize.max(seen.len()) - seen.len();
    // every letter has one tile; the rest go by largest remainder
    let mut shares: Vec<(String, u64, f64, usize)> = Vec::new();
    for (letter, n) in seen {
        let wish = (weight(n) / sum * 98.0 - 1.0).max(0.0);
        shares.push((letter, n, wish, 0));
    }
    let wishes: f64 = shares.iter().map(|s| s.2).sum();
    for share in &mut shares {
        share.2 *= if wishes > 0.0 { room as f64 / wishes } else { 0.0 };
        share.3 = share.2 as usize;
    }
    let given: usize = shares.iter().map(|s| s.3).sum();
    let mut by_remainder: Vec<usize> = (0..shares.len()).collect();
    by_remainder.sort_by(|&a, &b| shares[b].2.fract().total_cmp(&shares[a].2.fract()).then(a.cmp(&b)));
    for &i in by_remainder.iter().take(room.saturating_sub(given)) {
        shares[i].3 += 1;
    }
    let most = shares.iter().map(|s| s.1).max().unwrap_or(1) as f64;
    let least = shares.iter().map(|s| s.1).min().unwrap_or(1) as f64;
    let letters = shares.into_iter().map(|(text, n, _, extra)| {
        let rarity = if most > least { (most / n as f64).ln() / (most / least).ln() } else { 0.0 };
        let value = 1 + (rarity.powf(1.5) * 9.0).round() as i16;
        Letter { text, count: 1 + extra as u16, value }
    });
    Alphabet::new(name.to_owned(), code.to_owned(), 2, letters.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposed_set_has_a_hundred_tiles_and_high_values_for_rare_letters() {
        let text = "banana\nbandana\nananas\nzoo\nsand\n".repeat(3);
        let tiles = propose_tiles(&text, "Test", "xx").unwrap();
        assert_eq!(tiles.tiles(), 100);
        let a = tiles.letters().iter().find(|l| l.text == "A").unwrap();
        let z = tiles.letters().iter().find(|l| l.text == "Z").unwrap();
        assert!(a.count > z.count && a.value < z.value);
    }
}
