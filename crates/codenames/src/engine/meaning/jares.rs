//! The similarity of Jareš 2019: vectors and co-occurrence combined by its case analysis, definitions added (section
//! 5.4.2).

use super::{DefinitionCounts, definitions};
use semantics::readings::{Reading, ReadingKind};
use semantics::vectors::cosine;
use semantics::{Language, Readings, WordFlags, WordId};
use std::collections::{HashMap, HashSet};

/// Added when one word occurs in the other's definition, for the model of definitions alone: the thesis's figure.
pub(super) const DEFINITION: f32 = 0.25;
/// Added to the mean of vectors and counts: less, because every definition is one of the counted lines.
const DEFINITION_IN_COUNTS: f32 = 0.015;

/// One word, ready to be compared with many others.
pub struct JaresProfile {
    forms: Vec<WordId>,
    /// Whether the word has a vector of its own, not one from its n-grams.
    learned: bool,
    /// Normalised pointwise mutual information with every word it co-occurs with more often than by chance.
    npmi_neighbours: HashMap<WordId, f32>,
    counted: bool,
    /// Words that its definitions use, or whose definitions use it.
    defined: HashSet<WordId>,
}

/// Czech and Slovak nouns in *-ost* whose meaning is not that of their adjective.
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

/// The adjective of a Czech or Slovak noun of quality: *rychlost* gives *rychlý*.
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

/// The word of a text and its base form. A base form has itself alone, so that a nominative reading beats the others.
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

/// The readings of an ambiguous form that count (Jareš 2019, section 5.4.1): the nominative beats other cases; a verb counts
/// beside another part of speech only with a tense, and then the other wins only if the form is its base form.
fn chosen<'a>(form: &str, all: &'a [Reading]) -> Vec<&'a str> {
    let first = all.iter().any(|r| r.kind == ReadingKind::FirstCase);
    let other = all.iter().any(|r| !r.kind.verb());
    let tense = all.iter().any(|r| r.kind == ReadingKind::Tense);
    let base = all.iter().any(|r| !r.kind.verb() && r.base == form);
    let counts = |reading: &&Reading| match reading.kind {
        ReadingKind::Tenseless => !other,
        ReadingKind::Tense => !base,
        _ if tense && !base => false,
        ReadingKind::OtherCase => !first,
        ReadingKind::FirstCase | ReadingKind::Fixed => true,
    };
    all.iter().filter(counts).map(|r| r.base.as_str()).collect()
}

/// All readings of a clue, of which the best wins: base forms by these rules, the adjective instead of a noun of quality.
fn readings(language: &Language, table: &Readings, text: &str) -> Vec<WordId> {
    let form = text.trim().to_lowercase();
    let mut readings: Vec<WordId> = Vec::new();
    for base in chosen(&form, table.of(&form)) {
        let id = language.find_form(base).map(|id| language.lemma(id));
        readings.extend(id.filter(|id| !readings.contains(id)));
    }
    if readings.is_empty() {
        readings = forms(language, &form);
    }
    let instead = readings.last().and_then(|&lemma| quality(language, language.words().text(lemma)));
    instead.map_or(readings, |adjective| vec![adjective])
}

impl JaresProfile {
    /// Collects the data of a word.
    pub fn new(language: &Language, table: &Readings, lines: &DefinitionCounts, text: &str) -> JaresProfile {
        let forms = readings(language, table, text);
        JaresProfile {
            learned: forms.iter().any(|&f| language.vectors().has(f)),
            npmi_neighbours: lines.npmi_neighbours(language, &forms),
            counted: forms.iter().any(|&f| lines.knows(f)),
            defined: definitions::partners(language, &forms),
            forms,
        }
    }

    /// The best cosine of the readings with a word; `None` if no reading has a vector.
    pub fn cosine(&self, language: &Language, word: &[f32]) -> Option<f32> {
        let known = self.forms.iter().filter(|&&f| language.vectors().has(f));
        known.map(|&f| cosine(&language.vectors().get(f), word)).reduce(f32::max)
    }

