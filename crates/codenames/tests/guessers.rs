//! When guessers stop.

mod common;

use codenames::meaning::Model;
use codenames::players::{Card, Guesser, GuesserKind, Past, Situation};
use codenames::rules::{Clue, Number, Side};

/// A table where a clue for three words was heard and some cards were taken for it.
fn table(taken: &[usize]) -> Situation {
    let words = ["whale", "anchor", "sponge", "violin", "lion"];
    let cards = words.iter().enumerate().map(|(i, w)| Card {
        word: (*w).to_owned(),
        side: if taken.contains(&i) { Side::Own } else { Side::Unknown },
        open: !taken.contains(&i),
    });
    let clue = Clue { word: "reef".to_owned(), number: Number::Of(3) };
    let guesses = taken.iter().map(|&i| (i, Side::Own)).collect();
    let turns = vec![Past { own: true, clue, guesses, meant: Vec::new() }];
    Situation { cards: cards.collect(), turns, own_left: 3 - taken.len(), ..Situation::default() }
}

#[test]
fn who_sees_no_link_takes_the_one_card_it_must() {
    // the made-up language has no definitions at all
    let tongue = common::tongue();
    let glosses = Guesser { kind: GuesserKind::Plain(Model::Glosses) };
    assert!(glosses.next(&tongue, &table(&[])).is_some());
    assert_eq!(glosses.next(&tongue, &table(&[0])), None);
}

#[test]
fn who_sees_links_takes_as_many_as_the_number() {
    let tongue = common::tongue();
    let vectors = Guesser { kind: GuesserKind::Plain(Model::Vectors) };
    let mut taken = Vec::new();
    while let Some(card) = vectors.next(&tongue, &table(&taken)) {
        taken.push(card);
        assert!(taken.len() <= 3);
    }
    taken.sort_unstable();
    assert_eq!(taken, [0, 1, 2]);
}
