//! The conformance checks of every game, and golden playthroughs.

use game::conformance::secrets::pairs_look_alike;
use game::conformance::{Effort, check, golden, playthrough};
use homeguard::Homeguard;
use homeguard::formats::MapJson;
use homeguard::table::{EndRules, Settings};

fn editor_map() -> MapJson {
    let rows = ["..2...3", ".......", "2.A....", "..0.0..", "...1...", ".......", "3...A.."];
    MapJson { size: 7, rows: rows.map(str::to_owned).to_vec() }
}

#[test]
fn passes_the_kit() {
    let all = [
        Settings::default(),
        Settings { size: 7, sudden_death: false, ..Settings::default() },
        Settings { size: 15, rules: Some(EndRules::Control), ..Settings::default() },
        Settings { map: Some(editor_map()), ..Settings::default() },
    ];
    check(&Homeguard::new(), &all, Effort { games: 2, max_plies: 120, stride: 9 });
}

#[test]
fn ten_thousand_pairs_with_other_orders_look_the_same_to_the_opponent_and_to_strangers() {
    let small = Settings { size: 7, ..Settings::default() };
    assert!(pairs_look_alike(&Homeguard::new(), &[small, Settings::default()], 10_000) >= 10_000);
}

#[test]
fn playthroughs_are_as_reviewed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/playthroughs");
    let files = [
        ("homeguard-11", Settings::default(), 14),
        ("homeguard-7-thesis", Settings { map: Some(editor_map()), sudden_death: false, ..Settings::default() }, 40),
    ];
    for (name, settings, plies) in files {
        golden::assert_file(format!("{folder}/{name}.txt"), &playthrough(&Homeguard::new(), &settings, 5, plies));
    }
}
