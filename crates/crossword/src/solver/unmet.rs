//! Which entries and crossings no known answer can meet, given the letters that stand.

use super::candidates::Gathered;
use crate::puzzle::Puzzle;
use std::collections::BTreeSet;

/// A place of the grid that only an answer in no list could fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The entry.
    pub entry: usize,
    /// The entry it cannot be crossed with; `None` if no known answer fits the letters in the entry itself.
    pub with: Option<usize>,
    /// The letters that stand in the entry, `?` for the others.
    pub pattern: String,
}

/// The letters that known answers allow in each cell of an entry; nothing if no answer fits the letters that stand.
type Allowed = Vec<BTreeSet<char>>;

fn pattern(puzzle: &Puzzle, entry: usize) -> Vec<Option<char>> {
    let letter = |&cell: &usize| puzzle.grid.cell(cell).fill.as_deref().and_then(|fill| fill.chars().next());
    puzzle.entries[entry].cells.iter().map(letter).collect()
}

fn allowed(pattern: &[Option<char>], gathered: &Gathered) -> Option<Allowed> {
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

/// Everything that cannot be met by known answers. Grids in which no letter stands are not looked at: there the lists
/// leave every crossing open.
pub fn unmet(puzzle: &Puzzle, gathered: &[Gathered]) -> Vec<Unmet> {
    let patterns: Vec<Vec<Option<char>>> = (0..puzzle.entries.len()).map(|entry| pattern(puzzle, entry)).collect();
    if patterns.iter().flatten().all(Option::is_none) {
        return Vec::new();
    }
    let allowed: Vec<Option<Allowed>> = patterns.iter().zip(gathered).map(|(p, g)| allowed(p, g)).collect();
    let told = |entry: usize, with: Option<usize>| Unmet {
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
    use crate::formats::Format;
    use crate::solver::Evidence;
    use std::sync::Arc;

    /// Two rows and two columns of two letters.
    fn square(fill: [Option<&str>; 4]) -> Puzzle {
        let text = r#"{"version":"http://ipuz.org/v2","kind":["http://ipuz.org/crossword#1"],"dimensions":{"width":2,"height":2},
            "puzzle":[[1,2],[3,0]],"clues":{"Across":[[1,"a"],[3,"b"]],"Down":[[1,"c"],[2,"d"]]}}"#;
        let mut puzzle = Format::Ipuz.read(text.as_bytes()).expect("a puzzle");
        puzzle.grid.cells_mut().iter_mut().zip(fill).for_each(|(cell, letter)| cell.fill = letter.map(str::to_owned));
        puzzle
    }

    fn lists(lists: [&[&str]; 4]) -> Vec<Gathered> {
        let gathered = |words: &[&str]| Gathered {
            candidates: words.iter().map(|word| (Arc::from(*word), Evidence::default())).collect(),
        };
        lists.map(gathered).to_vec()
    }

    #[test]
    fn letters_that_fit_no_answer_are_told_with_their_pattern() {
        let puzzle = square([None, Some("Q"), None, None]);
        let found = unmet(&puzzle, &lists([&["AB", "CD"], &["EF"], &["AE"], &["QF"]]));
        assert_eq!(found, [Unmet { entry: 0, with: None, pattern: "?Q".into() }]);
    }

    #[test]
    fn a_crossing_without_a_common_letter_is_told() {
        // the first row starts with A or C, the first column only with X once its E stands
        let puzzle = square([None, None, Some("E"), None]);
        let found = unmet(&puzzle, &lists([&["AB", "CD"], &["EF"], &["AZ", "XE"], &["BF", "DF"]]));
        assert_eq!(found, [Unmet { entry: 2, with: Some(0), pattern: "?E".into() }]);
    }

    #[test]
    fn what_can_be_met_is_not_told() {
        assert!(unmet(&square([Some("A"), None, None, None]), &lists([&["AB"], &["EF"], &["AE"], &["BF"]])).is_empty());
        assert!(unmet(&square([None; 4]), &lists([&["AB"], &["EF"], &["XE"], &["BF"]])).is_empty());
    }
}
