//! One language: all its packs, opened together.

use crate::cooccurrence::Cooccurrence;
use crate::glosses::Glosses;
use crate::hand::HandLexicon;
use crate::lemmas::{Lemmas, stem};
use crate::ngrams::NGrams;
use crate::pack::{Column, Lists, Pack, PackError};
use crate::phrases::PhraseIndex;
use crate::relations::Relations;
use crate::vectors::{Vectors, cosine};
use crate::words::{Vocabulary, WordFlags, WordId};
use std::path::Path;
use std::sync::OnceLock;

/// Licence groups a language's data may be split into, in the order they are opened.
pub const GROUPS: [&str; 4] = ["permissive", "gpl", "by-sa", "odbl"];

/// One language: vocabulary, vectors, glosses, links and the rest, each where the packs have it.
#[derive(Debug)]
pub struct Language {
    code: String,
    words: Vocabulary,
    vectors: Vectors,
    zipf: Option<Column<u8>>,
    lemmas: Option<Lemmas>,
    ngrams: Option<NGrams>,
    glosses: Vec<Glosses>,
    relations: Relations,
    phrases: Option<PhraseIndex>,
    cooccurrence: Option<Cooccurrence>,
    hand: Hand,
    pivot: Option<Pivot>,
}

/// The hand-written lexicon, read from its text when it is first asked for.
#[derive(Debug)]
struct Hand {
    text: String,
    lexicon: OnceLock<HandLexicon>,
}

/// The way into English of a language that was placed into the English space.
#[derive(Debug)]
struct Pivot {
    english: Box<Language>,
    words: Lists,
    shares: Column<u8>,
}

