//! Letters of a grid as small indices.

use std::collections::HashMap;

/// A letter as its index in [`GridAlphabet`].
pub type LetterIndex = u8;

/// The letters that a grid may hold.
#[derive(Clone, Debug)]
pub struct GridAlphabet {
    chars: Vec<char>,
    /// Fast path for ASCII characters; [`LetterIndex::MAX`] for none.
    ascii: [LetterIndex; 128],
    others: HashMap<char, LetterIndex>,
}

impl GridAlphabet {
    /// The letters of an alphabet, upper case; repeated ones count once.
    pub fn new(alphabet: impl IntoIterator<Item = char>) -> Self {
        let mut letters = Self { chars: Vec::new(), ascii: [LetterIndex::MAX; 128], others: HashMap::new() };
        for c in alphabet {
            letters.add(c);
        }
        letters
    }

    /// The letter of a character; adds it if it is new and there is room (255 letters).
    pub fn add(&mut self, c: char) -> Option<LetterIndex> {
        if let Some(letter) = self.letter(c) {
            return Some(letter);
        }
        let letter = LetterIndex::try_from(self.chars.len()).ok().filter(|&letter| letter < LetterIndex::MAX)?;
        self.chars.push(c);
        match self.ascii.get_mut(c as usize) {
            Some(slot) => *slot = letter,
            None => drop(self.others.insert(c, letter)),
        }
        Some(letter)
    }

    /// The letter of a character.
    pub fn letter(&self, c: char) -> Option<LetterIndex> {
        match self.ascii.get(c as usize) {
            Some(&letter) => (letter != LetterIndex::MAX).then_some(letter),
            None => self.others.get(&c).copied(),
        }
    }

    /// The character of a letter.
    pub fn char(&self, letter: LetterIndex) -> char {
        self.chars[usize::from(letter)]
    }

    /// A word as letters, or `None` if it has another character.
    pub fn word(&self, text: &str) -> Option<Vec<LetterIndex>> {
        text.chars().map(|c| self.letter(c)).collect()
    }

    /// Letters as text.
    pub fn text(&self, word: &[LetterIndex]) -> String {
        word.iter().map(|&letter| self.char(letter)).collect()
    }

    /// How many letters there are.
    pub fn len(&self) -> usize {
        self.chars.len()
    }

    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_found_whatever_their_alphabet() {
        let mut letters = GridAlphabet::new("ABČA".chars());
        assert_eq!((letters.len(), letters.letter('Č'), letters.letter('Z')), (3, Some(2), None));
        assert_eq!(letters.add('Ž'), Some(3));
        let word = letters.word("ČAŽ").expect("all are there");
        assert_eq!((word.as_slice(), letters.text(&word).as_str()), ([2, 0, 3].as_slice(), "ČAŽ"));
        for c in (0..400u32).filter_map(|number| char::from_u32(0x4e00 + number)) {
            letters.add(c);
        }
        assert_eq!(letters.len(), 255, "there is no room for more");
    }
}
