//! Keys over real connections: with another key at the same table, every byte that reaches those who may not know it
//! is the same – answers with their headers, refusals, messages on sockets, clocks.

use crate::common::{Occupant, StoredTable, TABLE, TestServer, ahead, receive};
use crate::indistinguishable::Gate;
use crate::one_board::catalog;
use crate::viewpoint::{Probes, Viewpoint, assert_same, received};
use game::{Seat, Seed, Setup, Viewer};
use serde_json::{Value, json};
use server::Rate;
use std::sync::{Arc, LazyLock};
use store::Secret;

/// What somebody asks who wants to know the key.
static PROBES: LazyLock<Probes> = LazyLock::new(|| {
    let catalog = catalog(Arc::default());
    let clue = json!({ "type": "clue", "word": "ocean", "number": 1 });
    Probes {
        formats: &["cnwa", "cnwae", "jsonl", "no"],
        wrong: vec![json!({ "type": "guess", "card": 77 }), json!({ "type": "no" }), json!(3), clue],
        ..Probes::about(&**catalog.game("codenames").expect("it is listed"), |_| true)
    }
});

/// The key of a table of this seed, as its spymasters see it.
fn key(seed: u64) -> Vec<Value> {
    let catalog = catalog(Arc::default());
    let game = catalog.game("codenames").expect("it is listed");
    let (settings, _) = game.settings(&Value::Null).expect("the default settings are good");
    let setup = Setup { rules_version: 1, settings, seats: 4, seed: Seed(seed) };
    let view = game.open(&setup, &[]).expect("it starts").view(Viewer::Seat(Seat(0)));
    view["cards"].as_array().expect("cards").iter().map(|card| card["key"].clone()).collect()
}