impl Language {
    /// Opens all packs of a language (`en`, `cs`, `pl`, `sk`) under `DATA/semantics` and the
    /// association lexicon `DATA/associations/LANG.txt`, if it is there. The pack with the
    /// vocabulary must exist, every other may be missing.
    pub fn open(data: &Path, code: &str) -> Result<Language, PackError> {
        let mut packs = Vec::new();
        for group in GROUPS {
            let path = data.join("semantics").join(format!("{code}.{group}.pack"));
            if path.exists() {
                packs.push(Pack::open(&path)?);
            }
        }
        let hand = data.join("associations").join(format!("{code}.txt"));
        let text = match std::fs::read_to_string(&hand) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(PackError::Io { path: hand, source }),
        };
        let mut language = Language::from_packs(data, code, &packs, &text)?;
        if let Some(pack) = packs.iter().find(|p| p.has("pivot.shares")) {
            let english = Box::new(Language::open(data, "en")?);
            if pack.slice::<u64>("pivot.fingerprint")?.first() != Some(&english.words.fingerprint()) {
                return Err(pack.damaged("made for another English vocabulary; rebuild the packs together".into()));
            }
            let words = Lists::open(pack, "pivot", english.words.len())?;
            let shares: Column<u8> = pack.column("pivot.shares")?;
            if words.len() != language.words.len() || words.values().len() != shares.len() {
                return Err(pack.damaged("the translations do not fit the vocabulary".into()));
            }
            language.pivot = Some(Pivot { english, words, shares });
        }
        Ok(language)
    }

    /// Puts a language together from opened packs and the text of its association lexicon;
    /// `data` stands in messages only.
    pub fn from_packs(data: &Path, code: &str, packs: &[Pack], hand: &str) -> Result<Language, PackError> {
        let base = packs.iter().find(|p| p.has("words.text")).ok_or_else(|| PackError::Missing {
            path: data.join("semantics").join(format!("{code}.*.pack")),
            section: "words.text".into(),
        })?;
        let words = Vocabulary::open(base)?;
        let n = words.len();
        let vectors = Vectors::open(base, n)?;
        let mut language = Language {
            code: code.to_owned(),
            hand: Hand { text: hand.to_owned(), lexicon: OnceLock::new() },
            vectors,
            zipf: None,
            lemmas: None,
            ngrams: None,
            glosses: Vec::new(),
            relations: Relations::default(),
            phrases: None,
            cooccurrence: None,
            pivot: None,
            words,
        };
        for pack in packs {
            if !std::ptr::eq(pack, base)
                && pack.slice::<u64>("words.fingerprint")?.first() != Some(&language.words.fingerprint())
            {
                return Err(pack.damaged(format!(
                    "made for another vocabulary than {}; rebuild the packs together",
                    base.path().display()
                )));
            }
            language.relations.open(pack, n)?;
            language.glosses.extend(Glosses::open(pack, n)?);
            if let Some(lemmas) = Lemmas::open(pack, n)? {
                language.lemmas = Some(lemmas);
            }
            if let Some(ngrams) = NGrams::open(pack, language.vectors.dim())? {
                language.ngrams = Some(ngrams);
            }
            if let Some(phrases) = PhraseIndex::open(pack)? {
                language.phrases = Some(phrases);
            }
            if let Some(cooccurrence) = Cooccurrence::open(pack, n)? {
                language.cooccurrence = Some(cooccurrence);
            }
            if pack.has("freq.zipf") {
                let zipf: Column<u8> = pack.column("freq.zipf")?;
                if zipf.len() != n {
                    return Err(pack.damaged(format!("{} frequencies do not fit {n} words", zipf.len())));
                }
                language.zipf = Some(zipf);
            }
        }
        Ok(language)
    }

    /// The code of the language: `en`, `cs`, `pl`, `sk`.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The vocabulary.
    pub fn words(&self) -> &Vocabulary {
        &self.words
    }

    /// Word vectors.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Dictionaries, one per source that has glosses.
    pub fn glosses(&self) -> &[Glosses] {
        &self.glosses
    }

    /// Links between words.
    pub fn relations(&self) -> &Relations {
        &self.relations
    }

    /// The language whose glosses, links and counts stand for this one's, if it has few of its
    /// own: English for languages that were placed into the English space.
    pub fn pivot(&self) -> Option<&Language> {
        self.pivot.as_ref().map(|p| &*p.english)
    }

    /// The main English translations of a word, with their shares, largest first.
    pub fn translations(&self, word: WordId) -> impl Iterator<Item = (WordId, f32)> + '_ {
        self.pivot.iter().flat_map(move |p| {
            let shares = &p.shares[p.words.range(word.index())];
            p.words.row(word.index()).iter().zip(shares).map(|(&i, &s)| (WordId(i), f32::from(s) / 255.0))
        })
    }

    /// Words that a phrase of several words can stand for (`make money`: `earn`).
    pub fn phrase_words(&self, phrase: &str) -> Vec<WordId> {
        let words = self.words.len() as u32;
        let found = self.phrases.iter().flat_map(|p| p.of(phrase));
        found.filter(|w| *w < words).map(WordId).collect()
    }

    /// Counts of words in common sentences, if a pack has them.
    pub fn cooccurrence(&self) -> Option<&Cooccurrence> {
        self.cooccurrence.as_ref()
    }

    /// The association lexicon written by hand (empty if there is none).
    pub fn hand(&self) -> &HandLexicon {
        self.hand.lexicon.get_or_init(|| HandLexicon::parse(&self.hand.text, &self.words))
    }

    /// Leaves the hand-written lexicon out, or all but the entries that `keep` lets through.
    pub fn filter_hand(&mut self, keep: impl Fn(&str) -> bool) {
        let mut lexicon = self.hand().clone();
        lexicon.retain(|id| keep(self.words.text(id)));
        self.hand.lexicon = lexicon.into();
    }

    /// Zipf frequency of a word: logarithm (base 10) of uses per thousand million words; 0 if unknown.
    pub fn zipf(&self, word: WordId) -> f32 {
        self.zipf.as_ref().map_or(0.0, |z| f32::from(z[word.index()]) / 25.0)
    }

    /// The number of a word as a person may write it: any case, spaces around it.
    pub fn find(&self, text: &str) -> Option<WordId> {
        let text = text.trim();
        self.words.id(text).or_else(|| self.words.id(&text.to_lowercase()))
    }

    /// The number of a word, or else of its base form.
    pub fn find_form(&self, text: &str) -> Option<WordId> {
        let text = text.trim().to_lowercase();
        self.words.id(&text).or_else(|| self.lemmas.as_ref()?.of_text(&self.words, &text))
    }

    /// Base form of a word (itself, if the table does not know better).
    pub fn lemma(&self, word: WordId) -> WordId {
        self.lemmas.as_ref().map_or(word, |l| l.of(word))
    }

    /// The stem of any text by the language's stemmer.
    pub fn stem(&self, text: &str) -> String {
        stem(&self.code, text).into_owned()
    }

    /// Whether the vocabulary knows a text: the word or its base form, or every telling word of a phrase.
    pub fn knows(&self, text: &str) -> bool {
        let known = |t: &str| self.find_form(t).is_some_and(|id| self.vectors.has(id));
        known(text) || {
            let mut words = crate::tokens::words_of(text).peekable();
            text.trim().contains(' ') && words.peek().is_some() && words.all(|w| known(&w))
        }
    }

    /// The vector of any text: from the vocabulary, its base form, the words of a phrase (rarer
    /// ones say more), or the n-grams of an unknown word.
    pub fn vector(&self, text: &str) -> Option<Vec<f32>> {
        match self.find_form(text) {
            Some(id) if self.vectors.has(id) => return Some(self.vectors.get(id)),
            _ => {}
        }
        let text = text.trim().to_lowercase();
        if text.contains(' ') {
            let mut sum = vec![0.0; self.vectors.dim()];
            for word in self.content(&text) {
                self.vectors.add_to(word, (8.0 - self.zipf(word)).max(0.5), &mut sum);
            }
            crate::vectors::normalise(&mut sum);
            if sum.iter().any(|x| *x != 0.0) {
                return Some(sum);
            }
        }
        self.ngrams.as_ref()?.vector(&text)
    }

    /// Cosine of two texts; nothing if one has no vector at all.
    pub fn similarity(&self, a: &str, b: &str) -> Option<f32> {
        Some(cosine(&self.vector(a)?, &self.vector(b)?))
    }

    /// The words of a text that the vocabulary knows, in order, function words included.
    pub fn tokens(&self, text: &str) -> Vec<WordId> {
        crate::tokens::words_of(text).filter_map(|t| self.find_form(&t)).collect()
    }

    /// The base forms of the telling words of a text; if none is telling, of all.
    pub fn content(&self, text: &str) -> Vec<WordId> {
        let all = self.tokens(text);
        let telling: Vec<WordId> = all.iter().copied().filter(|&w| !self.words.flags(w).has(WordFlags::STOP)).collect();
        if telling.is_empty() { all } else { telling }
    }
}
