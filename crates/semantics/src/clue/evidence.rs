//! Features of a candidate answer.

use super::AnswerCandidate;
use super::inflection::{Inflection, inflection};
use super::support::Support;
use crate::glosses::Glosses;
use crate::language::Language;
use crate::relations::Relation;
use crate::sentence::{self, Method};
use crate::words::{WordFlags, WordId};
use std::collections::{BTreeMap, HashMap};

/// Names of the evidence, in order; weights are keyed by them.
pub const FEATURES: [&str; 48] = [
    "vectors",
    "vectors-mixed",
    "nearest-clue-word",
    "gloss-vector",
    "gloss-vector-first",
    "gloss-overlap",
    "gloss-covered",
    "definition-vector",
    "definition-overlap",
    "in-clue-gloss",
    "synonym",
    "clue-kind",
    "answer-kind",
    "deep-kind",
    "antonym",
    "derived",
    "part-whole",
    "related",
    "thesaurus",
    "thesaurus-all",
    "phrase",
    "phrase-at-end",
    "emoji",
    "company",
    "frequency",
    "rare",
    "inflected-alike",
    "inflected-unlike",
    "name",
    "in-clue",
    "phrase-entry",
    "opposite",
    "synonym-of-synonym",
    "clue-covered",
    "gloss-covered-nearly",
    "explained-by-clue",
    "supported",
    "least-supported",
    "thesaurus-alike",
    "form-agrees-alone",
    "form-against-alone",
    "synonyms-near",
    "kinds-near",
    "near-head",
    "head-support",
    "form-agrees",
    "form-against",
    "common-meaning",
];

/// Number of entries.
pub const COUNT: usize = FEATURES.len();

/// Place of the frequency, and what it is told from.
pub(super) const FREQUENCY: usize = 24;
pub(super) const ZIPF_MIDDLE: f32 = 3.5;

/// Sparse features under construction: words with any non-zero feature.
type Sparse = HashMap<u32, [f32; COUNT]>;

/// Sparse features, indexed by word.
struct Spread {
    /// Index of each word's features counted from 1, or 0.
    places: Vec<u32>,
    numbers: Vec<[f32; COUNT]>,
}

impl Spread {
    fn new(sparse: Sparse, words: usize) -> Spread {
        let mut places = vec![0; words];
        let mut numbers = Vec::with_capacity(sparse.len());
        for (word, found) in sparse {
            numbers.push(found);
            places[word as usize] = numbers.len() as u32;
        }
        Spread { places, numbers }
    }

    fn of(&self, word: WordId) -> Option<&[f32; COUNT]> {
        let place = self.places[word.index()] as usize;
        (place > 0).then(|| &self.numbers[place - 1])
    }
}

fn raise(sparse: &mut Sparse, word: u32, feature: usize, value: f32) {
    let slot = &mut sparse.entry(word).or_insert([0.0; COUNT])[feature];
    *slot = slot.max(value);
}

fn add(sparse: &mut Sparse, word: u32, feature: usize, value: f32) {
    sparse.entry(word).or_insert([0.0; COUNT])[feature] += value;
}

/// The features of a clue for each of the given words.
pub(super) fn gather(
    language: &Language,
    derived_forms: &BTreeMap<WordId, Vec<WordId>>,
    clue: &str,
    words: &[WordId],
) -> Vec<AnswerCandidate> {
    let tokens = language.tokens(clue);
    let content = language.content(clue);
    let vectors = language.vectors();
    let all: Vec<f32> = match sentence::vector(language, &tokens, Method::Weighted) {
        Some(v) => {
            let mut out = Vec::new();
            vectors.compare_all(&vectors.query(&v), &mut out);
            out
        }
        None => vec![0.0; language.words().len()],
    };
    let mixed = sentence::vector(language, &tokens, Method::Mixed).map(|v| vectors.query(&v));
    let mut sparse = links(language, &tokens, &content);
    phrase_entries(language, clue, &mut sparse);
    let sparse = Spread::new(sparse, language.words().len());
    let matches = overlaps(language, &content);
    let support = Support::new(language, clue, &content);
    let wanted = wanted_inflection(language, clue);
    let lemmas: Vec<WordId> = tokens.iter().map(|&t| language.lemma(t)).collect();
    words
        .iter()
        .map(|&word| {
            let lemma = language.lemma(word);
            let mut f = [0f32; COUNT];
            for id in [word, lemma] {
                if let Some(found) = sparse.of(id) {
                    f.iter_mut().zip(found).for_each(|(a, b)| *a = a.max(*b));
                }
            }
            f[0] = all[word.index()];
            f[1] = mixed.as_ref().map_or(0.0, |q| vectors.compare(q, word));
            f[2] = content.iter().map(|&t| vectors.similarity(t, word)).fold(0.0, f32::max);
            glosses(language, &all, &matches, &content, [word, lemma], &mut f);
            let zipf = language.zipf(word);
            f[FREQUENCY] = zipf - ZIPF_MIDDLE;
            f[25] = (3.0 - zipf).max(0.0);
            let form = inflection(language.words().text(word));
            let is_form = lemma != word && derived_forms.contains_key(&lemma);
            if is_form && form != Inflection::Plain {
                f[26 + usize::from(!wanted.contains(&form))] = 1.0;
            }
            f[28] = f32::from(u8::from(language.words().flags(word).has(WordFlags::NAME)));
            f[29] = f32::from(u8::from(lemmas.contains(&lemma)));
            support.fill(&all, word, lemma, &mut f);
            AnswerCandidate { word, features: f }
        })
        .collect()
}

