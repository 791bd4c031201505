//! Every service answers its own example, and says the right things of known positions.

use game::{Control, Event, Game, Needs, Seat, Seed, ServiceCall, ServiceError, Setup, Table, Viewer};
use gomoku::Gomoku;
use gomoku::table::{Settings, View};
use serde_json::{Value, json};

fn call(name: &str, request: Value, view: Option<&View>) -> Result<Value, ServiceError> {
    let game = Gomoku::new();
    let services = game.services();
    let service = services.iter().find(|service| service.name == name).expect("the service exists");
    let control = Control::new();
    service.call(&game, request, ServiceCall { view, viewer: Viewer::Seat(Seat(0)), control: &control, seed: 1 })
}

fn view(stones: &str, rule: &str) -> View {
    let settings = Settings { stones: stones.to_owned(), rule: rule.parse().unwrap(), ..Settings::default() };
    View::of_position(&settings).unwrap()
}

#[test]
fn every_example_works_when_pasted() {
    let view = view("h8i9h9h10", "freestyle");
    for service in Gomoku::new().services() {
        let seen = (service.needs == Needs::View).then_some(&view);
        let answer = call(service.name, service.example.clone(), seen);
        assert!(answer.is_ok(), "{}: {:?}", service.name, answer.err());
    }
}

#[test]
fn a_hint_says_why() {
    let answer = call("hint", json!({ "nodes": 500 }), Some(&view("h8a1i8a3j8a5", "freestyle"))).unwrap();
    assert_eq!(answer["reason"]["makes"], "open_four");
    assert!(answer["note"].as_str().unwrap().contains("makes an open four"), "{answer}");
    assert!(answer["win_probability"].as_f64().unwrap() > 0.9);
}

#[test]
fn threats_are_where_they_are() {
    let answer = call("threats", json!({}), Some(&view("h8a1i8a3j8a5k8b9", "freestyle"))).unwrap();
    let fives: Vec<&str> = answer["threats"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|threat| threat["threat"] == "five")
        .map(|threat| threat["name"].as_str().unwrap())
        .collect();
    assert_eq!(fives, ["G8", "L8"]);
}

#[test]
fn a_review_sees_the_game_decided_where_it_was() {
    // White ignores black's open three at stone 6: from then on black wins by force.
    let request = json!({ "stones": "h8a1i8a3j8a5k8b9l8", "nodes": 500 });
    let answer = call("review_position", request, None).unwrap();
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 9);
    assert_eq!(moves[5]["black_after"], 1.0, "{}", moves[5]);
    assert_eq!(moves[8]["black_after"], 1.0);
}

#[test]
fn games_go_out_and_come_in_again() {
    for format in ["psq", "sgf", "plain"] {
        let file = call("export", json!({ "format": format }), Some(&view("h8i9h9", "renju"))).unwrap();
        let read = call("import", json!({ "text": file["text"] }), None).unwrap();
        assert_eq!(read["plain"], "h8i9h9", "{format}");
        assert_eq!(read["size"], 15);
    }
    let error = call("import", json!({ "text": "(;GM[1])" }), None).unwrap_err().to_string();
    assert!(error.contains("line 1") && error.contains("GM[4]"), "{error}");
}

#[test]
fn what_makes_no_sense_is_refused_with_a_reason() {
    let over = view("h8a1i8a3j8a5k8a7l8", "freestyle");
    for name in ["hint", "analyse", "threats", "heatmap"] {
        let error = call(name, json!({}), Some(&over)).unwrap_err().to_string();
        assert!(error.contains("the game is over"), "{name}: {error}");
    }
    assert!(call("analyse_position", json!({ "stones": "h8h8" }), None).is_err());
    assert!(call("analyse_position", json!({ "stones": "h8", "ms": 100_000_000 }), None).is_err());
    assert!(call("hint", json!({}), None).is_err());
}

#[test]
fn a_bot_finishes_a_swap2_table_against_itself() {
    let game = Gomoku::new();
    let settings = Settings { opening: gomoku::table::Opening::Swap2, size: 9, ..Settings::default() };
    let mut table = Table::new(&game, Setup { rules_version: 1, settings, seats: 2, seed: Seed(1) }).unwrap();
    let mut bot = game.bot("steady").unwrap();
    while !table.is_over(&game) {
        let seat = table.to_act(&game).iter().next().unwrap();
        let view = table.view(&game, Viewer::Seat(seat));
        let budget = game::Budget::Nodes(1);
        let choice = bot.choose(&game, seat, &view, budget, u64::from(table.ply()), &Control::new()).unwrap();
        table.apply(&game, &Event::Action { seat, action: choice.action }).unwrap();
    }
    assert!(game.outcome(table.state()).is_some());
}
