//! The params that every game of the house passes, golden playthroughs, and what nobody may learn.

mod common;

use codenames::Codenames;
use codenames::table::{Action, Mode, Settings};
use game::conformance::secrets::pairs_look_alike;
use game::conformance::{Effort, check, golden, playthrough, start};
use game::{Budget, Control, Event, Game, GameRng, Needs, Seat, Seed, ServiceCall, Table, Viewer};
use proptest::prelude::*;
use rand::SeedableRng;

fn settings() -> Vec<Settings> {
    vec![
        Settings::default(),
        Settings { operatives: 2, ..Settings::default() },
        Settings { mode: Mode::Duet, ..Settings::default() },
        Settings { mode: Mode::Duet, turns: 5, show_meant: true, ..Settings::default() },
    ]
}

#[test]
fn passes_the_kit() {
    check(&common::game(), &settings(), Effort { games: 4, max_plies: 120, stride: 5 });
}

#[test]
fn playthroughs_are_as_reviewed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/playthroughs");
    let game = common::game();
    for (name, at) in [("codenames-classic", 0), ("codenames-duet", 2)] {
        golden::assert_file(format!("{folder}/{name}.txt"), &playthrough(&game, &settings()[at], 5, 8));
    }
}

/// A table after some random actions, and the generator they came from.
fn after_random(game: &Codenames, settings: &Settings, seed: u64, actions: u64) -> (Table<Codenames>, GameRng) {
    let mut table = start(game, settings, seed);
    let mut rng = GameRng::seed_from_u64(seed);
    for _ in 0..actions {
        let Some(seat) = table.to_act(game).iter().next() else { break };
        let action = game.random_action(table.state(), seat, &mut rng).unwrap();
        table.apply(game, &Event::Action { seat, action }).unwrap();
    }
    (table, rng)
}

#[test]
fn ten_thousand_pairs_with_other_keys_look_the_same_to_those_who_may_not_know() {
    let all = [settings()[0].clone(), settings()[2].clone()];
    assert!(pairs_look_alike(&common::game(), &all, 10_000) >= 10_000);
}

/// Everything that reaches a viewer besides its view, history and outcome: who is to act, what it may do, what the
/// drawing shows, what refusals say, what services answer, and what a computer's thought tells the whole table.
fn other_channels(game: &Codenames, state: &<Codenames as Game>::State, viewer: Viewer) -> Vec<String> {
    let view = game.view(state, viewer);
    let mut seen = vec![format!("{:?}", game.to_act(state)), game.render_text(&view)];
    if let Some(seat) = viewer.seat() {
        seen.push(format!("{:?}", game.legal_actions(state, seat)));
        for action in [Action::Stop, Action::Guess { card: 99 }] {
            seen.push(format!("{:?}", game.apply(&mut state.clone(), seat, &action)));
        }
    }
    for service in game.services().iter().filter(|s| s.needs == Needs::View) {
        let control = Control::new();
        let call = ServiceCall { view: Some(&view), viewer, control: &control, seed: 1 };
        seen.push(format!("{}: {:?}", service.name, service.call(game, service.example.clone(), call)));
    }
    for seat in game.to_act(state).iter() {
        let view = game.view(state, Viewer::Seat(seat));
        let clue = view.phase == codenames::table::PhaseView::Clue;
        let choice = game.bot("novice").unwrap().choose(game, seat, &view, Budget::Nodes(1), 7, &Control::new());
        // whoever guesses thinks by what it sees; whoever gives a clue thinks by the key, and must not show it
        if clue {
            seen.push(format!("{:?}", choice.map(|c| c.thought)));
        }
    }
    seen
}

