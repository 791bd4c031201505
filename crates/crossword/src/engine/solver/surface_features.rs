//! Surface features: agreement between the form of the clue and the spelling of the answer (plural, tense, abbreviation,
//! language), and letters that are frequent in grids. English only.

use semantics::WordFlags;

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    Word,
    Name,
    Phrase,
    /// Listed only by the clue database or a word list.
    Other,
}

impl AnswerKind {
    /// A word of the vocabulary with these flags.
    pub fn of_word(flags: WordFlags) -> Self {
        if flags.has(WordFlags::NAME) { Self::Name } else { Self::Word }
    }
}

/// A property of the clue's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    FirstWordS,
    LastWordS,
    NoS,
    Past,
    Like,
    Gerund,
    More,
    FirstWordEr,
    Most,
    Short,
    Quote,
    Blank,
    Pun,
    Capital,
    Digits,
    Foreign,
    Affix,
    OneWord,
    Long,
}

/// A property of the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Show {
    Ending(&'static str),
    NoVowel,
    VowelAtEnd,
    Roman,
    IsName,
    IsPhrase,
    Frequency,
}

/// Conjunctions of a clue property and a candidate property.
const TOGETHER: [(&str, Ask, Show); 50] = [
    ("first-s:s", Ask::FirstWordS, Show::Ending("S")),
    ("last-s:s", Ask::LastWordS, Show::Ending("S")),
    ("no-s:s", Ask::NoS, Show::Ending("S")),
    ("short:s", Ask::Short, Show::Ending("S")),
    ("quote:s", Ask::Quote, Show::Ending("S")),
    ("like:s", Ask::Like, Show::Ending("S")),
    ("blank:s", Ask::Blank, Show::Ending("S")),
    ("past:ed", Ask::Past, Show::Ending("ED")),
    ("like:ed", Ask::Like, Show::Ending("ED")),
    ("one-word:ed", Ask::OneWord, Show::Ending("ED")),
    ("capital:ed", Ask::Capital, Show::Ending("ED")),
    ("past:s", Ask::Past, Show::Ending("S")),
    ("gerund:ing", Ask::Gerund, Show::Ending("ING")),
    ("more:er", Ask::More, Show::Ending("ER")),
    ("first-er:er", Ask::FirstWordEr, Show::Ending("ER")),
    ("most:est", Ask::Most, Show::Ending("EST")),
    ("like:y", Ask::Like, Show::Ending("Y")),
    ("like:ic", Ask::Like, Show::Ending("IC")),
    ("short:no-vowel", Ask::Short, Show::NoVowel),
    ("capital:no-vowel", Ask::Capital, Show::NoVowel),
    ("digits:no-vowel", Ask::Digits, Show::NoVowel),
    ("quote:no-vowel", Ask::Quote, Show::NoVowel),
    ("blank:no-vowel", Ask::Blank, Show::NoVowel),
    ("one-word:no-vowel", Ask::OneWord, Show::NoVowel),
    ("foreign:vowel-at-end", Ask::Foreign, Show::VowelAtEnd),
    ("capital:vowel-at-end", Ask::Capital, Show::VowelAtEnd),
    ("digits:roman", Ask::Digits, Show::Roman),
    ("capital:name", Ask::Capital, Show::IsName),
    ("quote:name", Ask::Quote, Show::IsName),
    ("blank:name", Ask::Blank, Show::IsName),
    ("short:name", Ask::Short, Show::IsName),
    ("one-word:name", Ask::OneWord, Show::IsName),
    ("pun:name", Ask::Pun, Show::IsName),
    ("digits:name", Ask::Digits, Show::IsName),
    ("foreign:name", Ask::Foreign, Show::IsName),
    ("long:name", Ask::Long, Show::IsName),
    ("capital:phrase", Ask::Capital, Show::IsPhrase),
    ("quote:phrase", Ask::Quote, Show::IsPhrase),
    ("blank:phrase", Ask::Blank, Show::IsPhrase),
    ("one-word:phrase", Ask::OneWord, Show::IsPhrase),
    ("pun:phrase", Ask::Pun, Show::IsPhrase),
    ("capital:frequency", Ask::Capital, Show::Frequency),
    ("quote:frequency", Ask::Quote, Show::Frequency),
    ("blank:frequency", Ask::Blank, Show::Frequency),
    ("short:frequency", Ask::Short, Show::Frequency),
    ("one-word:frequency", Ask::OneWord, Show::Frequency),
    ("pun:frequency", Ask::Pun, Show::Frequency),
    ("foreign:frequency", Ask::Foreign, Show::Frequency),
    ("affix:frequency", Ask::Affix, Show::Frequency),
    ("long:frequency", Ask::Long, Show::Frequency),
];

