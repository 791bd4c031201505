//! The study's similarity: vectors and co-occurrence combined by its case analysis (5.4.2), definitions added.

use super::{Lines, glosses};
use semantics::{Language, WordFlags, WordId};
use std::collections::{HashMap, HashSet};

/// What is added when one word occurs in the other's definition, where definitions are all there is: the study's figure.
pub(super) const DEFINITION: f32 = 0.25;
/// What is added to the mean of vectors and counts: less, because every definition is one of the lines counted here.
const DEFINED: f32 = 0.015;

/// What the study's model knows of one word, ready to be compared with many others.
pub struct Known {
    forms: Vec<WordId>,
    /// Whether the vector was learned for the word itself, not put together from its parts.
    learned: bool,
    /// Normalised mutual information with every word it stands together with more often than by chance.
    company: HashMap<WordId, f32>,
    counted: bool,
    /// Words that its definitions use, or whose definitions use it.
    defined: HashSet<WordId>,
}

/// Nouns of quality that have a meaning of their own beside their adjective's, in Czech and Slovak: the adjective says
/// nothing of them.
const OWN_MEANING: [&str; 24] = [
    "společnost",
    "spoločnosť",
    "místnost",
    "miestnosť",
    "událost",
    "udalosť",
    "hodnost",
    "hodnosť",
    "domácnost",
    "domácnosť",
    "osobnost",
    "osobnosť",
    "nemovitost",
    "nehnuteľnosť",
    "zajímavost",
    "zaujímavosť",
    "veřejnost",
    "verejnosť",
    "budoucnost",
    "budúcnosť",
    "minulost",
    "minulosť",
    "příležitost",
    "príležitosť",
];

/// The adjective of a Czech or Slovak noun of quality: *rychlost* is what is *rychlý*.
fn quality(language: &Language, noun: &str) -> Option<WordId> {
    let (ending, adjective) = match language.code() {
        "cs" => ("ost", ["ý", "í"]),
        "sk" => ("osť", ["ý", "y"]),
        _ => return None,
    };
    let stem = noun.strip_suffix(ending).filter(|_| !OWN_MEANING.contains(&noun))?;
    let known = adjective.iter().filter_map(|end| language.words().id(&format!("{stem}{end}")));
    known.into_iter().find(|&id| language.words().flags(id).has(WordFlags::ADJECTIVE))
}

/// What a text is a form of: the word itself and its base form. A base form stands for itself alone, so that a
/// first-case reading beats the others.
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

/// All readings of a clue, of which the best wins: its forms, and the adjective of a quality.
fn readings(language: &Language, text: &str) -> Vec<WordId> {
    let mut readings = forms(language, text);
    let quality = readings.last().and_then(|&lemma| quality(language, language.words().text(lemma)));
    readings.extend(quality);
    readings
}

impl Known {
    /// Gathers what is known of a word.
    pub fn new(language: &Language, lines: &Lines, text: &str) -> Known {
        let forms = readings(language, text);
        Known {
            learned: forms.iter().any(|&f| language.vectors().has(f)),
            company: lines.company(language, &forms),
            counted: forms.iter().any(|&f| lines.knows(f)),
            defined: glosses::partners(language, &forms),
            forms,
        }
    }

    /// Similarity of a clue (this) and a board word given by its readings, whose cosine is known.
    pub fn similarity(&self, readings: &[WordId], cosine: f32) -> f32 {
        let vectors = cosine.max(0.0);
        let together = readings.iter().filter_map(|r| self.company.get(r)).copied().fold(0.0, f32::max);
        let combined = match (self.learned, self.counted) {
            (true, true) => (vectors + together) / 2.0,
            // known to the counts only: what was seen together comes first, the rest by the approximation
            (false, true) if together > 0.0 => 1.0 + together,
            _ => vectors,
        };
        let defined = readings.iter().any(|r| self.defined.contains(r) && !self.forms.contains(r));
        combined + if defined { DEFINED } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::pack::{Pack, Writer};
    use semantics::{Vectors, Words};
    use std::path::Path;

    /// A language of some words, those with an ending of adjectives being adjectives.
    fn language(code: &str, words: &[&str]) -> Language {
        let flags = |word: &str| {
            let adjective = word.ends_with(['ý', 'í', 'y']);
            WordFlags(WordFlags::LEMMA | if adjective { WordFlags::ADJECTIVE } else { WordFlags::NOUN })
        };
        let list: Vec<(String, WordFlags)> = words.iter().map(|w| ((*w).to_owned(), flags(w))).collect();
        let mut writer = Writer::new();
        Words::write(&mut writer, &list);
        Vectors::write(&mut writer, 2, &vec![vec![1.0, 0.0]; words.len()], &[]);
        let pack = Pack::from_bytes("made up", &writer.to_bytes()).expect("the pack is sound");
        Language::from_packs(Path::new("made up"), code, &[pack], "").expect("the language is sound")
    }

    fn read(language: &Language, text: &str) -> Vec<String> {
        readings(language, text).into_iter().map(|id| language.words().text(id).to_owned()).collect()
    }

    #[test]
    fn a_quality_is_read_as_its_adjective_too() {
        let czech = language("cs", &["rychlost", "rychlý", "kost", "společnost", "společný", "svěžest"]);
        assert_eq!(read(&czech, "rychlost"), ["rychlost", "rychlý"]);
        assert_eq!(read(&czech, "rychlý"), ["rychlý"]);
        assert_eq!(read(&czech, "kost"), ["kost"], "no adjective stands behind it");
        assert_eq!(read(&czech, "společnost"), ["společnost"], "a company is not what is common");
        let slovak = language("sk", &["rýchlosť", "rýchly"]);
        assert_eq!(read(&slovak, "rýchlosť"), ["rýchlosť", "rýchly"]);
        let english = language("en", &["frost", "fry"]);
        assert_eq!(read(&english, "frost"), ["frost"]);
    }
}
