//! Clues whose answers are known, from puzzles and from lists of pairs.

use super::puzzles;
use ::lab::crossword::fit::Known;
use anyhow::{Context, Result};
use std::path::Path;

/// Which puzzles of a file.
#[derive(Clone, Copy)]
pub enum Part {
    All,
    /// Those that `eval --sample N` tests on.
    Sample(usize),
    /// The first so many of all but those.
    ExceptSample {
        sample: usize,
        first: usize,
    },
}

/// At most `most` clues with their answers, drawn by the seed, in the order of the file.
pub fn read(path: &Path, part: Part, most: usize, seed: u64) -> Result<Vec<Known>> {
    let mut all: Vec<Known> = if path.extension().is_some_and(|ending| ending == "tsv") {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| {
            let mut fields = line.split('\t');
            let (answer, clue) = (fields.next()?, fields.next_back()?);
            Some(Known { answer: crossword::memory::words::grid_form(answer), clue: clue.to_owned() })
        });
        pairs.filter(|known| known.answer.chars().count() > 1).collect()
    } else {
        let puzzles = puzzles::read(path)?;
        let drawn = |count| puzzles::sample(puzzles.len(), count, seed);
        let chosen: Vec<usize> = match part {
            Part::All => (0..puzzles.len()).collect(),
            Part::Sample(count) => drawn(count),
            Part::ExceptSample { sample, first } => {
                let test = drawn(sample);
                (0..puzzles.len()).filter(|number| test.binary_search(number).is_err()).take(first).collect()
            }
        };
        let entries =
            chosen.iter().flat_map(|&number| puzzles[number].entries.iter().map(move |entry| (number, entry)));
        entries
            .filter_map(|(number, entry)| {
                Some(Known { clue: entry.clue.clone(), answer: puzzles[number].answer(entry)? })
            })
            .collect()
    };
    let chosen = puzzles::sample(all.len(), most, seed);
    let mut number = 0;
    all.retain(|_| {
        number += 1;
        chosen.binary_search(&(number - 1)).is_ok()
    });
    Ok(all)
}
