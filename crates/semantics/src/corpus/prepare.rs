//! Preparing text: sentences, base forms, no function words, no rare words, one sentence a line.

use super::vocabulary::CorpusVocabulary;
use super::{CorpusError, at};
use crate::language::Language;
use crate::words::WordFlags;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// What to do with a text.
#[derive(Clone, Debug)]
pub struct PrepareSettings {
    /// Replace words by their base forms.
    pub lemmatise: bool,
    /// Drop function words.
    pub drop_stop_words: bool,
    /// Drop words that occur less often.
    pub min_count: u64,
    /// Drop sentences that are left with fewer words.
    pub min_words: usize,
    /// Bytes the table of different words may take.
    pub memory: usize,
}

/// The result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Prepared {
    /// Sentences written.
    pub sentences: u64,
    /// Words written.
    pub words: u64,
    /// Different words.
    pub different: usize,
}

/// Longest paragraph, in bytes.
const LONGEST: usize = 1 << 16;

/// Cuts a paragraph into sentences: after a full stop, question or exclamation mark that a space and
/// a capital, or the end, follows.
pub fn sentences(paragraph: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    for (i, c) in paragraph.char_indices() {
        if !matches!(c, '.' | '!' | '?' | '…') {
            continue;
        }
        let rest = &paragraph[i + c.len_utf8()..];
        let opens = |c: char| !c.is_lowercase() && !matches!(c, ',' | ';' | ':');
        let ends = rest.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '”' | '“' | '\'' | ')'))
            && rest
                .trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ',' | ';' | ':'))
                .chars()
                .next()
                .is_none_or(opens);
        if ends {
            out.push(&paragraph[from..i + c.len_utf8()]);
            from = i + c.len_utf8();
        }
    }
    out.push(&paragraph[from..]);
    out.retain(|s| s.chars().any(char::is_alphabetic));
    out
}

/// One sentence as words: lower case, base forms where the language knows them, function words dropped.
pub fn words(language: &Language, sentence: &str, settings: &PrepareSettings) -> Vec<String> {
    let word = |t: String| match language.find_form(&t) {
        Some(id) if settings.drop_stop_words && language.words().flags(id).has(WordFlags::STOP) => None,
        Some(id) if settings.lemmatise => Some(language.words().text(language.lemma(id)).to_owned()),
        _ => Some(t),
    };
    crate::tokens::words_of(sentence).filter_map(word).collect()
}

/// Prepares a text file; paragraphs end at blank lines. The text may be larger than memory.
///
/// # Errors
/// If a file cannot be read or written, or there are more different words than `memory` allows.
pub fn prepare(
    language: &Language,
    text: &Path,
    settings: &PrepareSettings,
    out: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<Prepared, CorpusError> {
    let rough = out.with_extension("rough.tmp");
    let mut file = BufReader::with_capacity(1 << 16, at(text, File::open(text))?);
    let mut target = BufWriter::new(at(&rough, File::create(&rough))?);
    let (mut paragraph, mut line, mut read) = (String::new(), Vec::new(), 0);
    loop {
        line.clear();
        let n = at(text, file.read_until(b'\n', &mut line))?;
        let piece = String::from_utf8_lossy(&line);
        if n == 0 || piece.trim().is_empty() || paragraph.len() > LONGEST {
            for sentence in sentences(&paragraph) {
                at(&rough, writeln!(target, "{}", words(language, sentence, settings).join(" ")))?;
            }
            paragraph.clear();
        }
        if n == 0 {
            break;
        }
        paragraph.push_str(&piece);
        read += n as u64;
        progress(read);
    }
    at(&rough, target.flush())?;
    let vocabulary = CorpusVocabulary::of_file(&rough, settings.min_count, settings.memory)?;
    let part = out.with_extension("tmp");
    let mut target = BufWriter::new(at(&part, File::create(&part))?);
    let mut prepared = Prepared { different: vocabulary.words.len(), ..Prepared::default() };
    for line in BufReader::new(at(&rough, File::open(&rough))?).lines() {
        let line = at(&rough, line)?;
        let kept: Vec<&str> = line.split(' ').filter(|w| vocabulary.id(w).is_some()).collect();
        if kept.len() >= settings.min_words.max(1) {
            at(&part, writeln!(target, "{}", kept.join(" ")))?;
            prepared.sentences += 1;
            prepared.words += kept.len() as u64;
        }
    }
    at(&part, target.flush())?;
    at(&rough, std::fs::remove_file(&rough))?;
    at(out, std::fs::rename(&part, out))?;
    Ok(prepared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lemmas::Lemmas;
    use crate::pack::{Pack, Writer};
    use crate::vectors::Vectors;
    use crate::words::Vocabulary;

    #[test]
    fn sentences_end_where_people_see_the_end() {
        assert_eq!(sentences("One two. Three\nfour! 3.5 of e.g. these? “Yes.” Six").len(), 5);
        assert!(sentences(" … . ").is_empty());
        assert_eq!(sentences("no end"), ["no end"]);
    }

    #[test]
    fn a_text_becomes_one_sentence_a_line() {
        let list: Vec<(String, WordFlags)> =
            [("the", WordFlags::STOP), ("mouse", 0), ("mice", 0)].map(|(w, f)| (w.to_owned(), WordFlags(f))).into();
        let mut w = Writer::new();
        Vocabulary::write(&mut w, &list);
        Vectors::write(&mut w, 2, &vec![vec![1.0, 0.0]; 3], &[]);
        Lemmas::write(&mut w, &[u32::MAX, u32::MAX, 1], &[]);
        let pack = Pack::from_bytes("t", &w.to_bytes()).unwrap();
        let language = Language::from_packs(Path::new("."), "en", &[pack], "").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (text, out) = (folder.path().join("text"), folder.path().join("out"));
        std::fs::write(&text, "The mice ran. The mouse\nsleeps!\n\nRan mice.").unwrap();
        let settings =
            PrepareSettings { lemmatise: true, drop_stop_words: true, min_count: 2, min_words: 1, memory: 1 << 20 };
        let done = prepare(&language, &text, &settings, &out, &mut |_| {}).unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "mouse ran\nmouse\nran mouse\n");
        assert_eq!(done, Prepared { sentences: 3, words: 5, different: 2 });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