    /// Similarity of this clue and a board word, given its readings and the cosine.
    pub fn similarity(&self, readings: &[WordId], cosine: f32) -> f32 {
        let vectors = cosine.max(0.0);
        let together = readings.iter().filter_map(|r| self.npmi_neighbours.get(r)).copied().fold(0.0, f32::max);
        let combined = match (self.learned, self.counted) {
            (true, true) => (vectors + together) / 2.0,
            // in the counts only: co-occurring words first, the rest by the n-gram approximation
            (false, true) if together > 0.0 => 1.0 + together,
            _ => vectors,
        };
        let defined = readings.iter().any(|r| self.defined.contains(r) && !self.forms.contains(r));
        combined + if defined { DEFINITION_IN_COUNTS } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::pack::{Pack, Writer};
    use semantics::{Vectors, Vocabulary};
    use std::path::Path;

    /// A language of some words, those with an ending of adjectives being adjectives.
    fn language(code: &str, words: &[&str]) -> Language {
        let flags = |word: &str| {
            let adjective = word.ends_with(['ý', 'í', 'y']);
            WordFlags(WordFlags::LEMMA | if adjective { WordFlags::ADJECTIVE } else { WordFlags::NOUN })
        };
        let list: Vec<(String, WordFlags)> = words.iter().map(|w| ((*w).to_owned(), flags(w))).collect();
        let mut writer = Writer::new();
        Vocabulary::write(&mut writer, &list);
        Vectors::write(&mut writer, 2, &vec![vec![1.0, 0.0]; words.len()], &[]);
        let pack = Pack::from_bytes("made up", &writer.to_bytes()).expect("the pack is sound");
        Language::from_packs(Path::new("made up"), code, &[pack], "").expect("the language is sound")
    }

    fn read(language: &Language, text: &str) -> Vec<String> {
        readings(language, &Readings::default(), text)
            .into_iter()
            .map(|id| language.words().text(id).to_owned())
            .collect()
    }

    #[test]
    fn a_quality_is_read_as_its_adjective() {
        let czech = language("cs", &["rychlost", "rychlý", "kost", "společnost", "společný", "svěžest"]);
        assert_eq!(read(&czech, "rychlost"), ["rychlý"]);
        assert_eq!(read(&czech, "rychlý"), ["rychlý"]);
        assert_eq!(read(&czech, "kost"), ["kost"], "no adjective stands behind it");
        assert_eq!(read(&czech, "společnost"), ["společnost"], "a company is not what is common");
        let slovak = language("sk", &["rýchlosť", "rýchly"]);
        assert_eq!(read(&slovak, "rýchlosť"), ["rýchly"]);
        let english = language("en", &["frost", "fry"]);
        assert_eq!(read(&english, "frost"), ["frost"]);
    }

    /// What is left of readings written as in a list.
    fn left(line: &str) -> Vec<String> {
        let table = Readings::parse(line).expect("the line is sound");
        let form = line.split('\t').next().unwrap_or_default();
        chosen(form, table.of(form)).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn ambiguous_clues_are_read_as_in_the_study() {
        // its examples: triky, stroj, teče, zahraničí
        assert_eq!(left("triky\ttrik 1 triko x"), ["trik"]);
        assert_eq!(left("stroj\tstroj 1 strojit v"), ["stroj"]);
        assert_eq!(left("teče\tteč x téci t"), ["téci"]);
        assert_eq!(left("zahraničí\tzahraničí 1 zahraničit t"), ["zahraničí"]);
        // several first cases, several verbs, and a fixed word count side by side
        assert_eq!(left("dary\tdar 1 dáre 1 darit v"), ["dar", "dáre"]);
        assert_eq!(left("ženu\thnát t žena x"), ["hnát"]);
        assert_eq!(left("pec\tpec 1 péci v"), ["pec"]);
        assert_eq!(left("nes\tnést v nesat v"), ["nést", "nesat"]);
        assert_eq!(left("kolem\tkolem f kolo x"), ["kolem", "kolo"]);
    }

    #[test]
    fn the_reading_of_a_form_is_its_base_form() {
        let czech = language("cs", &["trik", "triko", "triky"]);
        let table = Readings::parse("triky\ttrik 1 triko x").expect("the line is sound");
        let read: Vec<&str> = readings(&czech, &table, "Triky").into_iter().map(|id| czech.words().text(id)).collect();
        assert_eq!(read, ["trik"]);
    }
}
