//! The maker against what a puzzle must be.

use super::*;
use crate::puzzle::Direction;
use std::collections::BTreeSet;

const BOOK: &str = include_str!("../../../../data/clues/en.tsv");

fn wish(size: usize, seed: u64) -> Wish {
    Wish { size, difficulty: 1, seed, title: "Test".into(), author: String::new() }
}

#[test]
fn puzzles_are_symmetric_clued_and_without_repeats() {
    let book = ClueBook::parse("en", BOOK).expect("the book is well formed");
    let bank = Bank::new(&book, None);
    for (size, seed) in [(5, 1), (9, 2), (13, 3)] {
        let puzzle = make(&wish(size, seed), &book, &bank, None).unwrap_or_else(|fault| panic!("{fault}"));
        let cells = puzzle.grid.cells();
        assert!((0..cells.len()).all(|at| cells[at].kind == cells[cells.len() - 1 - at].kind), "symmetric");
        let answers: Vec<String> =
            puzzle.entries.iter().map(|entry| puzzle.answer(entry).expect("every cell is filled")).collect();
        assert_eq!(answers.iter().collect::<BTreeSet<_>>().len(), answers.len(), "{answers:?}");
        assert!(answers.iter().all(|answer| book.answers().any(|known| known == answer)), "{answers:?}");
        assert!(puzzle.entries.iter().all(|entry| !entry.clue.is_empty() && entry.cells.len() >= 3));
        assert!(puzzle.of(Direction::Across).count() > 0 && puzzle.of(Direction::Down).count() > 0);
        let again = make(&wish(size, seed), &book, &bank, None).expect("the same again");
        assert_eq!(again, puzzle);
    }
}

#[test]
fn wishes_that_cannot_be_met_are_refused() {
    let book = ClueBook::parse("en", "cat\t1\tPurring pet").expect("well formed");
    let bank = Bank::new(&book, None);
    assert_eq!(make(&wish(4, 1), &book, &bank, None).err(), Some(MakeError::Size(4)));
    assert_eq!(make(&wish(10, 1), &book, &bank, None).err(), Some(MakeError::Size(10)));
    assert!(matches!(make(&wish(9, 1), &book, &bank, None), Err(MakeError::NoFilling { .. })));
    assert!(ClueBook::parse("en", "cat\t4\tPet").expect_err("no such difficulty").contains("line 1"));
    assert!(ClueBook::parse("en", "cat\tPet").expect_err("too few fields").contains("line 1"));
}
