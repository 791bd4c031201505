//! A clue collection: answers with clues of three difficulties, written for Parlour (`data/clues`).

use crate::engine::clue_database::clue_text::grid_form;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Clues by answer.
#[derive(Clone, Debug, Default)]
pub struct ClueCollection {
    language: String,
    clues: BTreeMap<String, Vec<(u8, String)>>,
}

impl ClueCollection {
    /// Reads lines of answer, difficulty (1 to 3) and clue, separated by tabs; skips lines that start with `#`.
    pub fn parse(language: &str, text: &str) -> Result<Self, String> {
        let mut book = Self { language: language.to_owned(), clues: BTreeMap::new() };
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        {
            let mut fields = line.split('\t');
            let (Some(answer), Some(difficulty), Some(clue), None) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                return Err(format!("line {}: should be answer, difficulty and clue, divided by tabs", number + 1));
            };
            let difficulty = difficulty
                .trim()
                .parse()
                .ok()
                .filter(|difficulty| (1..=3).contains(difficulty))
                .ok_or_else(|| format!("line {}: the difficulty {difficulty:?} should be 1, 2 or 3", number + 1))?;
            book.clues.entry(grid_form(answer)).or_default().push((difficulty, clue.trim().to_owned()));
        }
        Ok(book)
    }

    /// Language of the collection.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The answers.
    pub fn answers(&self) -> impl Iterator<Item = &str> {
        self.clues.keys().map(String::as_str)
    }

    /// All pairs of answer and clue.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.clues
            .iter()
            .flat_map(|(answer, clues)| clues.iter().map(move |(_, clue)| (answer.as_str(), clue.as_str())))
    }

    /// A clue to an answer of the nearest difficulty.
    pub fn clue(&self, answer: &str, difficulty: u8, rng: &mut ChaCha8Rng) -> Option<String> {
        let clues = self.clues.get(answer)?;
        let nearest = clues.iter().map(|(of, _)| of.abs_diff(difficulty)).min()?;
        let fitting: Vec<&String> =
            clues.iter().filter(|(of, _)| of.abs_diff(difficulty) == nearest).map(|(_, clue)| clue).collect();
        Some(fitting[rng.random_range(0..fitting.len())].clone())
    }
}