/// Letter features: anywhere, at the start, at the end.
const LETTERS: usize = 26;
/// Index after the letter features: vowel pairs, consonant pairs, no vowel.
const PAIRS: usize = 3 * LETTERS;
/// Number of features.
pub const SURFACE_FEATURES: usize = PAIRS + 3 + TOGETHER.len();

/// Names of the features, in order.
pub fn surface_feature_names() -> Vec<String> {
    let letters = ["has", "starts", "ends"].iter().flat_map(|place| ('a'..='z').map(move |c| format!("{place}-{c}")));
    let pairs = ["vowel-pairs", "consonant-pairs", "no-vowel"].map(str::to_owned);
    letters.chain(pairs).chain(TOGETHER.iter().map(|(name, ..)| (*name).to_owned())).collect()
}

/// The surface features of a clue.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceFeatures {
    /// Indices into [`TOGETHER`] whose clue property holds.
    asked: Vec<usize>,
}

impl SurfaceFeatures {
    pub fn of(clue: &str) -> Self {
        let asked = asks(clue);
        Self { asked: (0..TOGETHER.len()).filter(|&at| asked.contains(&TOGETHER[at].1)).collect() }
    }

    /// Calls `note` with every non-zero feature of a candidate.
    fn each(&self, text: &str, kind: AnswerKind, zipf: f32, mut note: impl FnMut(usize, f32)) {
        let bytes = text.as_bytes();
        let place = |byte: u8| byte.is_ascii_uppercase().then(|| usize::from(byte - b'A'));
        for (from, byte) in [(LETTERS, bytes.first()), (2 * LETTERS, bytes.last())] {
            if let Some(at) = byte.and_then(|&byte| place(byte)) {
                note(from + at, 1.0);
            }
        }
        for &byte in bytes {
            if let Some(at) = place(byte) {
                note(at, 1.0);
            }
        }
        for pair in bytes.windows(2) {
            match (vowel(pair[0]), vowel(pair[1])) {
                (true, true) => note(PAIRS, 1.0),
                (false, false) => note(PAIRS + 1, 1.0),
                _ => {}
            }
        }
        let no_vowel = !bytes.iter().any(|&byte| vowel(byte) || byte == b'Y');
        if no_vowel {
            note(PAIRS + 2, 1.0);
        }
        for &at in &self.asked {
            let shows = match TOGETHER[at].2 {
                Show::Ending(ending) => f32::from(u8::from(text.ends_with(ending))),
                Show::NoVowel => f32::from(u8::from(no_vowel)),
                Show::VowelAtEnd => f32::from(u8::from(bytes.last().is_some_and(|&byte| vowel(byte)))),
                Show::Roman => f32::from(u8::from(bytes.iter().all(|byte| b"IVXLCDM".contains(byte)))),
                Show::IsName => f32::from(u8::from(kind == AnswerKind::Name)),
                Show::IsPhrase => f32::from(u8::from(kind == AnswerKind::Phrase)),
                Show::Frequency if kind == AnswerKind::Other => 0.0,
                Show::Frequency => zipf - 3.0,
            };
            if shows != 0.0 {
                note(PAIRS + 3 + at, shows);
            }
        }
    }

    /// The feature values of a candidate, in the order of `surface_feature_names`.
    pub fn features(&self, text: &str, kind: AnswerKind, zipf: f32) -> [f32; SURFACE_FEATURES] {
        let mut features = [0.0; SURFACE_FEATURES];
        self.each(text, kind, zipf, |at, value| features[at] += value);
        features
    }

    /// Weighted sum of a candidate's features.
    pub fn score(&self, weights: &[f32], text: &str, kind: AnswerKind, zipf: f32) -> f32 {
        let mut sum = 0.0;
        self.each(text, kind, zipf, |at, value| sum += weights[at] * value);
        sum
    }
}

fn vowel(byte: u8) -> bool {
    b"AEIOU".contains(&byte)
}

