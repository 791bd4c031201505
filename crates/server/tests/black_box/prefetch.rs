//! What is made before it is asked for is what would have been made then.

use crate::common::{Client, Occupant, StoredTable, TABLE, TestServer, ahead};
use crate::indistinguishable::Gate;
use crate::one_board::catalog;
use serde_json::{Value, json};
use std::sync::Arc;
use store::Store;

/// A host with a table at which the computer gives red's first clue once `waiting` is taken.
async fn host(made_ahead: usize, seed: u64) -> TestServer {
    let gate = Arc::new(Gate::default());
    gate.open();
    let mut host = TestServer::closed();
    host.config.limits.prefetched = made_ahead;
    let seats = [Occupant::Bot("strong"), Occupant::Nobody, Occupant::Bot("strong"), Occupant::Bot("novice")];
    let (settings, terms) = (json!({}), json!({ "size": 4 }));
    host.store_table(StoredTable { game: "codenames", settings, terms, seed, seats: &seats }).await;
    host.start(catalog(gate)).await;
    host
}

/// Waits until one more answer of a kind was made than `before`.
async fn until_made(client: &Client, kind: &str, before: u64) {
    while ahead(client, kind, "made").await <= before {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
}

/// The first action of the table as the log has it, once the free seat is taken as `request` says.
async fn first_action(mut host: TestServer, request: Value) -> Value {
    let bob = host.guest().await;
    let sat = bob.post(&format!("/tables/{TABLE}/seats/1"), request).await;
    assert_eq!(sat.status, 200, "{}", String::from_utf8_lossy(&sat.bytes));
    bob.until(TABLE, |table| table["ply"].as_u64() >= Some(1)).await;
    host.stop().await;
    let store = Store::open(&host.store_address()).await.expect("the store opens");
    let log = store.log(TABLE, 0).await.expect("it is readable");
    store.close().await;
    let records = log.iter().map(|entry| serde_json::from_str::<Value>(&entry.body).expect("JSON"));
    records.into_iter().find(|record| record["record"] == json!("play")).expect("somebody acted")["event"].clone()
}

#[tokio::test]
async fn a_first_clue_made_ahead_is_the_clue_that_would_be_given() {
    for seed in [3, 4, 5] {
        let with = host(8, seed).await;
        let figures = with.stranger();
        let before = (ahead(&figures, "bot", "made").await, ahead(&figures, "bot", "hit").await);
        // the table comes into memory when somebody looks at it
        figures.see(TABLE).await;
        until_made(&figures, "bot", before.0).await;
        let early = first_action(with, json!({ "kind": "me" })).await;
        let without = host(0, seed).await;
        let figures = without.stranger();
        assert_eq!(ahead(&figures, "bot", "hit").await, before.1 + 1, "the clue was there");
        assert_eq!(first_action(without, json!({ "kind": "me" })).await, early);
        assert_eq!(early["action"]["type"], json!("clue"));
        assert!(!early["action"]["meant"].as_array().expect("cards").is_empty());
    }
}

#[tokio::test]
async fn a_clue_for_people_is_not_given_to_a_program() {
    let with = host(8, 3).await;
    let figures = with.stranger();
    figures.see(TABLE).await;
    until_made(&figures, "bot", 0).await;
    // nobody sits here yet, so that anybody may seat the computer
    let early = first_action(with, json!({ "kind": "bot", "level": "strong" })).await;
    let without = host(0, 3).await;
    assert_eq!(ahead(&without.stranger(), "bot", "hit").await, 0, "it was made for a person");
    assert_eq!(first_action(without, json!({ "kind": "bot", "level": "strong" })).await, early);
}

#[tokio::test]
async fn a_phone_session_finds_its_first_clue_made() {
    let words = "sailor whale violin drum knife oven judge prison rocket comet lion zebra castle queen".split(' ');
    let role = |at: usize| ["own", "own", "enemy", "bystander", "own", "enemy", "assassin"][at % 7];
    let cards: Vec<Value> = words.enumerate().map(|(at, word)| json!({ "word": word, "role": role(at) })).collect();
    let board = json!({ "board": { "lang": "en", "words": cards } });
    let mut hints = Vec::new();
    for made_ahead in [8, 0] {
        let host = host(made_ahead, 1).await;
        let phone = host.stranger();
        let (made, hit) = (ahead(&phone, "service", "made").await, ahead(&phone, "service", "hit").await);
        let begun = phone.post("/codenames/mobile_spymaster_init", board.clone()).await.json();
        if made_ahead > 0 {
            until_made(&phone, "service", made).await;
        }
        let request = json!({ "session": begun["session"] });
        let hint = phone.post("/codenames/mobile_spymaster_request_hint", request).await;
        assert_eq!(hint.status, 200);
        assert_eq!(ahead(&phone, "service", "hit").await, hit + u64::from(made_ahead > 0));
        hints.push(hint.json());
    }
    assert_eq!(hints[0], hints[1]);
    assert!(hints[0]["hint"]["clue"].is_string(), "{}", hints[0]);
}
