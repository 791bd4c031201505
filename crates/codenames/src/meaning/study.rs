//! The study's similarity: vectors and co-occurrence combined by its case analysis (5.4.2), definitions added.

use super::glosses;
use semantics::{Language, WordId};
use std::collections::{HashMap, HashSet};

/// What is added when one word occurs in the other's definition.
pub(super) const DEFINITION: f32 = 0.25;

/// What the study's model knows of one word, ready to be compared with many others.
pub struct Known {
    forms: Vec<WordId>,
    /// Whether the vector was learned for the word itself, not put together from its parts.
    learned: bool,
    /// Normalised mutual information with every word it stands together with.
    company: HashMap<WordId, f32>,
    counted: bool,
    /// Words that its definitions use, or whose definitions use it.
    defined: HashSet<WordId>,
}

/// All readings of a text: the word itself and its base form (the best reading wins).
pub(super) fn forms(language: &Language, text: &str) -> Vec<WordId> {
    let mut forms = Vec::new();
    if let Some(id) = language.find_form(text) {
        forms.push(id);
        let lemma = language.lemma(id);
        if lemma != id {
            forms.push(lemma);
        }
    }
    forms
}

impl Known {
    /// Gathers what is known of a word.
    pub fn new(language: &Language, text: &str) -> Known {
        let forms = forms(language, text);
        let mut company: HashMap<WordId, f32> = HashMap::new();
        let mut counted = false;
        if let Some(counts) = language.cooccurrence() {
            for &form in &forms {
                counted |= counts.total(form) > 0;
                for (other, n) in counts.row(form) {
                    let npmi = counts.measures_of(form, other, n).npmi as f32;
                    let entry = company.entry(other).or_insert(npmi);
                    *entry = entry.max(npmi);
                }
            }
        }
        let defined = glosses::partners(language, &forms);
        Known { learned: forms.iter().any(|&f| language.vectors().has(f)), forms, company, counted, defined }
    }

    /// Similarity of a clue (this) and a board word given by its readings, whose cosine is known.
    pub fn similarity(&self, readings: &[WordId], cosine: f32) -> f32 {
        let vectors = cosine.max(0.0);
        let together = readings
            .iter()
            .filter_map(|r| self.company.get(r))
            .fold(None, |best: Option<f32>, &n| Some(best.map_or(n, |b| b.max(n))));
        let scaled = together.map(|npmi| (npmi + 1.0) / 2.0);
        let combined = match (self.learned, self.counted, scaled) {
            (true, true, Some(n)) => (vectors + n) / 2.0,
            // known to the counts only: what was seen together comes first, the rest by the approximation
            (false, true, Some(n)) => 1.0 + n,
            _ => vectors,
        };
        let defined = readings.iter().any(|r| self.defined.contains(r) && !self.forms.contains(r));
        combined + if defined { DEFINITION } else { 0.0 }
    }
}
