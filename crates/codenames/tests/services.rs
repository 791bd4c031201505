//! Every service answers its own example where the words are known, or says what is wrong.

mod common;

use codenames::formats::read_turns;
use codenames::table::Settings;
use game::conformance::start;
use game::{Budget, Control, Event, Game, Needs, ServiceCall, Viewer};
use serde_json::json;

#[test]
fn examples_of_free_services_work_when_pasted() {
    let game = common::game();
    for service in game.services().iter().filter(|s| s.needs == Needs::Nothing) {
        let control = Control::new();
        let call = ServiceCall { view: None, viewer: Viewer::Spectator, control: &control, seed: 1 };
        let answer = service.call(&game, service.example.clone(), call);
        assert!(answer.is_ok(), "{}: {:?}", service.name, answer.err());
    }
}

#[test]
fn a_session_remembers_and_forgets() {
    let game = common::game();
    let services = game.services();
    let call = |name: &str, request: serde_json::Value| {
        let control = Control::new();
        let call = ServiceCall { view: None, viewer: Viewer::Spectator, control: &control, seed: 1 };
        services.iter().find(|s| s.name == name).unwrap().call(&game, request, call).unwrap()
    };
    let words = ["whale", "anchor", "drum", "opera", "lion"];
    let board = json!({ "lang": "en", "words": words.map(|w| json!({ "word": w })) });
    let begun = call("mobile_operative_init", json!({ "board": board }));
    let heard = call("mobile_operative_send_hint", json!({ "session": begun["session"], "clue": "reef", "number": 2 }));
    let first = heard["next"]["word"].as_str().unwrap().to_owned();
    assert!(["whale", "anchor"].contains(&first.as_str()), "{first}");
    let played =
        call("mobile_operative_played_word", json!({ "session": heard["session"], "word": first, "role": "own" }));
    assert_ne!(played["next"]["word"], json!(first));
    let back = call("mobile_operative_undo", json!({ "session": played["session"] }));
    assert_eq!(back["session"], heard["session"]);
}

#[test]
fn turns_are_exported_with_what_the_viewer_may_know() {
    let game = common::game();
    let mut table = start(&game, &Settings::default(), 5);
    let mut bot = game.bot("strong").unwrap();
    let services = game.services();
    let export = services.iter().find(|s| s.name == "export").unwrap();
    let records = |table: &game::Table<codenames::Codenames>, viewer: Viewer, format: &str| {
        let (view, control) = (table.view(&game, viewer), Control::new());
        let call = ServiceCall { view: Some(&view), viewer, control: &control, seed: 1 };
        let file = export.call(&game, json!({ "format": format }), call).unwrap();
        read_turns(file["text"].as_str().unwrap()).unwrap()
    };
    while let Some(seat) = table.to_act(&game).iter().next() {
        let view = table.view(&game, Viewer::Seat(seat));
        let choice = bot.choose(&game, seat, &view, Budget::Nodes(1), 5, &Control::new()).unwrap();
        table.apply(&game, &Event::Action { seat, action: choice.action }).unwrap();
        if game.outcome(table.state()).is_none() {
            assert!(records(&table, Viewer::Spectator, "cnwa").is_empty(), "nobody else may know before the end");
        }
    }
    let view = table.view(&game, Viewer::Spectator);
    for format in ["cnwa", "jsonl", "cnwae"] {
        let turns = records(&table, Viewer::Spectator, format);
        assert_eq!(turns.len(), view.turns.len(), "{format}");
        let mut open = 25;
        for (turn, seen) in turns.iter().zip(&view.turns) {
            assert_eq!((turn.board.len(), &turn.clue), (open, &seen.word));
            assert!(!turn.targets.is_empty() && turn.targets.iter().all(|t| turn.board.contains(t)));
            open -= seen.guesses.len();
        }
    }
}
