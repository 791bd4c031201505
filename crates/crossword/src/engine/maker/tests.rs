//! Tests of the maker: symmetry, clues, no repeats.

use super::*;
use crate::rules::EntryDirection;
use std::collections::BTreeSet;

const BOOK: &str = include_str!("../../../../../data/clues/en.tsv");

fn request(size: usize, seed: u64) -> ConstructionRequest {
    ConstructionRequest { size, difficulty: 1, seed, title: "Test".into(), ..ConstructionRequest::default() }
}

#[test]
fn puzzles_are_symmetric_clued_and_without_repeats() {
    let clues = ClueCollection::parse("en", BOOK).expect("the clues is well formed");
    let words = FillWordList::new(&clues, None);
    for (size, seed) in [(5, 1), (9, 2), (13, 3)] {
        let puzzle = make(&request(size, seed), &clues, &words, None).unwrap_or_else(|fault| panic!("{fault}"));
        let cells = puzzle.grid.cells();
        assert!((0..cells.len()).all(|at| cells[at].kind == cells[cells.len() - 1 - at].kind), "symmetric");
        let answers: Vec<String> =
            puzzle.entries.iter().map(|entry| puzzle.answer(entry).expect("every cell is filled")).collect();
        assert_eq!(answers.iter().collect::<BTreeSet<_>>().len(), answers.len(), "{answers:?}");
        assert!(answers.iter().all(|answer| clues.answers().any(|known| known == answer)), "{answers:?}");
        assert!(puzzle.entries.iter().all(|entry| !entry.clue.is_empty() && entry.cells.len() >= 3));
        assert!(puzzle.of(EntryDirection::Across).count() > 0 && puzzle.of(EntryDirection::Down).count() > 0);
        let again = make(&request(size, seed), &clues, &words, None).expect("the same again");
        assert_eq!(again, puzzle);
    }
}

#[test]
fn wishes_that_cannot_be_met_are_refused() {
    let clues = ClueCollection::parse("en", "cat\t1\tPurring pet").expect("well formed");
    let words = FillWordList::new(&clues, None);
    assert_eq!(make(&request(4, 1), &clues, &words, None).err(), Some(ConstructionError::Size(4)));
    assert_eq!(make(&request(22, 1), &clues, &words, None).err(), Some(ConstructionError::Size(22)));
    assert!(matches!(make(&request(9, 1), &clues, &words, None), Err(ConstructionError::NoFilling { .. })));
    assert!(ClueCollection::parse("en", "cat\t4\tPet").expect_err("no such difficulty").contains("line 1"));
    assert!(ClueCollection::parse("en", "cat\tPet").expect_err("too few fields").contains("line 1"));
}