fn wanted_inflection(language: &Language, clue: &str) -> Vec<Inflection> {
    crate::tokens::words_of(clue)
        .filter(|t| language.find(t).is_none_or(|id| language.lemma(id) != id || inflection(t) == Inflection::Adverb))
        .map(|t| inflection(&t))
        .filter(|i| *i != Inflection::Plain)
        .collect()
}

/// Sparse features: links from the words of the clue and their glosses.
fn links(language: &Language, tokens: &[WordId], content: &[WordId]) -> Sparse {
    let mut sparse = Sparse::new();
    let relations = language.relations();
    // frequent words weigh less
    let telling = |t: WordId| ((7.6 - language.zipf(t)) / 4.0).clamp(0.1, 1.2);
    let total: f32 = content.iter().map(|&t| telling(t)).sum();
    let negated =
        tokens.iter().any(|&t| matches!(language.words().text(t), "not" | "opposite" | "non" | "no" | "never"));
    for &token in content {
        let share = telling(token) / total;
        let lemma = language.lemma(token);
        let forms = if lemma == token { vec![token] } else { vec![token, lemma] };
        let mut near: BTreeMap<u32, u8> = BTreeMap::new();
        for &form in &forms {
            for kind in Relation::ALL {
                let feature = match kind {
                    Relation::Synonym => 10,
                    Relation::Hyponym => 11,
                    Relation::Hypernym => 12,
                    Relation::Antonym => 14,
                    Relation::Derived => 15,
                    Relation::Part | Relation::Whole => 16,
                    Relation::Related => 17,
                    Relation::Thesaurus => 18,
                    Relation::PhraseNext | Relation::PhraseBefore => 20,
                    Relation::Emoji => 22,
                };
                for other in relations.of(form, kind) {
                    raise(&mut sparse, other.0, feature, share.sqrt());
                    if kind == Relation::Antonym && negated {
                        raise(&mut sparse, other.0, 31, share.sqrt());
                    }
                    if kind == Relation::Thesaurus || kind == Relation::Synonym {
                        near.insert(other.0, 1);
                    }
                }
            }
            deep_kinds(language, form, share, &mut sparse);
        }
        // words with many common synonyms are close even without a direct link
        if content.len() <= 3 {
            let mut second: HashMap<u32, u32> = HashMap::new();
            for &other in near.keys() {
                for far in relations.of(WordId(other), Relation::Synonym) {
                    *second.entry(far.0).or_default() += 1;
                }
            }
            for (far, n) in second {
                raise(&mut sparse, far, 32, share.sqrt() * (n as f32).min(8.0) / 8.0);
            }
        }
        for (other, _) in near {
            add(&mut sparse, other, 19, share);
        }
        in_glosses(language, &forms, share, &mut sparse);
        if let Some(counts) = language.cooccurrence() {
            for (other, n) in counts.row(lemma) {
                let npmi = counts.measures_of(lemma, other, n).npmi as f32;
                if npmi > 0.0 {
                    add(&mut sparse, other.0, 23, npmi * share);
                }
            }
        }
    }
    // “salt and …”: the last telling word before an open end
    if let (Some(&last), Some(&end)) = (content.last(), tokens.last()) {
        let open = language.words().flags(end).has(WordFlags::STOP);
        if open && end != last {
            for (other, n) in language.cooccurrence().into_iter().flat_map(|c| c.row(language.lemma(last))) {
                let m = language.cooccurrence().map_or(0.0, |c| c.measures_of(language.lemma(last), other, n).npmi);
                raise(&mut sparse, other.0, 21, m as f32);
            }
        }
    }
    sparse
}

