//! One answer of a crossword: its cells, label, clue and enumeration.

use std::fmt;

/// The direction of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryDirection {
    Across,
    Down,
}

impl EntryDirection {
    /// Both directions, in the order of printed clue lists.
    pub const ALL: [Self; 2] = [Self::Across, Self::Down];
}

impl fmt::Display for EntryDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Across => "across",
            Self::Down => "down",
        })
    }
}

/// One answer: its cells in order, its label and its clue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleEntry {
    pub direction: EntryDirection,
    /// What the clue list calls it, usually a number.
    pub label: String,
    /// Indices of its cells in the grid, in the order of the letters.
    pub cells: Vec<usize>,
    /// The clue without its enumeration.
    pub clue: String,
    /// The enumeration, if the puzzle has one.
    pub enumeration: Option<Enumeration>,
}

/// The enumeration of an answer, such as `(3,4-2)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration(String);

impl Enumeration {
    /// Reads the part in brackets, e.g. `3,4-2`; refuses anything that is not numbers joined by separators.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let body = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text).trim();
        let numbers = body.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count();
        let clean = body.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '\'' | ' ' | '.' | '’'));
        (numbers > 0 && clean && body.len() <= 60).then(|| Self(body.to_owned()))
    }

    /// Takes a trailing enumeration off a clue.
    pub fn split(clue: &str) -> (&str, Option<Self>) {
        let trimmed = clue.trim_end();
        let Some(open) = trimmed.rfind('(') else { return (clue, None) };
        if !trimmed.ends_with(')') {
            return (clue, None);
        }
        match Self::parse(&trimmed[open..]) {
            Some(enumeration) => (trimmed[..open].trim_end(), Some(enumeration)),
            None => (clue, None),
        }
    }

    /// The text between the brackets.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The lengths of the words.
    pub fn lengths(&self) -> impl Iterator<Item = usize> {
        self.0.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok())
    }

    /// Letters in all.
    pub fn total(&self) -> usize {
        self.lengths().sum()
    }
}

impl fmt::Display for Enumeration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerations_are_taken_off_clues() {
        let (clue, enumeration) = Enumeration::split("Man in black (6,4-2)");
        assert_eq!(clue, "Man in black");
        assert_eq!(enumeration.expect("there is one").lengths().collect::<Vec<_>>(), [6, 4, 2]);
        assert_eq!(Enumeration::split("Year (abbr.)"), ("Year (abbr.)", None));
        assert_eq!(Enumeration::split("Left ) over"), ("Left ) over", None));
    }
}
