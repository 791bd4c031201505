//! BERT's uncased WordPiece tokenizer (Devlin et al. 2019; Wu et al. 2016), checked against reference outputs.

use super::unicode::{NONSPACING_MARKS, PUNCTUATION, within};
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// A word with more letters is unknown as a whole.
const MAX_LETTERS: usize = 100;

/// A tokenizer: text to the ids of word pieces.
#[derive(Clone, Debug)]
pub struct WordPiece {
    ids: HashMap<String, i32>,
    unknown: i32,
    first: i32,
    last: i32,
}

/// The normalised words of a text: lower case, without accents, punctuation and CJK characters apart.
fn words(text: &str) -> Vec<String> {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0' | '\u{fffd}' => {}
            '\t' | '\n' | '\r' => clean.push(' '),
            c if c.is_whitespace() => clean.push(' '),
            c if c.is_control() || is_format(c) => {}
            c if is_cjk(c) => clean.extend([' ', c, ' ']),
            c => clean.push(c),
        }
    }
    let mut words = vec![String::new()];
    for c in clean.nfd().filter(|&c| !within(&NONSPACING_MARKS, c)).flat_map(char::to_lowercase) {
        if c.is_whitespace() {
            words.push(String::new());
        } else if c.is_ascii_punctuation() || within(&PUNCTUATION, c) {
            words.extend([c.to_string(), String::new()]);
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Invisible format characters (general category Cf) of ordinary text.
fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{600}'..='\u{605}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// CJK ideographs, which count as words of one character.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c), 0x4e00..=0x9fff | 0x3400..=0x4dbf | 0x20000..=0x2a6df | 0x2a700..=0x2b73f
        | 0x2b740..=0x2b81f | 0x2b920..=0x2ceaf | 0xf900..=0xfaff | 0x2f800..=0x2fa1f)
}

impl WordPiece {
    /// A tokenizer from a list of pieces, one a line; the line number is the id. `None` if a marker is missing.
    pub fn new(vocabulary: &str) -> Option<WordPiece> {
        let ids: HashMap<String, i32> = vocabulary.lines().map(str::to_owned).zip(0..).collect();
        let marker = |name: &str| ids.get(name).copied();
        let (unknown, first, last) = (marker("[UNK]")?, marker("[CLS]")?, marker("[SEP]")?);
        Some(WordPiece { ids, unknown, first, last })
    }

    /// The ids of a text between its two markers, at most `limit` in all.
    pub fn encode(&self, text: &str, limit: usize) -> Vec<i32> {
        let mut ids = vec![self.first];
        for word in words(text) {
            self.add(&word, &mut ids);
            if ids.len() + 1 >= limit {
                ids.truncate(limit.saturating_sub(1).max(1));
                break;
            }
        }
        ids.push(self.last);
        ids
    }

    /// Adds the longest pieces of a word from its beginning, or the unknown piece.
    fn add(&self, word: &str, ids: &mut Vec<i32>) {
        let before = ids.len();
        let mut start = 0;
        if word.chars().count() > MAX_LETTERS {
            ids.push(self.unknown);
            return;
        }
        while start < word.len() {
            let ends = word[start..].char_indices().map(|(at, c)| start + at + c.len_utf8()).rev();
            let prefix = if start == 0 { "" } else { "##" };
            let found = ends.map(|end| (end, self.ids.get(&format!("{prefix}{}", &word[start..end]))));
            let Some((end, id)) = found.filter_map(|(end, id)| Some((end, *id?))).next() else {
                ids.truncate(before);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##aff\n##able\ncafe\n,\nr\n##un\n";
        let list: Vec<&str> = vocabulary.lines().collect();
        let ids = WordPiece::new(vocabulary).expect("all markers are there").encode(text, 8);
        ids.into_iter().map(|id| list[id as usize].to_owned()).collect()
    }

    #[test]
    fn the_longest_piece_is_taken_first() {
        assert_eq!(pieces("UNaffable, Café run"), ["[CLS]", "un", "##aff", "##able", ",", "cafe", "r", "[SEP]"]);
        assert_eq!(pieces("xyz"), ["[CLS]", "[UNK]", "[SEP]"]);
        assert_eq!(pieces(""), ["[CLS]", "[SEP]"]);
    }

    #[test]
    fn a_list_without_markers_is_refused() {
        assert!(WordPiece::new("a\nb\n").is_none());
    }
}
