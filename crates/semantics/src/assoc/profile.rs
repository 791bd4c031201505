//! The profile of one word, collected once so that pairs can be compared quickly.

use super::bitmap_table::BitmapTable;
use crate::kernel::{ROWS, fine};
use crate::language::Language;
use crate::relations::Relation;
use crate::vectors::normalise;
use crate::words::{WordFlags, WordId};

/// Senses per word.
const SENSES: usize = 8;
/// Offset of the word ids of a language projected into the English space.
pub(crate) const OWN: u32 = 1 << 24;
/// Levels of hypernyms.
const CLIMB: u8 = 4;

/// A hypernym of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AncestorKind {
    /// Steps up the hierarchy.
    pub(crate) distance: u8,
    /// Specificity: near 1 for rare words.
    pub(crate) special: f32,
}

/// All data of the association model about one word.
#[derive(Clone, Debug)]
pub struct WordProfile {
    /// The word as it was written, in lower case.
    pub text: String,
    /// The id of the word, or of its base form if only that is in the vocabulary.
    pub id: Option<WordId>,
    pub(crate) lemma: Option<WordId>,
    /// Ids under which other words' lists may contain it: its own and its base form's, or those of its
    /// translations; ids of a projected language are raised by [`OWN`].
    pub(crate) ids: Vec<u32>,
    pub(crate) stem: String,
    pub(crate) vector: Vec<f32>,
    /// The vector in 16-bit integers, for comparison with senses.
    pub(crate) fine: Vec<i16>,
    /// Mean cosine with its nearest words of a fixed sample: high for hubs.
    pub(crate) density: f32,
    pub(crate) zipf: f32,
    /// Unit vectors of its senses' definitions in 16-bit integers, most frequent first, padded with zero vectors to a
    /// multiple of [`ROWS`].
    pub(crate) senses: Vec<i16>,
    /// Unit vector of all its definitions together.
    pub(crate) defined: Vec<f32>,
    /// Words used in its glosses with weights of unit length.
    pub(crate) bag: BitmapTable<f32>,
    /// Direct links: other word and a bit per kind.
    pub(crate) links: BitmapTable<u16>,
    /// Words of the same thesaurus groups.
    pub(crate) thesaurus: BitmapTable<()>,
    /// Kinds it belongs to.
    pub(crate) kinds: BitmapTable<AncestorKind>,
    /// Co-occurring words and their normalised pointwise mutual information.
    pub(crate) company: BitmapTable<f32>,
    /// Words written for it by hand, sorted.
    pub(crate) written: Vec<u32>,
    /// Words for which it was written by hand, sorted.
    pub(crate) written_for: Vec<u32>,
}

/// The lists of a profile under construction.
#[derive(Default)]
struct Gathered {
    bag: Vec<(u32, f32)>,
    links: Vec<(u32, u16)>,
    kinds: Vec<(u32, AncestorKind)>,
    company: Vec<(u32, f32)>,
    thesaurus: Vec<(u32, ())>,
}

/// Collects the data of a word; an unknown word has a vector from its n-grams only.
pub fn profile(language: &Language, sample: &[WordId], text: &str) -> WordProfile {
    let text = text.trim().to_lowercase();
    let id = language.find_form(&text);
    let vector = language.vector(&text).unwrap_or_else(|| vec![0.0; language.vectors().dim()]);
    let mut p = WordProfile {
        stem: language.stem(&text),
        lemma: id.map(|id| language.lemma(id)),
        density: density(language, sample, &vector),
        fine: fine(&vector).collect(),
        zipf: id.map_or(0.0, |id| language.zipf(id)),
        id,
        ids: Vec::new(),
        text,
        vector,
        senses: Vec::new(),
        defined: vec![0.0; language.vectors().dim()],
        bag: BitmapTable::default(),
        links: BitmapTable::default(),
        thesaurus: BitmapTable::default(),
        kinds: BitmapTable::default(),
        company: BitmapTable::default(),
        written: Vec::new(),
        written_for: Vec::new(),
    };
    let Some(id) = id else { return p };
    // an inflected form includes its base form
    let mut forms = vec![id];
    if let Some(lemma) = p.lemma.filter(|&l| l != id) {
        forms.push(lemma);
    }
    let offset = if language.pivot().is_some() { OWN } else { 0 };
    p.ids.extend(forms.iter().map(|f| f.0 + offset));
    let mut lists = Gathered::default();
    add_glosses(language, &forms, offset, &mut p, &mut lists);
    add_links(language, &forms, offset, &mut lists);
    add_company(language, &forms[forms.len() - 1..], offset, &mut lists);
    if let Some(english) = language.pivot() {
        let mut there: Vec<WordId> = Vec::new();
        for (e, _) in forms.iter().flat_map(|&f| language.translations(f)).filter(|t| t.1 >= 0.2).take(3) {
            for form in [e, english.lemma(e)] {
                if !there.contains(&form) {
                    there.push(form);
                }
            }
        }
        p.ids.extend(there.iter().map(|f| f.0));
        add_glosses(english, &there, 0, &mut p, &mut lists);
        add_links(english, &there, 0, &mut lists);
        add_company(english, &there[..there.len().min(2)], 0, &mut lists);
    }
    for &form in &forms {
        p.written.extend(language.hand().of(form).iter().map(|&(w, _)| w.0 + offset));
        p.written_for.extend(language.hand().mentioning(form).iter().map(|&(w, _)| w.0 + offset));
    }
    finish(&mut p, lists);
    p
}

