//! The words a grid may be filled with, each with a score.

use super::bit_set::BitSet;
use super::clue_collection::ClueCollection;
use super::clue_text;
use semantics::words::WordFlags;
use semantics::{Language, WordId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How good a word is for a puzzle. Filling starts with the best words and admits the others only if a grid needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordTier {
    /// In the clue collection or in a list of the user.
    Listed,
    /// A common word with a dictionary clue.
    Common,
    /// Any other word with a dictionary clue.
    Rare,
}

/// A word for a grid.
#[derive(Clone, Debug)]
pub struct GridWord {
    /// Upper case, as in the grid.
    pub text: String,
    /// Quality from 0 to 100.
    pub score: f32,
    pub tier: WordTier,
    /// Words of one family (a word and its forms) stand once in a grid.
    pub(super) family: usize,
    pub(super) id: Option<WordId>,
}

/// All words of one length with the words per letter and place.
pub(super) struct Length {
    pub words: Vec<GridWord>,
    /// `masks[place][letter]`: the words with that letter there.
    pub masks: Vec<Vec<BitSet>>,
    /// The words outside [`WordTier::Listed`].
    pub unlisted: BitSet,
}

/// Scored words by length.
pub struct FillWordList {
    pub(super) lengths: BTreeMap<usize, Length>,
    pub(super) letters: Vec<char>,
    /// Words of each family, as length and number.
    pub(super) families: Vec<Vec<(usize, usize)>>,
}

/// Zipf frequency from which on a word is common, and from which on it is used at all.
const COMMON_ZIPF: f32 = 3.6;
const RARE_ZIPF: f32 = 2.0;
/// Score of a word of the clue collection.
const COLLECTION_SCORE: f32 = 100.0;

type Texts = BTreeMap<String, (f32, WordTier, Option<WordId>)>;

impl FillWordList {
    /// The words of a clue collection, and words of the language that a dictionary can clue.
    pub fn new(clues: &ClueCollection, language: Option<&Language>) -> Self {
        Self::with_user_words(clues, language, &[])
    }

    /// The same with words and scores (0 to 100) of the user, which come first; a score of 0 bans a word.
    pub fn with_user_words(clues: &ClueCollection, language: Option<&Language>, user: &[(String, f32)]) -> Self {
        let mut texts = Texts::new();
        let find = |text: &str| language.and_then(|language| language.find(&text.to_lowercase()));
        for answer in clues.answers() {
            texts.insert(answer.to_owned(), (COLLECTION_SCORE, WordTier::Listed, find(answer)));
        }
        if let Some(language) = language {
            for (id, text) in language.words().iter() {
                let usable = text.chars().all(char::is_lowercase) && (3..=15).contains(&text.chars().count());
                let flags = language.words().flags(id);
                if !usable || flags.has(WordFlags::NAME) || flags.has(WordFlags::STOP) || language.lemma(id) != id {
                    continue;
                }
                let zipf = language.zipf(id);
                let tier = if zipf >= COMMON_ZIPF { WordTier::Common } else { WordTier::Rare };
                if zipf >= RARE_ZIPF && clue_text::clue(language, id, 2).is_some() {
                    texts.entry(text.to_uppercase()).or_insert((10.0 * zipf, tier, Some(id)));
                }
            }
        }
        // In Czech and Slovak grids CH is one cell; words with it are left out to avoid doubt.
        if ["cs", "sk"].contains(&clues.language()) {
            texts.retain(|text, _| !text.contains("CH"));
        }
        for (word, score) in user {
            if *score > 0.0 {
                texts.insert(word.clone(), (*score, WordTier::Listed, find(word)));
            } else {
                texts.remove(word);
            }
        }
        Self::from_texts(texts, language)
    }

    /// Only the given words with their scores (0 to 100).
    pub fn of_user_words(user: &[(String, f32)]) -> Self {
        let wanted = user.iter().filter(|(_, score)| *score > 0.0);
        Self::from_texts(wanted.map(|(word, score)| (word.clone(), (*score, WordTier::Listed, None))).collect(), None)
    }

    fn from_texts(texts: Texts, language: Option<&Language>) -> Self {
        let letters: Vec<char> =
            texts.keys().flat_map(|text| text.chars()).collect::<BTreeSet<_>>().into_iter().collect();
        let mut families: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut family_of: HashMap<String, usize> = HashMap::new();
        let mut words: BTreeMap<usize, Vec<GridWord>> = BTreeMap::new();
        for (text, (score, tier, id)) in texts {
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
            list.push(GridWord { text, score, tier, family, id });
        }
        let place = |c: char| letters.binary_search(&c).expect("every letter was collected");
        let lengths = words
            .into_iter()
            .map(|(length, words)| {
                let mut masks = vec![vec![BitSet::none(words.len()); letters.len()]; length];
                let mut unlisted = BitSet::none(words.len());
                for (number, word) in words.iter().enumerate() {
                    for (at, c) in word.text.chars().enumerate() {
                        masks[at][place(c)].insert(number);
                    }
                    if word.tier > WordTier::Listed {
                        unlisted.insert(number);
                    }
                }
                (length, Length { words, masks, unlisted })
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
