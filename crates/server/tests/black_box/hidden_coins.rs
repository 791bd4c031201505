//! What a seat may not know is not sent: tables that differ only in hidden data give byte-identical answers.

use crate::common::{Client, Occupant, StoredTable, TABLE, TestServer, receive, send_message};
use catalog::test_games;
use game::{Seat, Seed, Setup, Viewer};
use serde_json::{Value, json};
use store::Secret;

/// The coins that a seed deals.
fn coins(seed: u64) -> Vec<bool> {
    let catalog = test_games::catalog();
    let game = catalog.game("coins").expect("a tiny game");
    let setup = Setup { rules_version: 1, settings: json!({ "calls": 4 }), seats: 3, seed: Seed(seed) };
    let table = game.open(&setup, &[]).expect("it starts");
    Seat::all(3).map(|seat| table.view(Viewer::Seat(seat))["mine"] == json!(true)).collect()
}

/// Two seeds that `viewer` cannot tell apart, though they deal differently to everybody else.
fn twins(viewer: Viewer) -> (u64, u64) {
    let base = coins(0);
    let same = |seat: usize| viewer == Viewer::Seat(Seat(seat as u8));
    let twin = (1..1_000).find(|&seed| (0..3).all(|seat| (coins(seed)[seat] == base[seat]) == same(seat)));
    (0, twin.expect("some seed deals so"))
}

/// A host with one table of three: Ada on seat 1, a bot on seat 2, Bob on seat 3; written down, not made by chance.
async fn host(seed: u64, secret: &Secret) -> TestServer {
    let mut host = TestServer::closed();
    host.config.thinkers = 1;
    let seats = [Occupant::Person("ada", Some(secret)), Occupant::Bot("first"), Occupant::Person("bob", None)];
    let terms = json!({ "size": 3 });
    host.store_table(StoredTable { game: "coins", settings: json!({ "calls": 4 }), terms, seed, seats: &seats }).await;
    host.start(test_games::catalog()).await;
    host
}

/// Everything that reaches one viewer while seat 1 and the bot act once, as text.
async fn everything(seed: u64, seat: Option<Seat>) -> Vec<String> {
    let secret = Secret::generate();
    let host = host(seed, &secret).await;
    let actor = host.stranger().holding(&secret);
    let viewer = if seat == Some(Seat(0)) { actor.clone() } else { host.stranger() };
    let mut received = look(&viewer).await;
    let mut socket = viewer.socket(TABLE).await;
    let before = receive(&mut socket, |message| message.get("table").is_some()).await;
    received.push(before.to_string());
    let acted = actor.post(&format!("/tables/{TABLE}/actions"), json!({ "action": true })).await;
    received.push(String::from_utf8_lossy(&acted.bytes).into_owned());
    // The bot answers; its thought names its coin and must stay with it while the game runs.
    loop {
        let message = receive(&mut socket, |_| true).await;
        if message.get("thinking").is_some() {
            received.push(message.to_string());
        }
        if message["table"]["ply"] == json!(2) {
            received.push(steady(message).to_string());
            break;
        }
    }
    send_message(&mut socket, json!({ "hello": { "seq": 0 } })).await;
    received.push(steady(receive(&mut socket, |message| message.get("missed").is_some()).await).to_string());
    received.extend(look(&viewer).await);
    received
}

/// What of a view depends on when the bot was quick enough.
fn steady(mut message: Value) -> Value {
    message["table"]["thinking"] = Value::Null;
    message
}

async fn look(viewer: &Client) -> Vec<String> {
    let mut received = Vec::new();
    for path in ["", "/view?at=0", "/view?at=1", "?seat=0", "?seat=1", "?seat=2", "/export?format=x"] {
        received.push(String::from_utf8_lossy(&viewer.get(&format!("/tables/{TABLE}{path}")).await.bytes).into_owned());
    }
    let service = viewer.post(&format!("/tables/{TABLE}/services/mine"), json!({})).await;
    received.push(String::from_utf8_lossy(&service.bytes).into_owned());
    let wrong = viewer.post(&format!("/tables/{TABLE}/actions"), json!({ "action": "x", "seat": 2 })).await;
    received.push(String::from_utf8_lossy(&wrong.bytes).into_owned());
    let undo = viewer.post(&format!("/tables/{TABLE}/undo"), json!({})).await;
    received.push(String::from_utf8_lossy(&undo.bytes).into_owned());
    let list = viewer.get("/tables").await.json();
    received.push(list[0]["seats"].to_string());
    received
}

#[tokio::test]
async fn hidden_coins_change_no_byte_of_what_others_get() {
    for viewer in [Viewer::Spectator, Viewer::Seat(Seat(0))] {
        let (one, other) = twins(viewer);
        let (first, second) = (everything(one, viewer.seat()).await, everything(other, viewer.seat()).await);
        assert_eq!(first.len(), second.len());
        for (first, second) in first.iter().zip(&second) {
            assert_eq!(first, second, "{viewer:?}");
        }
    }
}

#[tokio::test]
async fn the_viewer_would_notice_a_difference_it_may_know() {
    let (one, other) = twins(Viewer::Spectator);
    let (first, second) = (everything(one, Some(Seat(0))).await, everything(other, Some(Seat(0))).await);
    assert_ne!(first, second, "one's own coin is no secret to oneself: the comparison is not blind");
}

#[tokio::test]
async fn at_the_end_everything_is_shown() {
    let secret = Secret::generate();
    let host = host(0, &secret).await;
    let ada = host.stranger().holding(&secret);
    assert_eq!(ada.post(&format!("/tables/{TABLE}/actions"), json!({ "action": true })).await.status, 200);
    let running = ada.until(TABLE, |table| table["ply"] == json!(2)).await;
    assert_eq!(running["thoughts"], json!([]), "the bot's thought names its coin");
    ada.post(&format!("/tables/{TABLE}/resign"), json!({})).await;
    let over = ada.see(TABLE).await;
    assert_eq!(over["thoughts"].as_array().map(Vec::len), Some(1));
}
