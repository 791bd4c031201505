//! What is learned of a person changes what the computer expects of that person, and nothing of anybody else.

mod common;

use codenames::engine::BoardPosition;
use codenames::engine::meaning::{PersonProfile, PersonTurn, ScoringModel};
use codenames::players::Spymaster;

fn taken(clue: &str, board: &[&str], taken: &[&str]) -> PersonTurn {
    let own = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    PersonTurn { clue: clue.to_owned(), board: own(board), taken: own(taken) }
}

#[test]
fn a_pair_once_taken_is_expected_again() {
    let lm = common::language_model();
    let board = ["whale", "drum", "lion", "judge", "castle"];
    let person = PersonProfile::learn(&lm, &[taken("Reef", &board, &["lion"])]);
    assert_eq!(person.turns, 1);
    assert_eq!(person.pairs, [["reef".to_owned(), "lion".to_owned()]]);
    person.check().unwrap();
    let (plain, own) = (lm.scores(ScoringModel::Strong, "reef", &board), lm.scores_for(&person, "reef", &board));
    assert!(own[2] - own[1] > plain[2] - plain[1], "{plain:?} {own:?}");
    assert_eq!(lm.scores_for(&PersonProfile::default(), "reef", &board), plain);
}

#[test]
fn who_never_follows_usage_lowers_it() {
    let lm = common::language_model();
    let board = ["whale", "drum", "lion", "judge", "castle", "knife"];
    // always the word that is least alike
    let against: Vec<PersonTurn> = ["reef", "net", "void", "moat", "flute", "pan", "oath", "tide"]
        .iter()
        .map(|clue| {
            let scores = lm.scores(ScoringModel::Strong, clue, &board);
            let least = (0..board.len()).min_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
            taken(clue, &board, &[board[least]])
        })
        .collect();
    let person = PersonProfile::learn(&lm, &against);
    assert!(person.leanings["usage"] < 80, "{person:?}");
    person.check().unwrap();
}

#[test]
fn nonsense_is_refused_and_a_known_person_still_gets_legal_clues() {
    let lm = common::language_model();
    let bad = PersonProfile { leanings: [("smell".to_owned(), 100)].into(), ..PersonProfile::default() };
    assert!(bad.check().unwrap_err().to_string().contains("smell"));
    let bad = PersonProfile { leanings: [("usage".to_owned(), 900)].into(), ..PersonProfile::default() };
    assert!(bad.check().is_err());
    let person = PersonProfile { leanings: [("usage".to_owned(), 60)].into(), ..PersonProfile::default() };
    let cards = codenames::eval::random_board(&lm, 3);
    let position = BoardPosition { person, ..BoardPosition::of_key(cards, Vec::new()) };
    let ideas = Spymaster::for_unknown_operatives().best_clues(&lm, &position, 3);
    assert!(!ideas.is_empty());
    assert!(ideas.iter().all(|i| !codenames::eval::illegal(&i.word, &position.open_words())));
}
