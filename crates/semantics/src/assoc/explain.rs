//! Explanations of a link between two words, for display.

use super::features::{COUNT, NAMES, features};
use super::profile::{OWN, WordProfile};
use crate::language::Language;
use crate::relations::Relation;
use crate::vectors::cosine;
use crate::words::WordId;
use serde::Serialize;

/// Least cosine of two words of a projected language for a relation of their translations to be given as a reason.
const PLAUSIBLE_COSINE: f32 = 0.2;

/// One link between a clue and a word.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct LinkReason {
    /// The feature it comes from.
    pub evidence: &'static str,
    /// Its contribution to the score.
    pub weight: f32,
    /// The link in words.
    pub text: String,
}

pub(super) fn explain(language: &Language, weights: &[f32], clue: &WordProfile, word: &WordProfile) -> Vec<LinkReason> {
    let f = features(language, clue, word);
    let mut reasons = Vec::new();
    for k in 0..COUNT {
        let weight = weights.get(k).copied().unwrap_or(0.0) * f[k];
        if weight > 0.0
            && f[k] > 0.0
            && let Some(text) = describe(language, k, f[k], clue, word)
        {
            reasons.push(LinkReason { evidence: NAMES[k], weight, text });
        }
    }
    reasons.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    reasons
}

fn describe(language: &Language, k: usize, value: f32, clue: &WordProfile, word: &WordProfile) -> Option<String> {
    let (c, w) = (&clue.text, &word.text);
    // a translation may have a sense that the word lacks: a *lev* is no tractor although a *cat* may be one
    let plausible = language.pivot().is_none() || cosine(&clue.vector, &word.vector) >= PLAUSIBLE_COSINE;
    let link = |kind: Relation| plausible.then(|| format!("“{c}” {} “{w}”", kind.phrase()));
    match NAMES[k] {
        "cosine" if value > 0.2 => Some(format!("“{c}” and “{w}” are used in similar contexts ({value:.2})")),
        "word-in-clue-glosses" => gloss_with(language, clue, word),
        "clue-in-word-glosses" => gloss_with(language, word, clue),
        "clue-glosses-to-word" | "word-glosses-to-clue" | "glosses-to-glosses" if value > 0.5 => {
            Some(format!("the definitions of “{c}” and “{w}” are about the same things"))
        }
        "gloss-overlap" if value > 0.05 => {
            let mut common: Vec<(f32, u32)> = Vec::new();
            clue.bag.meet(&word.bag, |t, a, b| common.push((a * b, t)));
            common.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
            let telling: Vec<&str> = common.iter().take(3).map(|&(_, t)| name(language, t)).collect();
            Some(format!("the definitions of both mention {}", telling.join(", ")))
        }
        "synonym" => link(Relation::Synonym),
        "clue-is-kind" => link(Relation::Hyponym),
        "word-is-kind" => link(Relation::Hypernym),
        "antonym" => link(Relation::Antonym),
        "derived" => link(Relation::Derived),
        "part" => link(Relation::Part),
        "whole" => link(Relation::Whole),
        "related" => link(Relation::Related),
        "thesaurus" => link(Relation::Thesaurus),
        "phrase-clue-first" => Some(format!("“{c} {w}” is a phrase")),
        "phrase-word-first" => Some(format!("“{w} {c}” is a phrase")),
        "emoji" => link(Relation::Emoji),
        "common-kind" if plausible => {
            let mut nearest: Option<(u8, std::cmp::Reverse<u32>)> = None;
            clue.kinds.meet(&word.kinds, |kind, a, b| {
                let found = (a.distance + b.distance, std::cmp::Reverse(kind));
                nearest = Some(nearest.map_or(found, |best| best.min(found)));
            });
            let (_, std::cmp::Reverse(kind)) = nearest?;
            Some(format!("both are a kind of “{}”", name(language, kind)))
        }
        "company" if value > 0.1 => Some(format!("“{c}” and “{w}” often occur in one sentence")),
        "compound" => Some(format!("“{c}” and “{w}” make one word")),
        "written-for-word" => Some(format!("“{c}” is in our list of what people connect with “{w}”")),
        "written-for-clue" => Some(format!("“{w}” is in our list of what people connect with “{c}”")),
        _ => None,
    }
}

/// The word of an id in a profile's lists.
fn name(language: &Language, number: u32) -> &str {
    match number.checked_sub(OWN) {
        Some(own) => language.words().text(WordId(own)),
        None => language.pivot().unwrap_or(language).words().text(WordId(number)),
    }
}

/// The gloss of `of` that uses `other`: «ring → wedding: gloss of “ring”: …».
fn gloss_with(language: &Language, of: &WordProfile, other: &WordProfile) -> Option<String> {
    let english = language.pivot();
    for (source, offset) in english.map(|e| (e, 0)).into_iter().chain([(language, english.map_or(0, |_| OWN))]) {
        let own = |p: &WordProfile| -> Vec<u32> {
            p.ids
                .iter()
                .filter_map(|&i| i.checked_sub(offset))
                .filter(|&i| (i as usize) < source.words().len())
                .collect()
        };
        let (here, there) = (own(of), own(other));
        for glosses in source.glosses() {
            for gloss in here.iter().flat_map(|&form| glosses.of(WordId(form))).copied() {
                if glosses.tokens(gloss).any(|t| there.contains(&t)) {
                    let text = glosses.text(gloss).unwrap_or_default();
                    return (!text.is_empty()).then(|| format!("gloss of “{}”: {text}", of.text));
                }
            }
        }
    }
    None
}