/// Sorts the lists as the comparisons require.
fn finish(p: &mut WordProfile, mut lists: Gathered) {
    for list in [&mut p.written, &mut p.written_for] {
        list.sort_unstable();
        list.dedup();
        list.shrink_to_fit();
    }
    normalise(&mut p.defined);
    p.senses.resize(p.senses.len().next_multiple_of(ROWS * p.fine.len().max(1)), 0);
    let length = lists.bag.iter().map(|b| b.1 * b.1).sum::<f32>().sqrt().max(1e-6);
    lists.bag.iter_mut().for_each(|b| b.1 /= length);
    // of several translations the one with the higher value counts
    lists.company.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    p.bag = BitmapTable::new(lists.bag);
    p.links = BitmapTable::new(lists.links);
    p.kinds = BitmapTable::new(lists.kinds);
    p.company = BitmapTable::new(lists.company);
    p.thesaurus = BitmapTable::new(lists.thesaurus);
}

fn add_company(language: &Language, forms: &[WordId], offset: u32, lists: &mut Gathered) {
    let Some(counts) = language.cooccurrence() else { return };
    for &form in forms {
        let lemma = language.lemma(form);
        let row = counts.row(lemma);
        lists.company.extend(row.map(|(w, n)| (w.0 + offset, counts.measures_of(lemma, w, n).npmi as f32)));
    }
}

/// A fixed sample of the commoner words, for [`WordProfile`]'s density.
pub(crate) fn sample(language: &Language) -> Vec<WordId> {
    let words = language.words();
    (0..words.len().min(20_000) as u32)
        .map(WordId)
        .filter(|&w| words.flags(w).has(WordFlags::LEMMA) && !words.flags(w).has(WordFlags::STOP))
        .step_by(10)
        .collect()
}

fn density(language: &Language, sample: &[WordId], vector: &[f32]) -> f32 {
    let query = language.vectors().query(vector);
    let mut near: Vec<f32> = sample.iter().map(|&w| language.vectors().compare(&query, w)).collect();
    let n = 10.min(near.len());
    if n == 0 {
        return 0.0;
    }
    near.select_nth_unstable_by(n - 1, |a, b| b.total_cmp(a));
    near[..n].iter().sum::<f32>() / n as f32
}

fn add_glosses(language: &Language, forms: &[WordId], offset: u32, p: &mut WordProfile, lists: &mut Gathered) {
    let mut bag: std::collections::BTreeMap<u32, f32> = std::collections::BTreeMap::new();
    for glosses in language.glosses() {
        for &form in forms {
            for (rank, &gloss) in glosses.of(form).iter().take(SENSES).enumerate() {
                let common = 1.0 / (1.0 + 0.3 * rank as f32);
                let mut v = vec![0.0; language.vectors().dim()];
                for &t in glosses.defining(gloss) {
                    language.vectors().add_to(WordId(t), glosses.idf(WordId(t)), &mut v);
                }
                normalise(&mut v);
                p.defined.iter_mut().zip(&v).for_each(|(d, x)| *d += common * x);
                if p.senses.len() < 2 * SENSES * p.fine.len() && v.iter().any(|x| *x != 0.0) {
                    p.senses.extend(fine(&v));
                }
                for t in glosses.tokens(gloss) {
                    let weight = common * glosses.idf(WordId(t));
                    let old = bag.entry(t).or_default();
                    *old = old.max(weight);
                }
            }
        }
    }
    lists.bag.extend(bag.into_iter().map(|(t, w)| (t + offset, w)));
}

fn add_links(language: &Language, forms: &[WordId], offset: u32, lists: &mut Gathered) {
    let relations = language.relations();
    let mut links: std::collections::BTreeMap<u32, u16> = std::collections::BTreeMap::new();
    for &form in forms {
        for kind in Relation::ALL {
            for other in relations.of(form, kind) {
                *links.entry(other.0).or_default() |= 1 << kind as u16;
                if kind == Relation::Thesaurus || kind == Relation::Synonym {
                    lists.thesaurus.push((other.0 + offset, ()));
                }
            }
        }
    }
    lists.links.extend(links.into_iter().map(|(w, bits)| (w + offset, bits)));
    let mut kinds: std::collections::BTreeMap<u32, u8> = std::collections::BTreeMap::new();
    let mut edge: Vec<WordId> = forms.to_vec();
    for distance in 1..=CLIMB {
        let mut next = Vec::new();
        for &word in &edge {
            for kind in relations.of(word, Relation::Hypernym) {
                if kinds.len() < 200 && !kinds.contains_key(&kind.0) {
                    kinds.insert(kind.0, distance);
                    next.push(kind);
                }
            }
        }
        edge = next;
    }
    let special = |w: u32| 1.0 - language.zipf(WordId(w)) / 9.0;
    lists
        .kinds
        .extend(kinds.into_iter().map(|(w, distance)| (w + offset, AncestorKind { distance, special: special(w) })));
}
