//! The conformance kit of all games, and a golden playthrough.

mod common;

use common::{game, small};
use crossword::table::{Crossword, Settings};
use game::conformance::secrets::pairs_look_alike;
use game::conformance::{Effort, check, golden, playthrough};
use game::{Event, Game, Seat, Seed, Setup, Table, TableError, Viewer};

#[test]
fn passes_the_kit() {
    let own = Settings { file: Some(small(true)), ..Settings::default() };
    let blind = Settings { file: Some(small(false)), ..Settings::default() };
    // A puzzle without a solution hides nothing, the others must.
    check(&game(), &[Settings::default(), own, blind], Effort { games: 3, max_plies: 60, stride: 5 });
}

#[test]
fn ten_thousand_pairs_with_other_solutions_look_the_same_to_solvers_and_to_strangers() {
    let own = Settings { file: Some(small(true)), ..Settings::default() };
    assert!(pairs_look_alike(&game(), &[Settings::default(), own], 10_000) >= 10_000);
}

#[test]
fn a_playthrough_is_as_reviewed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/playthroughs");
    golden::assert_file(format!("{folder}/crossword-small.txt"), &playthrough(&game(), &Settings::default(), 4, 12));
}

fn table(game: &Crossword, settings: Settings) -> Table<Crossword> {
    let setup = Setup { rules_version: 1, settings, seats: 1, seed: Seed(1) };
    Table::new(game, setup).expect("a good start")
}

fn play(table: &mut Table<Crossword>, game: &Crossword, seat: u8, text: &str) -> Result<(), TableError> {
    let action = game.read_action(table.state(), Seat(seat), text)?;
    table.apply(game, &Event::Action { seat: Seat(seat), action })
}

#[test]
fn people_join_and_solve_together() {
    let game = game();
    let mut table = table(&game, Settings::default());
    assert_eq!(play(&mut table, &game, 1, "1=C"), Err(TableError::NotToAct(Seat(1))));
    table.apply(&game, &Event::Join { seat: Seat(1) }).expect("there is room");
    assert!(table.apply(&game, &Event::Join { seat: Seat(1) }).is_err(), "one sits down once");
    play(&mut table, &game, 1, "fill 1=C 2=A 3=T 4=A").expect("open cells");
    play(&mut table, &game, 0, "hint 4 pattern").expect("there is a solution");
    let view = table.view(&game, Viewer::Spectator);
    assert_eq!(view.hints[0].pattern.as_deref(), Some("TVC"), "what stands and is right is shown");
    assert_eq!(view.seats, [0, 1]);
    play(&mut table, &game, 0, "fill 6=E 7=R 8=U").expect("open cells");
    assert!(!table.is_over(&game));
    play(&mut table, &game, 1, "9=N").expect("an open cell");
    assert_eq!(game.outcome(table.state()).expect("it is solved").reason, "solved");
}

#[test]
fn a_puzzle_without_solution_ends_when_the_solvers_say_so() {
    let game = game();
    let mut table = table(&game, Settings { file: Some(small(false)), ..Settings::default() });
    assert!(play(&mut table, &game, 0, "finish").is_err(), "cells are empty");
    assert!(play(&mut table, &game, 0, "check grid").is_err(), "nothing to compare with");
    play(&mut table, &game, 0, "fill 1=C 2=A 3=T 4=A 6=E 7=R 8=U 9=N").expect("open cells");
    play(&mut table, &game, 0, "finish").expect("it is full");
    assert!(table.is_over(&game));
}

#[test]
fn a_file_handed_in_is_not_shown_again() {
    let shown = game().public_settings(&Settings { file: Some(small(true)), ..Settings::default() });
    assert_eq!(shown.file.as_deref(), Some(""));
}
