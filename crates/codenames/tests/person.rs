//! What is learned of a person changes what the computer expects of that person, and nothing of anybody else.

mod common;

use codenames::meaning::{Model, Person, Taken};
use codenames::players::{Giver, Situation};

fn taken(clue: &str, board: &[&str], taken: &[&str]) -> Taken {
    let own = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    Taken { clue: clue.to_owned(), board: own(board), taken: own(taken) }
}

#[test]
fn a_pair_once_taken_is_expected_again() {
    let tongue = common::tongue();
    let board = ["whale", "drum", "lion", "judge", "castle"];
    let person = Person::learn(&tongue, &[taken("Reef", &board, &["lion"])]);
    assert_eq!(person.turns, 1);
    assert_eq!(person.pairs, [["reef".to_owned(), "lion".to_owned()]]);
    person.check().unwrap();
    let (plain, own) = (tongue.scores(Model::Strong, "reef", &board), tongue.scores_for(&person, "reef", &board));
    assert!(own[2] - own[1] > plain[2] - plain[1], "{plain:?} {own:?}");
    assert_eq!(tongue.scores_for(&Person::default(), "reef", &board), plain);
}

#[test]
fn who_never_follows_usage_lowers_it() {
    let tongue = common::tongue();
    let board = ["whale", "drum", "lion", "judge", "castle", "knife"];
    // always the word that is least alike
    let against: Vec<Taken> = ["reef", "net", "void", "moat", "flute", "pan", "oath", "tide"]
        .iter()
        .map(|clue| {
            let scores = tongue.scores(Model::Strong, clue, &board);
            let least = (0..board.len()).min_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
            taken(clue, &board, &[board[least]])
        })
        .collect();
    let person = Person::learn(&tongue, &against);
    assert!(person.leanings["usage"] < 80, "{person:?}");
    person.check().unwrap();
}

#[test]
fn nonsense_is_refused_and_a_known_person_still_gets_legal_clues() {
    let tongue = common::tongue();
    let bad = Person { leanings: [("smell".to_owned(), 100)].into(), ..Person::default() };
    assert!(bad.check().unwrap_err().to_string().contains("smell"));
    let bad = Person { leanings: [("usage".to_owned(), 900)].into(), ..Person::default() };
    assert!(bad.check().is_err());
    let person = Person { leanings: [("usage".to_owned(), 60)].into(), ..Person::default() };
    let cards = codenames::eval::random_board(&tongue, 3);
    let situation = Situation { person, ..Situation::of_key(cards, Vec::new()) };
    let ideas = Giver::strong().ideas(&tongue, &situation, 3);
    assert!(!ideas.is_empty());
    assert!(ideas.iter().all(|i| !codenames::eval::illegal(&i.word, &situation.open_words())));
}
