//! Every service answers its own example where the words are known, or says what is wrong.

mod common;

use game::{Control, Game, Needs, ServiceCall, Viewer};
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