#[test]
fn no_other_channel_tells_keys_apart() {
    let game = common::game();
    let mut compared = 0;
    for settings in [&settings()[0], &settings()[2]] {
        for seed in 100..112 {
            let (table, mut rng) = after_random(&game, settings, seed, seed % 7);
            for viewer in Viewer::all(usize::from(table.setup().seats)) {
                let before = other_channels(&game, table.state(), viewer);
                for twin in game.indistinguishable_states(table.state(), viewer, &mut rng) {
                    assert_eq!(before, other_channels(&game, &twin, viewer), "{viewer:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

/// Plays a whole game by computers of a level; answers the table.
fn played(level: &str, settings: &Settings, seed: u64) -> Table<codenames::Codenames> {
    let game = common::game();
    let mut table = start(&game, settings, seed);
    let mut bot = game.bot(level).unwrap();
    while let Some(seat) = table.to_act(&game).iter().next() {
        let view = table.view(&game, Viewer::Seat(seat));
        let choice = bot.choose(&game, seat, &view, Budget::Nodes(1), seed, &Control::new()).unwrap();
        table.apply(&game, &Event::Action { seat, action: choice.action }).unwrap();
        assert!(table.ply() < 300, "{level} does not finish");
    }
    table
}

#[test]
fn every_level_plays_both_games_to_the_end() {
    for level in common::game().levels() {
        for at in [0, 2] {
            played(&level.id, &settings()[at], 3);
        }
    }
}

#[test]
fn a_decision_after_an_undo_is_the_decision_before() {
    let game = common::game();
    for level in ["study", "strong"] {
        let table = played(level, &Settings::default(), 11);
        let whole: Vec<(Seat, Action)> = table.actions().map(|(s, a)| (s, a.clone())).collect();
        for keep in [0, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
            let mut back = table.clone();
            back.apply(&game, &Event::Undo { keep: keep as u32 }).unwrap();
            let (seat, expected) = &whole[keep];
            let view = back.view(&game, Viewer::Seat(*seat));
            let choice =
                game.bot(level).unwrap().choose(&game, *seat, &view, Budget::Nodes(1), 11, &Control::new()).unwrap();
            assert_eq!(choice.action, *expected, "{level} after {keep} actions");
        }
    }
}

#[test]
fn the_assassin_ends_the_game_and_the_enemys_touch_can_win() {
    let game = common::game();
    let mut ends = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut table = start(&game, &Settings::default(), seed);
        let mut rng = GameRng::seed_from_u64(seed);
        while let Some(seat) = table.to_act(&game).iter().next() {
            let action = game.random_action(table.state(), seat, &mut rng).unwrap();
            table.apply(&game, &Event::Action { seat, action }).unwrap();
        }
        ends.insert(game.outcome(table.state()).unwrap().reason);
    }
    assert!(ends.contains("assassin") && ends.contains("all_found"), "{ends:?}");
}

#[test]
fn clues_are_refused_with_a_reason_and_nothing_changes() {
    let game = common::game();
    let setup = game::Setup { rules_version: 1, settings: Settings::default(), seats: 4, seed: Seed(4) };
    let mut table = Table::new(&game, setup).unwrap();
    let seat = table.to_act(&game).iter().next().unwrap();
    let word = table.state().words()[0].clone();
    let number = codenames::rules::Number::Of(1);
    let before = table.state().clone();
    let clue = |word: String| Event::Action { seat, action: Action::Clue { word, number, meant: vec![] } };
    let error = table.apply(&game, &clue(format!("{word}s"))).unwrap_err().to_string();
    assert!(error.contains(&word.to_uppercase()), "{error}");
    assert!(table.apply(&game, &clue("two words".to_owned())).is_err());
    assert!(*table.state() == before);
    assert!(table.apply(&game, &Event::Action { seat, action: Action::Stop }).is_err());
}

/// What a seat sees and what the players that think most would make of it.
fn posteriors(game: &Codenames, table: &Table<codenames::Codenames>) -> Vec<String> {
    let seats = usize::from(table.setup().seats);
    Viewer::all(seats)
        .map(|viewer| {
            let view = table.view(game, viewer);
            let seen = serde_json::to_string(&(&view, table.history(game, viewer))).unwrap();
            let thoughts: Vec<_> = ["study", "strong"]
                .map(|name| {
                    let position = view.position(false);
                    let turn = position.turns.last()?;
                    let operative = codenames::players::Operative::parse(name).unwrap();
                    let lm = game.language_model(&view.lang).unwrap();
                    Some((operative.rank(lm, &position, &turn.clue), operative.next(lm, &position)))
                })
                .into_iter()
                .collect();
            format!("{seen} {thoughts:?}")
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn undo_returns_to_exactly_the_earlier_state_and_beliefs(
        seed in 0u64..1000, plies in 1u32..14, back in 0u32..14, duet: bool,
    ) {
        let game = common::game();
        let settings = &settings()[if duet { 2 } else { 0 }];
        let mut table = start(&game, settings, seed);
        let mut rng = GameRng::seed_from_u64(seed);
        let mut past = vec![(table.state().clone(), posteriors(&game, &table))];
        for _ in 0..plies {
            let Some(seat) = table.to_act(&game).iter().next() else { break };
            let action = game.random_action(table.state(), seat, &mut rng).unwrap();
            table.apply(&game, &Event::Action { seat, action }).unwrap();
            past.push((table.state().clone(), posteriors(&game, &table)));
        }
        let keep = back.min(table.ply());
        if keep < table.ply() {
            table.apply(&game, &Event::Undo { keep }).unwrap();
        }
        let (state, thoughts) = &past[keep as usize];
        prop_assert!(table.state() == state);
        prop_assert_eq!(&posteriors(&game, &table), thoughts);
    }
}
