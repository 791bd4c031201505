//! The words a grid may be filled with, each with a score.

use super::bit_set::BitSet;
use super::clue_collection::ClueCollection;
use semantics::words::WordFlags;
use semantics::{Language, WordId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A word for a grid.
#[derive(Clone, Debug)]
pub struct GridWord {
    /// Upper case, as in the grid.
    pub text: String,
    /// How much it is wanted, 0 to 100.
    pub score: f32,
    /// Not in the clue collection: two of these may not cross.
    pub plain: bool,
    /// Words of one family (a word and its forms) stand once in a grid.
    pub(super) family: usize,
    id: Option<WordId>,
}

/// All words of one length with what each letter at each place allows.
pub(super) struct Length {
    pub words: Vec<GridWord>,
    /// `masks[place][letter]`: the words with that letter there.
    pub masks: Vec<Vec<BitSet>>,
    pub plain: BitSet,
}

/// Scored words by length.
pub struct FillWordList {
    pub(super) lengths: BTreeMap<usize, Length>,
    pub(super) letters: Vec<char>,
    /// Words of each family, as length and number.
    pub(super) families: Vec<Vec<(usize, usize)>>,
}

/// Words outside the clue collection are this frequent at least, and have a gloss this short.
const LEAST_ZIPF: f32 = 3.6;
const LONGEST_GLOSS: usize = 70;
/// Score of a word of the clue collection.
const BOOK_SCORE: f32 = 100.0;

impl FillWordList {
    /// The words of a clue collection, and common words of the language whose gloss can be a clue.
    pub fn new(clues: &ClueCollection, language: Option<&Language>) -> Self {
        let mut texts: BTreeMap<String, (f32, bool, Option<WordId>)> = BTreeMap::new();
        for answer in clues.answers() {
            let id = language.and_then(|language| language.find(&answer.to_lowercase()));
            texts.insert(answer.to_owned(), (BOOK_SCORE, false, id));
        }
        if let Some(language) = language {
            for (id, text) in language.words().iter() {
                let usable = text.chars().all(char::is_lowercase) && (3..=12).contains(&text.chars().count());
                let flags = language.words().flags(id);
                if usable && !flags.has(WordFlags::NAME) && !flags.has(WordFlags::STOP) && language.lemma(id) == id {
                    let zipf = language.zipf(id);
                    if zipf >= LEAST_ZIPF && gloss_text(language, id).is_some() {
                        texts.entry(text.to_uppercase()).or_insert((10.0 * zipf, true, Some(id)));
                    }
                }
            }
        }
        // In Czech and Slovak grids CH is one cell; words with it are left out, so that nobody has to wonder.
        if ["cs", "sk"].contains(&clues.language()) {
            texts.retain(|text, _| !text.contains("CH"));
        }
        Self::from_texts(texts, language)
    }

    fn from_texts(texts: BTreeMap<String, (f32, bool, Option<WordId>)>, language: Option<&Language>) -> Self {
        let letters: Vec<char> =
            texts.keys().flat_map(|text| text.chars()).collect::<BTreeSet<_>>().into_iter().collect();
        let mut families: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut family_of: HashMap<String, usize> = HashMap::new();
        let mut words: BTreeMap<usize, Vec<GridWord>> = BTreeMap::new();
        for (text, (score, plain, id)) in texts {
            let stem = match (language, id) {
                (Some(language), Some(id)) => language.stem(language.words().text(language.lemma(id))),
                (Some(language), None) => language.stem(&text.to_lowercase()),
                _ => text.clone(),
            };
            let family = *family_of.entry(stem).or_insert_with(|| {
                families.push(Vec::new());
                families.len() - 1
            });
            let length = text.chars().count();
            let list = words.entry(length).or_default();
            families[family].push((length, list.len()));
            list.push(GridWord { text, score, plain, family, id });
        }
        let place = |c: char| letters.binary_search(&c).expect("every letter was collected");
        let lengths = words
            .into_iter()
            .map(|(length, words)| {
                let mut masks = vec![vec![BitSet::none(words.len()); letters.len()]; length];
                let mut plain = BitSet::none(words.len());
                for (number, word) in words.iter().enumerate() {
                    for (at, c) in word.text.chars().enumerate() {
                        masks[at][place(c)].insert(number);
                    }
                    if word.plain {
                        plain.insert(number);
                    }
                }
                (length, Length { words, masks, plain })
            })
            .collect();
        Self { lengths, letters, families }
    }

    /// How many words have a length.
    pub fn count(&self, length: usize) -> usize {
        self.lengths.get(&length).map_or(0, |length| length.words.len())
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.lengths.values().map(|length| length.words.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn word(&self, length: usize, number: usize) -> &GridWord {
        &self.lengths[&length].words[number]
    }
}

/// The gloss of a word as a clue.
pub(super) fn gloss(language: Option<&Language>, word: &GridWord) -> Option<String> {
    let text = gloss_text(language?, word.id?)?;
    let mut chars = text.chars();
    let first = chars.next()?;
    Some(first.to_uppercase().chain(chars).collect())
}

/// The first gloss that is short, says something and does not name the word.
fn gloss_text(language: &Language, word: WordId) -> Option<String> {
    let own = language.words().text(word);
    let root: String = own.chars().take(own.chars().count().saturating_sub(1).max(3)).collect();
    language.glosses().iter().find_map(|glosses| {
        glosses.of(word).iter().take(1).find_map(|&gloss| {
            let text = glosses.text(gloss)?;
            let text = text.split(';').next().unwrap_or_default().trim().to_owned();
            let plain =
                !text.contains(['(', '[', '"', '`', ':']) && (8..=LONGEST_GLOSS).contains(&text.chars().count());
            (plain && !text.to_lowercase().contains(&root)).then_some(text)
        })
    })
}