/// A host with one table: a person as red's spymaster and one as its operative, or whoever is given.
async fn host(seed: u64, settings: Value, gate: &Arc<Gate>, seats: &[Occupant<'_>]) -> TestServer {
    let mut host = TestServer::closed();
    let often = Rate { per_second: 1_000_000, burst: 1_000_000 };
    let limits = &mut host.config.limits;
    (limits.per_caller, limits.per_address, limits.per_socket) = (often, often, often);
    let terms = json!({ "size": 4, "clock": { "per_game_ms": 3_600_000, "per_move_ms": 900_000 } });
    host.store_table(StoredTable { game: "codenames", settings, terms, seed, seats }).await;
    host.start(catalog(Arc::clone(gate))).await;
    host
}

/// What reaches the operative, a guest who looks on and somebody without a name while red plays a turn and the
/// computer's spymaster thinks. Red's clue means what the key says; `card` is red's.
async fn scenario(seed: u64, settings: Value, card: usize) -> Vec<Vec<String>> {
    let (gate, master, operative) = (Arc::new(Gate::default()), Secret::generate(), Secret::generate());
    let people = [Occupant::Person("ada", Some(&master)), Occupant::Person("bob", Some(&operative))];
    let seats = people.into_iter().chain([Occupant::Bot("strong"), Occupant::Bot("strong")]).collect::<Vec<_>>();
    let host = host(seed, settings, &gate, &seats).await;
    let with = |secret: &Secret| host.stranger().holding(secret);
    let (master, operative) = (with(&master), with(&operative));
    let mut viewpoints = Vec::new();
    for client in [operative.clone(), host.guest().await, host.stranger()] {
        viewpoints.push(Viewpoint::new(client).await);
    }
    let key = key(seed);
    let meant: Vec<usize> = (0..25).filter(|&at| key[at] == json!("red")).take(3).collect();
    let clue = json!({ "type": "clue", "word": "ocean", "number": 2, "meant": meant });
    let turn = [
        (&master, clue),
        (&operative, json!({ "type": "guess", "card": card })),
        (&operative, json!({ "type": "stop" })),
    ];
    for viewpoint in &mut viewpoints {
        viewpoint.receive(0).await;
        viewpoint.probe_everything(&PROBES).await;
    }
    for (ply, (actor, action)) in (1..).zip(turn) {
        let answer = actor.post(&format!("/tables/{TABLE}/actions"), json!({ "action": action })).await;
        assert_eq!(answer.status, 200, "{}", received(&answer));
        for viewpoint in &mut viewpoints {
            if ply < 3 {
                viewpoint.receive(ply).await;
            } else {
                viewpoint.receive_thinking(ply).await;
            }
            viewpoint.received.push(received(&answer));
            viewpoint.probe_everything(&PROBES).await;
        }
    }
    gate.open();
    // the clue that the computer then gives is for everybody
    for viewpoint in &mut viewpoints {
        receive(&mut viewpoint.socket, |message| message["table"]["ply"].as_u64() >= Some(4)).await;
    }
    viewpoints.into_iter().map(|viewpoint| viewpoint.received).collect()
}

#[tokio::test]
async fn another_key_changes_no_byte_of_what_others_receive() {
    for pair in 0..3 {
        let (one, other) = (key(pair), key(pair + 100));
        assert_ne!(one, other);
        let card = (0..25).find(|&at| one[at] == json!("red") && other[at] == json!("red")).expect("nine of 25 twice");
        let (first, second) = (scenario(pair, json!({}), card).await, scenario(pair + 100, json!({}), card).await);
        assert!(
            first.iter().all(|received| received.len() > 200),
            "{:?}",
            first.iter().map(Vec::len).collect::<Vec<_>>()
        );
        assert_same(&first, &second);
    }
}

#[tokio::test]
async fn what_is_known_of_a_person_is_shown_to_nobody() {
    let card = (0..25).find(|&at| key(1)[at] == json!("red")).expect("nine of 25");
    let of = |person: Value| scenario(1, json!({ "person": person }), card);
    let person = json!({ "leanings": { "usage": 250 }, "pairs": [["ocean", "whale"]], "turns": 12 });
    let (first, second) = (of(json!({})).await, of(person).await);
    assert_same(&first, &second);
}

#[tokio::test]
async fn a_card_that_turns_out_otherwise_is_noticed() {
    let (one, other) = (key(0), key(100));
    let card = (0..25).find(|&at| one[at] == json!("red") && other[at] != json!("red")).expect("the keys differ");
    let look = async |seed: u64| {
        let (gate, master) = (Arc::new(Gate::default()), Secret::generate());
        let person = |token| Occupant::Person("ada", token);
        let seats = [person(Some(&master)), person(Some(&master)), Occupant::Bot("strong"), Occupant::Bot("strong")];
        let host = host(seed, json!({}), &gate, &seats).await;
        let ada = host.stranger().holding(&master);
        let mut stranger = Viewpoint::new(host.stranger()).await;
        for action in
            [json!({ "type": "clue", "word": "ocean", "number": 2 }), json!({ "type": "guess", "card": card })]
        {
            ada.post(&format!("/tables/{TABLE}/actions"), json!({ "action": action })).await;
        }
        stranger.receive(2).await;
        gate.open();
        stranger.received
    };
    assert_ne!(look(0).await, look(100).await, "what was turned is no secret: the comparison is not blind");
}

#[tokio::test]
async fn a_clue_made_ahead_shows_nowhere_while_the_table_waits() {
    let look = async |seed: u64| {
        let gate = Arc::new(Gate::default());
        gate.open();
        let seats = [Occupant::Bot("strong"), Occupant::Nobody, Occupant::Bot("strong"), Occupant::Bot("strong")];
        let host = host(seed, json!({}), &gate, &seats).await;
        let before = ahead(&host.stranger(), "bot", "made").await;
        let mut viewpoints = Vec::new();
        for client in [host.guest().await, host.stranger()] {
            viewpoints.push(Viewpoint::new(client).await);
        }
        for viewpoint in &mut viewpoints {
            viewpoint.probe_everything(&PROBES).await;
        }
        while ahead(&host.stranger(), "bot", "made").await == before {
            tokio::task::yield_now().await;
        }
        for viewpoint in &mut viewpoints {
            viewpoint.probe_everything(&PROBES).await;
        }
        viewpoints.into_iter().map(|viewpoint| viewpoint.received).collect::<Vec<_>>()
    };
    assert_same(&look(0).await, &look(100).await);
}