/// Words that signal an answer in another language.
const TONGUES: [&str; 22] = [
    "french", "spanish", "latin", "german", "italian", "fr", "sp", "ger", "paris", "madrid", "spain", "france",
    "mexico", "berlin", "rome", "québec", "quebec", "lat", "italy", "nice", "juan", "señor",
];
/// Words that signal an abbreviation.
const SHORTENED: [&str; 8] = ["abbr", "abbrev", "briefly", "initials", "acronym", "initially", "initialism", "org"];

fn asks(clue: &str) -> Vec<Ask> {
    let told: Vec<&str> = clue.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty()).collect();
    let words: Vec<String> = told.iter().map(|word| word.to_lowercase()).collect();
    let more =
        |word: &str| word.ends_with('s') && !["ss", "us", "'s", "is", "as"].iter().any(|end| word.ends_with(end));
    let first = words.first().map_or("", String::as_str);
    let last = words.last().map_or("", String::as_str);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // A full stop after a short word marks an abbreviation.
    let cut = clue.char_indices().any(|(at, c)| {
        let before = clue[..at].rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        c == '.' && (1..=5).contains(&before.len()) && !clue[at..].starts_with("...")
    });
    let ask = [
        (Ask::FirstWordS, more(first)),
        (Ask::LastWordS, more(last)),
        (Ask::NoS, !words.iter().any(|word| more(word))),
        (Ask::Past, first.ends_with("ed")),
        (Ask::Like, first == "like"),
        (Ask::Gerund, first.ends_with("ing")),
        (Ask::More, first == "more"),
        (Ask::FirstWordEr, first.ends_with("er")),
        (Ask::Most, first == "most" || first.ends_with("est")),
        (Ask::Short, cut || has(&SHORTENED) || clue.contains("for short") || clue.contains("in brief")),
        (Ask::Quote, clue.starts_with(['"', '“'])),
        (Ask::Blank, clue.contains("__")),
        (Ask::Pun, clue.ends_with('?')),
        (Ask::Capital, told.iter().skip(1).any(|word| word.starts_with(char::is_uppercase))),
        (Ask::Digits, clue.contains(|c: char| c.is_ascii_digit())),
        (Ask::Foreign, has(&TONGUES)),
        (Ask::Affix, has(&["suffix", "prefix", "ending", "starter", "opening", "lead-in"])),
        (Ask::OneWord, words.len() == 1),
        (Ask::Long, words.len() > 5),
    ];
    ask.into_iter().filter(|(_, is)| *is).map(|(ask, _)| ask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_ask_for_what_people_hear_in_them() {
        for (clue, ask) in [
            ("Green garden gates", Ask::LastWordS),
            ("Parts of a play", Ask::FirstWordS),
            ("Walked in the sea", Ask::Past),
            ("Long street in town: Abbr.", Ask::Short),
            ("\"Leave the window open\"", Ask::Quote),
            ("Needle and ___ in a basket", Ask::Blank),
            ("Seven loaves, in Italian", Ask::Foreign),
            ("Most like a kitten", Ask::Most),
            ("Quietish", Ask::OneWord),
        ] {
            assert!(asks(clue).contains(&ask), "{clue}: {:?}", asks(clue));
        }
        assert!(!asks("Glass house").contains(&Ask::FirstWordS));
        assert!(!asks("It is over now...").contains(&Ask::Short));
    }

    #[test]
    fn scores_are_weighed_numbers() {
        let names = surface_feature_names();
        assert_eq!(names.len(), SURFACE_FEATURES);
        let look = SurfaceFeatures::of("Wooden houses, in France");
        let at = |name: &str| names.iter().position(|other| other == name).expect("a known name");
        let features = look.features("CHALETS", AnswerKind::Name, 2.0);
        assert_eq!((features[at("has-c")], features[at("ends-s")], features[at("capital:name")]), (1.0, 1.0, 1.0));
        assert_eq!(features[at("consonant-pairs")], 2.0);
        let weights: Vec<f32> = (0..SURFACE_FEATURES).map(|at| (at % 7) as f32 - 3.0).collect();
        let sum: f32 = features.iter().zip(&weights).map(|(x, w)| x * w).sum();
        assert!((look.score(&weights, "CHALETS", AnswerKind::Name, 2.0) - sum).abs() < 1e-4);
    }
}
