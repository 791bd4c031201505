//! What two words have in common, as numbers.

use super::profile::{OWN, Profile};
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

/// How many features there are.
pub const COUNT: usize = NAMES.len();

/// Scalar product in eight running sums, so that the compiler may take eight numbers at a time.
fn dot(a: &[f32], b: &[f32]) -> f32 {
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

fn find<T: Copy>(list: &[(u32, T)], key: u32) -> Option<T> {
    list.binary_search_by_key(&key, |e| e.0).ok().map(|i| list[i].1)
}

/// How many numbers two sorted lists share.
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if long.len() > 16 * short.len() {
        return short.iter().filter(|x| long.binary_search(x).is_ok()).count();
    }
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < short.len() && j < long.len() {
        let (x, y) = (short[i], long[j]);
        n += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    n
}

/// Scalar product of two sorted sparse vectors.
fn overlap(a: &[(u32, f32)], b: &[(u32, f32)]) -> f32 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i].0, b[j].0);
        if x == y {
            sum += a[i].1 * b[j].1;
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    sum
}

/// Cosine of two sets.
fn likeness(a: &[u32], b: &[u32]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    shared(a, b) as f32 / ((a.len() * b.len()) as f32).sqrt()
}

/// The features of a clue and a word.
pub fn features(language: &Language, clue: &Profile, word: &Profile) -> [f32; COUNT] {
    let mut f = [0.0; COUNT];
    let cosine = dot(&clue.vector, &word.vector);
    f[0] = cosine;
    f[1] = cosine.max(0.0).powi(2);
    f[2] = cosine - 0.5 * (clue.density + word.density);
    f[3] = clue.senses.iter().map(|s| dot(s, &word.vector)).fold(0.0, f32::max);
    f[4] = word.senses.iter().map(|s| dot(s, &clue.vector)).fold(0.0, f32::max);
    f[5] = dot(&clue.defined, &word.defined);
    f[6] = clue.senses.iter().take(6).flat_map(|a| word.senses.iter().take(6).map(|b| dot(a, b))).fold(0.0, f32::max);
    // the strongest entry of one word's list about the other
    let best = |list: &[(u32, f32)], p: &Profile| p.ids.iter().filter_map(|&w| find(list, w)).fold(0.0, f32::max);
    f[7] = best(&clue.bag, word);
    f[8] = best(&word.bag, clue);
    f[9] = overlap(&clue.bag, &word.bag);
    let bits = word.ids.iter().fold(0, |bits, &w| bits | find(&clue.links, w).unwrap_or(0));
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
    let up = |a: &Profile, b: &Profile| {
        b.ids.iter().filter_map(|&b| find(&a.kinds, b)).min().map_or(0.0, |d| 1.0 / f32::from(d))
    };
    f[22] = up(clue, word).max(up(word, clue));
    f[23] = common_kind(language, clue, word);
    f[24] = likeness(&clue.thesaurus, &word.thesaurus);
    f[25] = best(&clue.company, word);
    f[26] = f32::from(u8::from(f[25] > 0.0));
    f[27] = f32::from(u8::from(compound(language, &clue.text, &word.text)));
    f[28] = f32::from(u8::from(clue.stem == word.stem));
    let within = |list: &[u32], p: &Profile| p.ids.iter().any(|w| list.binary_search(w).is_ok());
    f[29] = f32::from(u8::from(within(&word.written, clue)));
    f[30] = f32::from(u8::from(within(&clue.written, word)));
    f[31] = ((1 + shared(&clue.written_for, &word.written_for)) as f32).ln();
    f[32] = word.zipf - 4.0;
    f[33] = likeness(&clue.written, &word.written).max(likeness(&clue.written_for, &word.written));
    f
}

/// How special the closest kind is that both belong to: near and with few members is best.
fn common_kind(language: &Language, a: &Profile, b: &Profile) -> f32 {
    let (mut i, mut j, mut best) = (0, 0, 0f32);
    while i < a.kinds.len() && j < b.kinds.len() {
        let (x, y) = (a.kinds[i].0, b.kinds[j].0);
        if x == y {
            let distance = f32::from(a.kinds[i].1 + b.kinds[j].1);
            let (own, x) = if x >= OWN { (language, x - OWN) } else { (language.pivot().unwrap_or(language), x) };
            let special = 1.0 - own.zipf(crate::words::WordId(x)) / 9.0;
            best = best.max(special * 2.0 / distance);
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    best
}

/// Whether the two make one word together, or one holds the other and the rest is a word too.
fn compound(language: &Language, a: &str, b: &str) -> bool {
    let word = |s: &str| s.chars().nth(2).is_some() && language.words().id(s).is_some();
    let joined = |a: &str, b: &str| language.words().id(&[a, b].concat()).is_some();
    let within = |long: &str, part: &str| {
        part.chars().nth(2).is_some()
            && (long.strip_prefix(part).is_some_and(word) || long.strip_suffix(part).is_some_and(word))
    };
    joined(a, b) || joined(b, a) || within(a, b) || within(b, a)
}
