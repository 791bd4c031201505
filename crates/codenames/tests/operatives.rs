//! When operatives stop.

mod common;

use codenames::engine::meaning::ScoringModel;
use codenames::engine::{BoardPosition, Card, PastTurn};
use codenames::players::{Operative, OperativeKind};
use codenames::rules::{CardSide, Clue, Number};

/// A table where a clue for three words was heard and some cards were taken for it.
fn table(taken: &[usize]) -> BoardPosition {
    let words = ["whale", "anchor", "sponge", "violin", "lion"];
    let cards = words.iter().enumerate().map(|(i, w)| Card {
        word: (*w).to_owned(),
        side: if taken.contains(&i) { CardSide::Own } else { CardSide::Unknown },
        open: !taken.contains(&i),
    });
    let clue = Clue { word: "reef".to_owned(), number: Number::Of(3) };
    let guesses = taken.iter().map(|&i| (i, CardSide::Own)).collect();
    let turns = vec![PastTurn { own: true, clue, guesses, meant: Vec::new() }];
    BoardPosition { cards: cards.collect(), turns, own_left: 3 - taken.len(), ..BoardPosition::default() }
}

#[test]
fn who_sees_no_link_takes_the_one_card_it_must() {
    // the made-up language has no definitions at all
    let lm = common::language_model();
    let glosses = Operative { kind: OperativeKind::SingleModel(ScoringModel::Glosses) };
    assert!(glosses.next(&lm, &table(&[])).is_some());
    assert_eq!(glosses.next(&lm, &table(&[0])), None);
}

#[test]
fn who_sees_links_takes_as_many_as_the_number() {
    let lm = common::language_model();
    let vectors = Operative { kind: OperativeKind::SingleModel(ScoringModel::Vectors) };
    let mut taken = Vec::new();
    while let Some(card) = vectors.next(&lm, &table(&taken)) {
        taken.push(card);
        assert!(taken.len() <= 3);
    }
    taken.sort_unstable();
    assert_eq!(taken, [0, 1, 2]);
}
