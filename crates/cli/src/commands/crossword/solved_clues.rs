//! Clues with known answers, from puzzles and from lists of pairs.

use super::puzzle_files;
use ::lab::crossword::fit::SolvedClue;
use anyhow::{Context, Result};
use std::path::Path;

/// The selection of puzzles of a file.
#[derive(Clone, Copy)]
pub enum PuzzleSelection {
    All,
    /// The puzzles that `eval --sample N` tests on.
    Sample(usize),
    /// The first of all other puzzles.
    ExceptSample {
        sample: usize,
        first: usize,
    },
}

/// A random sample of at most `most` clues with their answers, in the order of the file.
pub fn read(path: &Path, part: PuzzleSelection, most: usize, seed: u64) -> Result<Vec<SolvedClue>> {
    let mut all: Vec<SolvedClue> = if path.extension().is_some_and(|ending| ending == "tsv") {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| {
            let mut fields = line.split('\t');
            let (answer, clue) = (fields.next()?, fields.next_back()?);
            Some(SolvedClue {
                answer: crossword::engine::clue_database::clue_text::grid_form(answer),
                clue: clue.to_owned(),
            })
        });
        pairs.filter(|known| known.answer.chars().count() > 1).collect()
    } else {
        let puzzles = puzzle_files::read(path)?;
        let drawn = |count| puzzle_files::sample(puzzles.len(), count, seed);
        let chosen: Vec<usize> = match part {
            PuzzleSelection::All => (0..puzzles.len()).collect(),
            PuzzleSelection::Sample(count) => drawn(count),
            PuzzleSelection::ExceptSample { sample, first } => {
                let test = drawn(sample);
                (0..puzzles.len()).filter(|number| test.binary_search(number).is_err()).take(first).collect()
            }
        };
        let entries =
            chosen.iter().flat_map(|&number| puzzles[number].entries.iter().map(move |entry| (number, entry)));
        entries
            .filter_map(|(number, entry)| {
                Some(SolvedClue { clue: entry.clue.clone(), answer: puzzles[number].answer(entry)? })
            })
            .collect()
    };
    let chosen = puzzle_files::sample(all.len(), most, seed);
    let mut number = 0;
    all.retain(|_| {
        number += 1;
        chosen.binary_search(&(number - 1)).is_ok()
    });
    Ok(all)
}
