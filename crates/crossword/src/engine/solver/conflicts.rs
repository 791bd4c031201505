//! Conflicts: entries and crossings that no listed answer satisfies, given the fixed letters.

use super::candidates::ClueEvidence;
use crate::rules::Puzzle;
use std::collections::BTreeSet;

/// An entry or crossing that only an unlisted answer can fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryConflict {
    /// The entry.
    pub entry: usize,
    /// The crossing entry in conflict; `None` if no listed answer fits the fixed letters of the entry itself.
    pub with: Option<usize>,
    /// The fixed letters of the entry, `?` for open cells.
    pub pattern: String,
}

/// The letters that listed answers allow in each cell of an entry.
type Allowed = Vec<BTreeSet<char>>;

fn pattern(puzzle: &Puzzle, entry: usize) -> Vec<Option<char>> {
    let letter = |&cell: &usize| puzzle.grid.cell(cell).fill.as_deref().and_then(|fill| fill.chars().next());
    puzzle.entries[entry].cells.iter().map(letter).collect()
}

fn allowed(pattern: &[Option<char>], gathered: &ClueEvidence) -> Option<Allowed> {
    let fits = |word: &&str| word.chars().zip(pattern).all(|(c, want)| want.is_none_or(|want| want == c));
    let mut all: Option<Allowed> = None;
    for word in gathered.words().filter(fits) {
        let cells = all.get_or_insert_with(|| vec![BTreeSet::new(); pattern.len()]);
        cells.iter_mut().zip(word.chars()).for_each(|(cell, c)| {
            cell.insert(c);
        });
    }
    all
}

/// All conflicts of a grid. An empty grid has none: the word lists leave every crossing open.
pub fn conflicts(puzzle: &Puzzle, gathered: &[ClueEvidence]) -> Vec<EntryConflict> {
    let patterns: Vec<Vec<Option<char>>> = (0..puzzle.entries.len()).map(|entry| pattern(puzzle, entry)).collect();
    if patterns.iter().flatten().all(Option::is_none) {
        return Vec::new();
    }
    let allowed: Vec<Option<Allowed>> = patterns.iter().zip(gathered).map(|(p, g)| allowed(p, g)).collect();
    let told = |entry: usize, with: Option<usize>| EntryConflict {
        entry,
        with,
        pattern: patterns[entry].iter().map(|letter| letter.unwrap_or('?')).collect(),
    };
    let mut found = Vec::new();
    let mut through: Vec<Option<(usize, usize)>> = vec![None; puzzle.grid.cells().len()];
    for (entry, here) in allowed.iter().enumerate() {
        let stands = patterns[entry].iter().any(Option::is_some);
        if here.is_none() && stands {
            found.push(told(entry, None));
        }
        for (at, &cell) in puzzle.entries[entry].cells.iter().enumerate() {
            let Some((other, place)) = through[cell].replace((entry, at)) else { continue };
            let free = puzzle.grid.cell(cell).fill.is_none();
            let (Some(here), Some(there)) = (here, &allowed[other]) else { continue };
            if free && here[at].is_disjoint(&there[place]) {
                found.push(told(entry, Some(other)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::solver::Evidence;
    use crate::formats::PuzzleFormat;
    use std::sync::Arc;

    /// Two rows and two columns of two letters.
    fn square(fill: [Option<&str>; 4]) -> Puzzle {
        let text = r#"{"version":"http://ipuz.org/v2","kind":["http://ipuz.org/crossword#1"],"dimensions":{"width":2,"height":2},
            "puzzle":[[1,2],[3,0]],"clues":{"Across":[[1,"a"],[3,"b"]],"Down":[[1,"c"],[2,"d"]]}}"#;
        let mut puzzle = PuzzleFormat::Ipuz.read(text.as_bytes()).expect("a puzzle");
        puzzle.grid.cells_mut().iter_mut().zip(fill).for_each(|(cell, letter)| cell.fill = letter.map(str::to_owned));
        puzzle
    }

    fn lists(lists: [&[&str]; 4]) -> Vec<ClueEvidence> {
        let gathered = |words: &[&str]| ClueEvidence {
            candidates: words.iter().map(|word| (Arc::from(*word), Evidence::default())).collect(),
            ..ClueEvidence::default()
        };
        lists.map(gathered).to_vec()
    }

    #[test]
    fn letters_that_fit_no_answer_are_told_with_their_pattern() {
        let puzzle = square([None, Some("Q"), None, None]);
        let found = conflicts(&puzzle, &lists([&["AB", "CD"], &["EF"], &["AE"], &["QF"]]));
        assert_eq!(found, [EntryConflict { entry: 0, with: None, pattern: "?Q".into() }]);
    }

    #[test]
    fn a_crossing_without_a_common_letter_is_told() {
        // the first row starts with A or C, the first column only with X once its E stands
        let puzzle = square([None, None, Some("E"), None]);
        let found = conflicts(&puzzle, &lists([&["AB", "CD"], &["EF"], &["AZ", "XE"], &["BF", "DF"]]));
        assert_eq!(found, [EntryConflict { entry: 2, with: Some(0), pattern: "?E".into() }]);
    }

    #[test]
    fn what_can_be_met_is_not_told() {
        assert!(
            conflicts(&square([Some("A"), None, None, None]), &lists([&["AB"], &["EF"], &["AE"], &["BF"]])).is_empty()
        );
        assert!(conflicts(&square([None; 4]), &lists([&["AB"], &["EF"], &["XE"], &["BF"]])).is_empty());
    }
}
