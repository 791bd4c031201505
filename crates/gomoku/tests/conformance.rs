//! The kit that every game of the house passes, and golden playthroughs.

use game::conformance::secrets::everybody_sees_the_same;
use game::conformance::{Effort, check, golden, playthrough};
use gomoku::Gomoku;
use gomoku::rules::Rule;
use gomoku::table::{Opening, Settings};

fn settings(size: u8, rule: Rule, opening: Opening) -> Settings {
    Settings { size, rule, opening, ..Settings::default() }
}

#[test]
fn passes_the_kit() {
    let all = [
        settings(9, Rule::Freestyle, Opening::Free),
        settings(8, Rule::Standard, Opening::Swap2),
        settings(9, Rule::Renju, Opening::Free),
        settings(7, Rule::Caro, Opening::Free),
        settings(7, Rule::CaroExact, Opening::Swap2),
        settings(22, Rule::Freestyle, Opening::Free),
        Settings { stones: "h8i9h9".to_owned(), to_move: Some(gomoku::rules::Color::Black), ..Settings::default() },
    ];
    check(&Gomoku::new(), &all, Effort { games: 3, max_plies: 200, stride: 11 });
}

/// Gomoku hides nothing: every pair of viewers sees the same, and there are no twins to compare. `my_color` follows
/// from the seat and `black`.
#[test]
fn in_ten_thousand_pairs_everybody_sees_the_same() {
    let all = [settings(9, Rule::Standard, Opening::Swap2), settings(7, Rule::Renju, Opening::Free)];
    assert!(everybody_sees_the_same(&Gomoku::new(), &all, &["my_color"], 10_000) >= 10_000);
}

#[test]
fn playthroughs_are_as_reviewed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/playthroughs");
    let files = [
        ("gomoku-freestyle-15", settings(15, Rule::Freestyle, Opening::Free), 6),
        ("gomoku-swap2-9", settings(9, Rule::Standard, Opening::Swap2), 12),
        ("gomoku-renju-7", settings(7, Rule::Renju, Opening::Free), 60),
    ];
    for (name, settings, plies) in files {
        golden::assert_file(format!("{folder}/{name}.txt"), &playthrough(&Gomoku::new(), &settings, 5, plies));
    }
}
