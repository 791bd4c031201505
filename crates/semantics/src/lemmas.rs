//! Base forms: a table of inflected forms, and a stemmer where the table is silent.

use crate::pack::{Pack, PackError, TEXTS_TOGETHER, Texts, Writer, numbers, put_number, write_texts};
use crate::words::{Vocabulary, WordId};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Inflected forms and their base forms.
#[derive(Clone, Debug)]
pub struct Lemmas {
    of: Arc<[u32]>,
    forms: Option<Forms>,
}

#[derive(Clone, Debug)]
struct Forms {
    heads: Vec<String>,
    texts: Texts,
    /// What was unpacked already: whoever asks for one unknown form asks for more.
    unpacked: Arc<[OnceLock<Vec<Box<str>>>]>,
}

const NONE: u32 = u32::MAX;
const BLOCK: usize = 256;

impl Lemmas {
    /// Writes base forms of vocabulary words (`u32::MAX`: unknown), and base forms of forms outside
    /// the vocabulary as sorted pairs of form and base form.
    pub fn write(w: &mut Writer, of: &[u32], forms: &[(String, String)]) {
        // the number of the base form and one more, 0 where there is none
        let mut table = Vec::new();
        of.iter().for_each(|&l| put_number(l.wrapping_add(1), &mut table));
        w.add("lemma.of", &table);
        let blocks: Vec<String> = forms
            .chunks(BLOCK)
            .map(|block| block.iter().map(|(f, l)| format!("{f}\t{l}")).collect::<Vec<_>>().join("\r"))
            .collect();
        let heads: Vec<&str> = forms.chunks(BLOCK).map(|b| b[0].0.as_str()).collect();
        w.add("lemma.heads", heads.join("\n").as_bytes());
        write_texts(w, "lemma.forms", &blocks);
    }

    /// Reads the lemma table of a pack, if it has one.
    pub fn open(pack: &Pack, words: usize) -> Result<Option<Lemmas>, PackError> {
        if !pack.has("lemma.of") {
            return Ok(None);
        }
        let of: Arc<[u32]> = numbers(pack.bytes("lemma.of")?).map(|l| l.wrapping_sub(1)).collect();
        if of.len() != words || of.iter().any(|&l| l != NONE && l as usize >= words) {
            return Err(pack.damaged(format!("the lemma table does not fit {words} words")));
        }
        let texts = Texts::open(pack, "lemma.forms")?;
        let heads: Vec<String> = pack.text("lemma.heads")?.split('\n').map(str::to_owned).collect();
        let unpacked = (0..texts.len().div_ceil(TEXTS_TOGETHER)).map(|_| OnceLock::new()).collect();
        let forms = (!texts.is_empty() && heads.len() == texts.len()).then_some(Forms { heads, texts, unpacked });
        Ok(Some(Lemmas { of, forms }))
    }

    /// Base form of a vocabulary word (often itself).
    pub fn of(&self, word: WordId) -> WordId {
        match self.of[word.index()] {
            NONE => word,
            id => WordId(id),
        }
    }

    /// Base form of any text: of the vocabulary word, or through the table of forms.
    pub fn of_text(&self, words: &Vocabulary, text: &str) -> Option<WordId> {
        if let Some(id) = words.id(text) {
            return Some(self.of(id));
        }
        let forms = self.forms.as_ref()?;
        let block = forms.heads.partition_point(|h| h.as_str() <= text).checked_sub(1)?;
        let (chunk, within) = (block / TEXTS_TOGETHER, block % TEXTS_TOGETHER);
        let block = forms.unpacked[chunk].get_or_init(|| forms.texts.block(chunk)).get(within)?;
        let lemma = block.split('\r').find_map(|line| line.strip_prefix(text)?.strip_prefix('\t'))?;
        words.id(lemma)
    }
}

/// Cuts a word to its stem with the Snowball algorithm of the language; a language without one
/// (Slovak) uses that of its nearest relative.
pub fn stem<'a>(language: &str, word: &'a str) -> Cow<'a, str> {
    use snowball_stemmers_rs::{Algorithm, Stemmer};
    let algorithm = match language {
        "en" => Algorithm::English,
        "pl" => Algorithm::Polish,
        _ => Algorithm::Czech,
    };
    Cow::Owned(Stemmer::create(algorithm).stem(word).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::WordFlags;

    #[test]
    fn forms_lead_to_base_forms() {
        let list: Vec<_> = ["mouse", "mice", "house"].map(|w| (w.to_owned(), WordFlags(0))).into();
        let mut w = Writer::new();
        Vocabulary::write(&mut w, &list);
        let forms: Vec<(String, String)> = (0..600).map(|i| (format!("house{i:03}"), "house".to_owned())).collect();
        Lemmas::write(&mut w, &[NONE, 0, NONE], &forms);
        let pack = Pack::from_bytes("t", &w.to_bytes()).unwrap();
        let words = Vocabulary::open(&pack).unwrap();
        let lemmas = Lemmas::open(&pack, 3).unwrap().unwrap();
        assert_eq!(lemmas.of(WordId(1)), WordId(0));
        assert_eq!(lemmas.of_text(&words, "house517"), Some(WordId(2)));
        assert_eq!(lemmas.of_text(&words, "house999"), None);
        assert_eq!(lemmas.of_text(&words, "aaa"), None);
    }

    #[test]
    fn stems_join_related_forms() {
        assert_eq!(stem("en", "running"), stem("en", "runs"));
    }
}
