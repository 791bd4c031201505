//! Features of a pair of words.

use super::bitmap_table::{BitmapTable, shared};
use super::profile::WordProfile;
use crate::kernel::{ROWS, row_products};
use crate::language::Language;
use crate::relations::Relation;

/// Names of the features, in order; weights files are keyed by them.
pub const NAMES: [&str; 34] = [
    "cosine",
    "cosine-squared",
    "cosine-above-density",
    "clue-glosses-to-word",
    "word-glosses-to-clue",
    "glosses-to-glosses",
    "best-sense-pair",
    "word-in-clue-glosses",
    "clue-in-word-glosses",
    "gloss-overlap",
    "synonym",
    "clue-is-kind",
    "word-is-kind",
    "antonym",
    "derived",
    "part",
    "whole",
    "related",
    "thesaurus",
    "phrase-clue-first",
    "phrase-word-first",
    "emoji",
    "kind-distance",
    "common-kind",
    "thesaurus-overlap",
    "company",
    "company-known",
    "compound",
    "same-stem",
    "written-for-word",
    "written-for-clue",
    "written-together",
    "word-frequency",
    "written-overlap",
];

/// Number of features.
pub const COUNT: usize = NAMES.len();

/// Dot product in eight partial sums, so that the compiler can vectorise it.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let (left, right) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0f32; 8];
    for (x, y) in left.zip(right) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    rest + sums.iter().sum::<f32>()
}

/// Cosine of two sets with `both` common elements.
fn set_cosine(both: usize, a: usize, b: usize) -> f32 {
    if both == 0 { 0.0 } else { both as f32 / ((a * b) as f32).sqrt() }
}

/// Cosine of two rising lists.
fn likeness(a: &[u32], b: &[u32]) -> f32 {
    set_cosine(shared(a, b), a.len(), b.len())
}

/// The features of a clue and a word.
pub fn features(language: &Language, clue: &WordProfile, word: &WordProfile) -> [f32; COUNT] {
    let mut f = [0.0; COUNT];
    let cosine = product(&clue.vector, &word.vector);
    f[0] = cosine;
    f[1] = cosine.max(0.0).powi(2);
    f[2] = cosine - 0.5 * (clue.density + word.density);
    f[3] = nearest_sense(clue, usize::MAX, &word.fine);
    f[4] = nearest_sense(word, usize::MAX, &clue.fine);
    f[5] = product(&clue.defined, &word.defined);
    f[6] = senses(word).take(6).map(|sense| nearest_sense(clue, 6, sense)).fold(0.0, f32::max);
    // the largest entry of one word's list for the other
    let best =
        |list: &BitmapTable<f32>, p: &WordProfile| p.ids.iter().filter_map(|&w| list.find(w)).fold(0.0, f32::max);
    f[7] = best(&clue.bag, word);
    f[8] = best(&word.bag, clue);
    clue.bag.meet(&word.bag, |_, a, b| f[9] += a * b);
    let bits = word.ids.iter().fold(0, |bits, &w| bits | clue.links.find(w).unwrap_or(0));
    let link = |kind: Relation| f32::from(u8::from(bits & (1 << kind as u16) != 0));
    f[10] = link(Relation::Synonym);
    f[11] = link(Relation::Hyponym);
    f[12] = link(Relation::Hypernym);
    f[13] = link(Relation::Antonym);
    f[14] = link(Relation::Derived);
    f[15] = link(Relation::Part);
    f[16] = link(Relation::Whole);
    f[17] = link(Relation::Related);
    f[18] = link(Relation::Thesaurus);
    f[19] = link(Relation::PhraseNext);
    f[20] = link(Relation::PhraseBefore);
    f[21] = link(Relation::Emoji);
    let up = |a: &WordProfile, b: &WordProfile| {
        let steps = b.ids.iter().filter_map(|&b| a.kinds.find(b)).map(|kind| kind.distance).min();
        steps.map_or(0.0, |d| 1.0 / f32::from(d))
    };
    f[22] = up(clue, word).max(up(word, clue));
    f[23] = common_kind(clue, word);
    let mut both = 0;
    clue.thesaurus.meet(&word.thesaurus, |_, (), ()| both += 1);
    f[24] = set_cosine(both, clue.thesaurus.len(), word.thesaurus.len());
    f[25] = best(&clue.company, word);
    f[26] = f32::from(u8::from(f[25] > 0.0));
    f[27] = f32::from(u8::from(compound(language, &clue.text, &word.text)));
    f[28] = f32::from(u8::from(clue.stem == word.stem));
    let within = |list: &[u32], p: &WordProfile| p.ids.iter().any(|w| list.binary_search(w).is_ok());
    f[29] = f32::from(u8::from(within(&word.written, clue)));
    f[30] = f32::from(u8::from(within(&clue.written, word)));
    f[31] = ((1 + shared(&clue.written_for, &word.written_for)) as f32).ln();
    f[32] = word.zipf - 4.0;
    f[33] = likeness(&clue.written, &word.written).max(likeness(&clue.written_for, &word.written));
    f
}

/// The sense vectors of a word.
fn senses(p: &WordProfile) -> impl Iterator<Item = &[i16]> {
    p.senses.chunks_exact(p.fine.len().max(1))
}

/// The largest dot product of a vector with the first `n` senses of a word.
fn nearest_sense(p: &WordProfile, n: usize, vector: &[i16]) -> f32 {
    let mut best = 0f32;
    for (i, rows) in p.senses.chunks_exact(ROWS * vector.len().max(1)).take(n.div_ceil(ROWS)).enumerate() {
        for (k, near) in row_products(vector, rows).into_iter().enumerate() {
            // padding rows are zero
            best = if near > best && i * ROWS + k < n { near } else { best };
        }
    }
    best
}

/// Specificity of the closest common ancestor: near and rare is best.
fn common_kind(a: &WordProfile, b: &WordProfile) -> f32 {
    let mut best = 0f32;
    a.kinds.meet(&b.kinds, |_, x, y| {
        let special = x.special * NEARNESS[usize::from((x.distance + y.distance) & 15)];
        best = if special > best { special } else { best };
    });
    best
}

/// Two divided by the path length through a common ancestor.
const NEARNESS: [f32; 16] = {
    let mut list = [0.0; 16];
    let mut steps = 1;
    while steps < 16 {
        list[steps] = 2.0 / steps as f32;
        steps += 1;
    }
    list
};

/// Whether the two form a compound: joined they are a word, or one contains the other and the rest is a word.
fn compound(language: &Language, a: &str, b: &str) -> bool {
    let words = language.words();
    let word = |s: &str| s.chars().nth(2).is_some() && words.id(s).is_some();
    let within = |long: &str, part: &str| {
        long.len() > part.len()
            && (long.strip_prefix(part).is_some_and(word) || long.strip_suffix(part).is_some_and(word))
            && part.chars().nth(2).is_some()
    };
    words.id_of_joined(a, b).is_some() || words.id_of_joined(b, a).is_some() || within(a, b) || within(b, a)
}