/// Words that the whole clue, or a part of it of two or three words, is listed for.
fn phrase_entries(language: &Language, clue: &str, sparse: &mut Sparse) {
    let words: Vec<String> = crate::tokens::words_of(clue).collect();
    for length in 2..=words.len().min(5) {
        let whole = if length == words.len() { 1.0 } else { 0.4 * length as f32 / words.len() as f32 };
        for part in words.windows(length) {
            for word in language.phrase_words(&part.join(" ")) {
                raise(sparse, word.0, 30, whole);
            }
        }
    }
}

/// Kinds of kinds of a word of the clue: *grapefruit* is a *citrus*, a *fruit*, a *food*.
fn deep_kinds(language: &Language, token: WordId, share: f32, sparse: &mut Sparse) {
    let mut edge = vec![token];
    let mut seen = std::collections::HashSet::from([token]);
    for depth in 1..=3u8 {
        let mut next = Vec::new();
        for &w in &edge {
            for kind in language.relations().of(w, Relation::Hyponym) {
                if seen.len() < 4000 && seen.insert(kind) {
                    raise(sparse, kind.0, 13, share.sqrt() / f32::from(depth));
                    next.push(kind);
                }
            }
        }
        edge = next;
    }
}

/// Words that explain a word of the clue.
fn in_glosses(language: &Language, forms: &[WordId], share: f32, sparse: &mut Sparse) {
    for glosses in language.glosses() {
        for &form in forms {
            for (rank, &gloss) in glosses.of(form).iter().take(8).enumerate() {
                let common = 1.0 / (1.0 + 0.3 * rank as f32);
                let length = glosses.bag_length(gloss).max(1e-6);
                for &t in glosses.defining(gloss) {
                    let telling = glosses.idf(WordId(t)) / length;
                    raise(sparse, t, 9, telling * common * share.sqrt());
                }
            }
        }
    }
}

/// Per dictionary: how well each gloss matches the words of the clue, 0 where it has none of them.
fn overlaps(language: &Language, content: &[WordId]) -> Vec<Vec<f32>> {
    let query: Vec<(WordId, f32)> = content.iter().map(|&t| (language.lemma(t), 1.0)).collect();
    let of_all = |glosses: &Glosses| {
        let mut all = vec![0.0; glosses.len()];
        glosses.matching(&query).into_iter().for_each(|(gloss, alike)| all[gloss as usize] = alike);
        all
    };
    language.glosses().iter().map(of_all).collect()
}

/// Evidence of the glosses of a candidate and its base form.
fn glosses(
    language: &Language,
    near: &[f32],
    matches: &[Vec<f32>],
    content: &[WordId],
    forms: [WordId; 2],
    f: &mut [f32; COUNT],
) {
    let forms = if forms[0] == forms[1] { &forms[..1] } else { &forms[..] };
    for (source, glosses) in language.glosses().iter().enumerate() {
        let (vector, overlap) = if source == 0 { (3, 5) } else { (7, 8) };
        for &form in forms {
            for (rank, &gloss) in glosses.of(form).iter().take(10).enumerate() {
                let common = 1.0 / (1.0 + 0.1 * rank as f32);
                let length = glosses.vector_length(gloss);
                if length > 0.0 {
                    let told = glosses.defining(gloss).iter();
                    let sum: f32 = told.map(|&t| glosses.idf(WordId(t)) * near[t as usize]).sum();
                    let cosine = sum / length * common;
                    f[vector] = f[vector].max(cosine);
                    if source == 0 && rank == 0 {
                        f[4] = f[4].max(cosine);
                    }
                }
                let shared = matches[source][gloss as usize];
                if shared > 0.0 {
                    f[overlap] = f[overlap].max(shared * common);
                    if source == 0 {
                        let tokens: Vec<u32> = glosses.tokens(gloss).collect();
                        let covered = content.iter().filter(|t| tokens.contains(&language.lemma(**t).0)).count();
                        f[6] = f[6].max(covered as f32 / content.len() as f32 * common);
                    }
                }
            }
        }
    }
}
