//! The stated rules: flag fall, restarts, abandoned tables, retention, rules versions.

use crate::common::{TestServer, against};
use catalog::test_games::Noughts;
use catalog::{Catalog, erase};
use serde_json::json;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test]
async fn whoever_runs_out_of_time_loses() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let mut request = against("me");
    request["clock"] = json!({ "per_game_ms": 400, "increment_ms": 100 });
    let id = ada.table(request).await;
    assert_eq!(ada.cell(&id, 0).await.status, 200);
    let table = ada.see(&id).await;
    assert_eq!(table["clock"]["running"], json!([1]));
    let left = table["clock"]["seats"][0]["left_ms"].as_u64().expect("a number");
    assert!((1..=500).contains(&left), "{left}");
    let over = ada.until(&id, |table| table["state"] == "over").await;
    assert_eq!(over["outcome"]["reason"], json!("time"));
    assert_eq!(over["outcome"]["results"], json!(["won", "lost"]));
    assert_eq!(ada.cell(&id, 1).await.code(), "table.over");
}

#[tokio::test]
async fn a_limit_per_action_falls_too() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let mut request = against("me");
    request["clock"] = json!({ "per_move_ms": 300 });
    let id = ada.table(request).await;
    assert!(ada.see(&id).await["clock"]["per_move_left_ms"].as_u64().is_some_and(|left| left <= 300));
    let over = ada.until(&id, |table| table["state"] == "over").await;
    assert_eq!(over["outcome"]["results"], json!(["lost", "won"]));
}

#[tokio::test]
async fn games_go_on_after_a_restart_and_the_pause_is_not_charged() {
    let mut host = TestServer::open().await;
    let mut ada = host.guest().await;
    let mut request = against("me");
    request["clock"] = json!({ "per_game_ms": 60_000 });
    let timed = ada.table(request).await;
    ada.cell(&timed, 0).await;
    let bots =
        json!({ "game": "coins", "settings": { "calls": 300 }, "seats": [{ "kind": "bot" }, { "kind": "bot" }] });
    let playing = ada.table(bots).await;
    let slow = json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": "bot", "level": "slow" }] });
    let thinking = ada.table(slow).await;
    ada.cell(&thinking, 0).await;
    ada.until(&thinking, |table| table["thinking"]["note"] == json!("thinking")).await;
    host.stop().await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    host.start(catalog::test_games::catalog()).await;
    ada.address = host.address.clone();
    let table = ada.see(&timed).await;
    let left = table["clock"]["seats"][1]["left_ms"].as_u64().expect("a number");
    assert!(left > 59_000, "the pause is not charged: {left}");
    // Nobody looks at it: the server wakes it by itself.
    ada.until(&playing, |table| table["state"] == "over").await;
    ada.until(&thinking, |table| table["thinking"]["seat"] == json!(1)).await;
}

#[tokio::test]
async fn abandoned_tables_are_closed_without_a_result() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let (left, watched) = (ada.table(against("me")).await, ada.table(against("me")).await);
    ada.cell(&left, 0).await;
    let _looking = ada.socket(&watched).await;
    host.server().sweep_after(6 * DAY).await.expect("it is tidied");
    assert_eq!(ada.see(&left).await["state"], json!("running"), "six days are not long");
    host.server().sweep_after(8 * DAY).await.expect("it is tidied");
    let over = ada.see(&left).await;
    assert_eq!((over["state"].clone(), over["outcome"]["reason"].clone()), (json!("over"), json!("abandoned")));
    assert_eq!(over["outcome"]["results"], json!([]));
    assert_eq!(ada.see(&watched).await["state"], json!("running"), "somebody is there");
}

#[tokio::test]
async fn tables_nobody_came_to_and_old_games_are_removed() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let (waiting, finished) = (ada.table(against("open")).await, ada.table(against("me")).await);
    ada.post(&format!("/tables/{finished}/resign"), json!({})).await;
    host.server().sweep_after(DAY / 2).await.expect("it is tidied");
    assert_eq!(ada.get(&format!("/tables/{waiting}")).await.status, 200);
    host.server().sweep_after(2 * DAY).await.expect("it is tidied");
    assert_eq!(ada.get("/tables?state=waiting").await.json(), json!([]));
    assert_eq!(ada.get("/tables?state=finished").await.json().as_array().map(Vec::len), Some(1));
    host.server().sweep_after(366 * DAY).await.expect("it is tidied");
    assert_eq!(ada.get("/tables?state=finished").await.json(), json!([]));
}

#[tokio::test]
async fn finished_games_may_be_kept_for_ever() {
    let host = TestServer::with(|config| config.retention.finished_for = None).await;
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    ada.post(&format!("/tables/{id}/resign"), json!({})).await;
    host.server().sweep_after(4_000 * DAY).await.expect("it is tidied");
    assert_eq!(ada.get("/tables?state=finished").await.json().as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn games_replay_under_the_rules_they_were_started_with() {
    let version = |newest| Catalog::of(vec![erase(Noughts { newest })]);
    let mut host = TestServer::open().await;
    host.stop().await;
    host.start(version(1)).await;
    let mut ada = host.guest().await;
    let id = ada.table(against("me")).await;
    assert_eq!(ada.cell(&id, 4).await.status, 200, "version 1 lets the first cross take the centre");

    host.stop().await;
    host.start(version(2)).await;
    ada.address = host.address.clone();
    let table = ada.see(&id).await;
    assert_eq!((table["rules_version"].clone(), table["ply"].clone()), (json!(1), json!(1)));
    assert_eq!(ada.cell(&id, 0).await.status, 200, "it goes on under version 1");
    let newer = ada.table(against("me")).await;
    assert_eq!(ada.cell(&newer, 4).await.code(), "noughts.centre", "new tables have the new rules");

    // Back to a program that does not know version 2: the newer table is refused clearly and not harmed.
    host.stop().await;
    host.start(version(1)).await;
    ada.address = host.address.clone();
    let refused = ada.get(&format!("/tables/{newer}")).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "table.rules_version"));
    host.stop().await;
    host.start(version(2)).await;
    ada.address = host.address.clone();
    assert_eq!(ada.cell(&newer, 0).await.status, 200);
}
