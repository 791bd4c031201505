//! The erased interface tried on the tiny games.

use crate::test_games::{self, Coins, Noughts};
use crate::{ActionError, Catalog, ErasedGame, ServiceRequest};
use game::conformance::{Effort, check};
use game::{Control, Event, Seat, Seed, Setup, TableError, Viewer};
use serde_json::{Value, json};
use std::sync::Arc;

fn game(id: &str) -> Arc<dyn ErasedGame> {
    Arc::clone(test_games::catalog().game(id).expect("a tiny game"))
}

fn setup(game: &dyn ErasedGame, seed: u64) -> Setup<Value> {
    let info = game.info();
    let settings = game.default_settings();
    Setup { rules_version: info.rules_version, settings, seats: info.min_seats, seed: Seed(seed) }
}

#[test]
fn the_tiny_games_are_games() {
    check(&Noughts { newest: 2 }, &[Default::default()], Effort::default());
    check(&Coins, &[Default::default()], Effort::default());
}

#[test]
fn the_real_list_has_no_tiny_game() {
    let catalog = Catalog::load(None);
    for id in ["noughts", "coins"] {
        assert!(catalog.game(id).is_none(), "{id} is only for tests");
    }
}

#[test]
fn a_game_is_played_in_json() {
    let game = game("noughts");
    let mut table = game.open(&setup(&*game, 1), &[]).expect("it starts");
    for (ply, cell) in [0, 4, 1, 8, 2].into_iter().enumerate() {
        let seat = Seat((ply % 2) as u8);
        let text = table.read_action(seat, &cell.to_string()).expect("a cell");
        let event = table.apply(&Event::Action { seat, action: text }).expect("legal");
        assert_eq!(event, Event::Action { seat, action: json!({ "cell": cell }) });
    }
    assert!(table.to_act().is_empty());
    assert_eq!(table.view(Viewer::Spectator)["played"], json!([0, 4, 1, 8, 2]));
    assert_eq!(table.view_at(2, Viewer::Spectator).expect("ply 2 exists")["played"], json!([0, 4]));
    assert_eq!(table.actors(), [Seat(0), Seat(1), Seat(0), Seat(1), Seat(0)]);
    assert_eq!(table.action_at(1), Some((Seat(1), json!({ "cell": 4 }))));
    assert_eq!(table.legal(Seat(1), 100), None);
}

#[test]
fn refusals_say_what_is_wrong() {
    let game = game("noughts");
    let mut table = game.open(&setup(&*game, 1), &[]).expect("it starts");
    let bad = table.apply(&Event::Action { seat: Seat(0), action: json!({ "cell": "x" }) });
    assert!(matches!(bad, Err(ActionError::BadForm(_))), "{bad:?}");
    let out_of_turn = table.apply(&Event::Action { seat: Seat(1), action: json!({ "cell": 1 }) });
    assert_eq!(out_of_turn, Err(ActionError::Table(TableError::NotToAct(Seat(1)))));
    let centre = table.apply(&Event::Action { seat: Seat(0), action: json!({ "cell": 4 }) });
    assert!(matches!(&centre, Err(ActionError::Table(TableError::Rule(rule))) if rule.code == "noughts.centre"));
    assert_eq!(table.ply(), 0);
    assert!(matches!(game.settings(&json!({ "size": 4 })), Err(ActionError::BadForm(_))));
}

#[test]
fn settings_left_out_are_the_defaults() {
    let game = game("coins");
    let (settings, plan) = game.settings(&json!(null)).expect("defaults fit");
    assert_eq!((settings, plan.max), (json!({ "calls": 3 }), 3));
    assert_eq!(game.settings(&json!({})).expect("defaults fit").0, json!({ "calls": 3 }));
    assert!(matches!(game.settings(&json!({ "calls": 0 })), Err(ActionError::Table(TableError::Rule(_)))));
}

#[test]
fn old_rules_replay_and_new_ones_are_refused_clearly() {
    let game = game("noughts");
    let centre = [Event::Action { seat: Seat(0), action: json!({ "cell": 4 }) }];
    let old = Setup { rules_version: 1, ..setup(&*game, 1) };
    assert_eq!(game.open(&old, &centre).expect("version 1 allowed it").ply(), 1);
    assert!(game.open(&setup(&*game, 1), &centre).is_err());
    let newer = Setup { rules_version: 3, ..old };
    let error = game.open(&newer, &[]).err().expect("not known yet");
    assert!(error.to_string().contains("the newest is 2"), "{error}");
}

#[test]
fn bots_and_services_get_the_view_of_their_own_game() {
    let (noughts, coins) = (game("noughts"), game("coins"));
    let table = noughts.open(&setup(&*noughts, 1), &[]).expect("it starts");
    let view = table.view_for(Viewer::Seat(Seat(0)));
    let control = Control::new();
    let budget = noughts.levels()[0].budget;
    let decision = noughts.bot("first").expect("a level").choose(Seat(0), &view, budget, 3, &control);
    let again = noughts.bot("first").expect("a level").choose(Seat(0), &view, budget, 3, &control);
    assert_eq!(decision, again, "same view, budget and seed, same choice");
    assert!(coins.bot("first").expect("a level").choose(Seat(0), &view, budget, 3, &control).is_err());
    let request = |name, view| ServiceRequest { name, body: json!({}), view, viewer: Viewer::Seat(Seat(0)), seed: 0 };
    assert_eq!(noughts.call(request("hint", Some(&view)), &control), Ok(json!({ "cell": 0 })));
    assert!(noughts.call(request("hint", None), &control).is_err());
    assert!(noughts.call(request("nothing", None), &control).is_err());
    assert!(coins.call(request("mine", Some(&view)), &control).is_err());
}

#[test]
fn any_json_is_answered_without_a_panic() {
    bolero::check!().with_type::<String>().with_iterations(2_000).for_each(|text| {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()));
        for game in test_games::catalog().games() {
            let _ = game.settings(&value);
            let mut table = game.open(&setup(&**game, 1), &[]).expect("it starts");
            let _ = table.apply(&Event::Action { seat: Seat(0), action: value.clone() });
            let _ = table.read_action(Seat(0), text);
        }
    });
}
