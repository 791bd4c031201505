//! Tables from the outside: make, join, play, take back, give up, once more.

use crate::common::{TestServer, against};
use hyper::Method;
use serde_json::json;

#[tokio::test]
async fn requests_that_race_on_a_first_visit_are_one_guest() {
    let host = TestServer::open().await;
    let mut visitor = host.stranger();
    visitor.cookie = Some(visitor.send(Method::GET, "/", None, &[]).await.cookie());
    let again = visitor.send(Method::GET, "/t/1", None, &[]).await;
    assert!(!again.headers.contains_key("set-cookie"), "a browser keeps the cookie it has");
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let visitor = visitor.clone();
            tokio::spawn(async move { visitor.get("/me").await.json()["guest"]["id"].clone() })
        })
        .collect();
    let mut ids = Vec::new();
    for call in calls {
        ids.push(call.await.expect("an answer"));
    }
    assert!(ids[0].is_string() && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[tokio::test]
async fn a_game_against_the_computer_goes_to_its_end() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let id = ada.table(json!({ "game": "noughts" })).await;
    let mut table = ada.see(&id).await;
    assert_eq!(table["seats"][0]["me"], json!(true));
    assert_eq!(table["seats"][1]["kind"], json!("bot"));
    assert_eq!(table["viewer"], json!(0));
    while table["state"] == "running" {
        let action = table["legal"][0]["action"].clone();
        let ply = table["ply"].clone();
        let answer = ada.post(&format!("/tables/{id}/actions"), json!({ "action": action, "expect_ply": ply })).await;
        assert_eq!(answer.status, 200, "{:?}", answer.json());
        table = ada.until(&id, |table| table["state"] == "over" || table["to_act"] == json!([0])).await;
    }
    assert!(table["outcome"]["results"].as_array().is_some_and(|results| results.len() == 2));
    assert!(!table["thoughts"].as_array().expect("thoughts").is_empty(), "the computer says what it thought");
    assert_eq!(ada.cell(&id, 8).await.code(), "table.over");
    let first = ada.get(&format!("/tables/{id}/view?at=1")).await.json();
    assert_eq!(first["view"]["played"].as_array().map(Vec::len), Some(1));
    assert_eq!(ada.get(&format!("/tables/{id}/view?at=99")).await.status, 422);
}

#[tokio::test]
async fn two_people_meet_by_link_and_others_only_watch() {
    let host = TestServer::open().await;
    let (ada, bob, eve) = (host.guest().await, host.guest().await, host.guest().await);
    let id = ada.table(against("open")).await;
    let waiting = ada.see(&id).await;
    assert_eq!((waiting["state"].as_str(), waiting["view"].is_null()), (Some("waiting"), true));
    assert_eq!(waiting["invite_url"], json!(format!("http://127.0.0.1/t/{id}")));
    assert_eq!(ada.cell(&id, 0).await.code(), "table.waiting");
    let seated = bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "me" })).await;
    assert_eq!(seated.status, 200);
    assert_eq!(eve.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "me" })).await.status, 409);
    assert_eq!(eve.post(&format!("/tables/{id}/seats/7"), json!({ "kind": "me" })).await.status, 404);
    assert_eq!(ada.see(&id).await["state"], json!("running"));

    assert_eq!(eve.cell(&id, 0).await.code(), "table.not_seated");
    assert_eq!(bob.cell(&id, 0).await.code(), "table.not_to_act");
    assert_eq!(ada.cell(&id, 0).await.status, 200);
    assert_eq!(ada.cell(&id, 1).await.code(), "table.not_to_act");
    assert_eq!(bob.cell(&id, 0).await.code(), "noughts.occupied");
    assert_eq!(bob.cell(&id, 0).await.status, 422);
    let wrong_seat = bob.post(&format!("/tables/{id}/actions"), json!({ "text": "1", "seat": 0 })).await;
    assert_eq!((wrong_seat.status, wrong_seat.code().as_str()), (403, "table.not_your_seat"));
    assert_eq!(bob.post(&format!("/tables/{id}/actions"), json!({ "text": "1" })).await.status, 200);
    assert_eq!(eve.see(&id).await["viewer"], json!(null));
    assert_eq!(eve.see(&id).await["legal"], json!(null));
    assert_eq!(eve.post(&format!("/tables/{id}/resign"), json!({})).await.status, 403);

    assert_eq!(bob.post(&format!("/tables/{id}/resign"), json!({})).await.status, 200);
    let over = ada.see(&id).await;
    assert_eq!(over["outcome"]["results"], json!(["won", "lost"]));
    assert_eq!(over["outcome"]["reason"], json!("resigned"));

    assert_eq!(eve.post(&format!("/tables/{id}/rematch"), json!({})).await.status, 403);
    let rematch = bob.post(&format!("/tables/{id}/rematch"), json!({})).await.json();
    assert_eq!(ada.post(&format!("/tables/{id}/rematch"), json!({})).await.json(), rematch, "one rematch for both");
    assert_eq!(ada.see(&id).await["rematch"], rematch);
    let next = rematch["id"].as_str().expect("an id");
    assert_eq!(bob.see(next).await["viewer"], json!(0), "seats are swapped");
    assert_eq!(ada.see(next).await["viewer"], json!(1));

    let mine = ada.get("/me").await.json();
    let ids: Vec<_> = mine["tables"].as_array().expect("tables").iter().map(|table| table["id"].clone()).collect();
    assert_eq!(ids, [json!(next), json!(id)], "running games come first");
    let listed = eve.get("/tables?game=noughts&state=finished").await.json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(listed[0]["seats"][0]["player"]["name"].as_str().map(|name| name.starts_with("Guest")), Some(true));
}

#[tokio::test]
async fn a_program_plays_with_the_token_of_its_seat() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let made =
        ada.post("/tables", json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": "me" }] })).await.json();
    let id = made["table"]["id"].as_str().expect("an id").to_owned();
    let token = |seat: usize| made["seat_tokens"][seat]["token"].as_str().map(str::to_owned);
    let mut first = host.stranger();
    first.token = token(0);
    let mut second = host.stranger();
    second.token = token(1);
    assert_eq!(second.cell(&id, 0).await.code(), "table.not_to_act");
    assert_eq!(first.cell(&id, 0).await.status, 200);
    assert_eq!(first.see(&id).await["viewer"], json!(0));
    let mut wrong = host.stranger();
    wrong.token = Some("0".repeat(64));
    assert_eq!(wrong.cell(&id, 1).await.status, 403);
    // Both seats are Ada's: whoever is to act is meant.
    assert_eq!(ada.cell(&id, 1).await.status, 200);
    assert_eq!(ada.see(&id).await["viewer"], json!(0));
    assert_eq!(ada.get(&format!("/tables/{id}?seat=1")).await.json()["viewer"], json!(1));
}

#[tokio::test]
async fn a_repeated_action_is_acknowledged_and_not_played_twice() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    let act = |cell: u8, ply: u32| json!({ "action": { "cell": cell }, "expect_ply": ply });
    let path = format!("/tables/{id}/actions");
    assert_eq!(ada.post(&path, act(0, 0)).await.json()["ply"], json!(1));
    assert_eq!(ada.post(&path, act(0, 0)).await.json()["ply"], json!(1), "the same again");
    assert_eq!(ada.post(&path, act(1, 0)).await.code(), "table.ply", "another one at that place");
    assert_eq!(ada.post(&path, act(1, 5)).await.code(), "table.ply", "a place that is not reached");
    assert_eq!(ada.see(&id).await["ply"], json!(1));
}

#[tokio::test]
async fn taking_back_needs_the_agreement_of_people() {
    let host = TestServer::open().await;
    let (ada, bob) = (host.guest().await, host.guest().await);
    let id = ada.table(against("open")).await;
    bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "me" })).await;
    ada.cell(&id, 0).await;
    bob.cell(&id, 1).await;
    let undo = format!("/tables/{id}/undo");
    assert_eq!(bob.post(&undo, json!({ "accept": true })).await.code(), "table.no_offer");
    assert_eq!(ada.post(&undo, json!({})).await.status, 200);
    assert_eq!(bob.see(&id).await["undo_offer"], json!({ "by": 0, "keep": 0 }));
    assert_eq!(bob.see(&id).await["ply"], json!(2), "an offer changes nothing");
    assert_eq!(ada.post(&undo, json!({ "accept": true })).await.status, 409, "one cannot agree with oneself");
    assert_eq!(bob.post(&undo, json!({ "accept": false })).await.status, 200);
    assert_eq!(bob.see(&id).await["undo_offer"], json!(null));
    ada.post(&undo, json!({ "keep": 1 })).await;
    assert_eq!(bob.post(&undo, json!({ "accept": true })).await.status, 200);
    let table = ada.see(&id).await;
    assert_eq!((table["ply"].clone(), table["undo_offer"].clone()), (json!(1), json!(null)));
    assert_eq!(ada.post(&format!("/tables/{id}/redo"), json!({})).await.code(), "table.redo_alone");
}

#[tokio::test]
async fn against_the_computer_one_takes_back_and_plays_again_at_once() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let id = ada.table(json!({ "game": "noughts" })).await;
    ada.cell(&id, 0).await;
    let before = ada.until(&id, |table| table["ply"] == json!(2)).await;
    assert_eq!(ada.post(&format!("/tables/{id}/undo"), json!({})).await.status, 200);
    let back = ada.see(&id).await;
    assert_eq!((back["ply"].clone(), back["can_redo"].clone()), (json!(0), json!(true)));
    assert_eq!(back["thoughts"], json!([]));
    assert_eq!(ada.post(&format!("/tables/{id}/undo"), json!({})).await.code(), "table.nothing_to_undo");
    assert_eq!(ada.post(&format!("/tables/{id}/redo"), json!({})).await.status, 200);
    let again = ada.see(&id).await;
    assert_eq!((again["view"].clone(), again["can_redo"].clone()), (before["view"].clone(), json!(false)));
    assert_eq!(ada.post(&format!("/tables/{id}/redo"), json!({})).await.code(), "table.nothing_to_redo");
    ada.post(&format!("/tables/{id}/undo"), json!({})).await;
    ada.cell(&id, 2).await;
    assert_eq!(
        ada.until(&id, |table| table["ply"] == json!(2)).await["can_redo"],
        json!(false),
        "another way was taken"
    );
}

#[tokio::test]
async fn a_slow_thought_is_stopped_by_taking_back_and_giving_up() {
    let host = TestServer::with(|config| config.thinkers = 1).await;
    let ada = host.guest().await;
    let slow = json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": "bot", "level": "slow" }] });
    let id = ada.table(slow.clone()).await;
    ada.cell(&id, 0).await;
    ada.until(&id, |table| table["thinking"]["note"] == json!("thinking")).await;
    assert_eq!(ada.post(&format!("/tables/{id}/undo"), json!({})).await.status, 200);
    let table = ada.see(&id).await;
    assert_eq!((table["ply"].clone(), table["thinking"].clone()), (json!(0), json!(null)));
    ada.cell(&id, 0).await;
    assert_eq!(ada.post(&format!("/tables/{id}/resign"), json!({})).await.status, 200);
    // The only thinker is free again: another table's bot answers at once.
    let other = ada.table(json!({ "game": "noughts" })).await;
    ada.cell(&other, 0).await;
    ada.until(&other, |table| table["ply"] == json!(2)).await;
    assert_eq!(ada.see(&id).await["ply"], json!(1), "a stopped thought is not played");
}

#[tokio::test]
async fn seats_can_be_left_before_the_start_and_joined_during_play_where_the_game_allows() {
    let host = TestServer::open().await;
    let (ada, bob, eve) = (host.guest().await, host.guest().await, host.guest().await);
    let id = ada.table(against("open")).await;
    assert_eq!(bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "bot" })).await.status, 403);
    assert_eq!(bob.delete(&format!("/tables/{id}/seats/0")).await.status, 403);
    assert_eq!(ada.delete(&format!("/tables/{id}/seats/0")).await.status, 200);
    assert_eq!(ada.see(&id).await["seats"][0]["kind"], json!("open"));
    assert_eq!(bob.post(&format!("/tables/{id}/seats/0"), json!({ "kind": "me" })).await.status, 200);
    assert_eq!(bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "bot", "level": "no" })).await.status, 422);
    assert_eq!(bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "bot" })).await.status, 200);
    assert_eq!(bob.delete(&format!("/tables/{id}/seats/0")).await.code(), "table.started");

    let coins = ada.table(json!({ "game": "coins", "seats": [{ "kind": "me" }, { "kind": "open" }] })).await;
    assert_eq!(ada.see(&coins).await["seats"].as_array().map(Vec::len), Some(3));
    bob.post(&format!("/tables/{coins}/seats/1"), json!({ "kind": "me" })).await;
    assert_eq!(ada.see(&coins).await["state"], json!("running"));
    assert_eq!(eve.see(&coins).await["view"]["mine"], json!(null));
    assert_eq!(eve.post(&format!("/tables/{coins}/seats/2"), json!({ "kind": "me" })).await.status, 200);
    assert_eq!(eve.see(&coins).await["view"]["seats"], json!(3));
    assert!(eve.see(&coins).await["view"]["mine"].is_boolean());
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_a_reason() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let refused = [
        (json!({ "game": "chess" }), 404, "game.unknown"),
        (json!({ "game": "noughts", "settings": { "size": 4 } }), 400, "request.form"),
        (json!({ "game": "coins", "settings": { "calls": 0 } }), 422, "coins.calls"),
        (json!({ "game": "noughts", "seats": [{ "kind": "me" }] }), 422, "game.seat_count"),
        (
            json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": "bot", "level": "x" }] }),
            422,
            "table.level",
        ),
        (json!({ "game": "noughts", "clock": { "per_move_ms": 1 } }), 422, "table.clock"),
        (json!({ "game": "noughts", "clock": { "increment_ms": 1000 } }), 422, "table.clock"),
        (json!({ "game": "noughts", "colour": "red" }), 400, "request.form"),
        (json!({ "game": "noughts", "moves": [{ "text": "0" }, { "text": "0" }] }), 422, "noughts.occupied"),
        (json!([]), 400, "request.form"),
    ];
    for (request, status, code) in refused {
        let answer = ada.post("/tables", request.clone()).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{request}");
    }
    assert_eq!(ada.get("/tables/nothing").await.code(), "table.unknown");
    assert_eq!(ada.get("/nothing").await.status, 404);
    assert_eq!(ada.get("/tables?state=odd").await.status, 400);
    let id = ada.table(json!({ "game": "noughts", "moves": [{ "text": "0" }, { "text": "1" }] })).await;
    assert_eq!(ada.see(&id).await["ply"], json!(2), "an imported game goes on from its end");
    assert_eq!(ada.post(&format!("/tables/{id}/actions"), json!({})).await.status, 400);
    assert_eq!(ada.put("/me", json!({ "name": "" })).await.code(), "guest.name");
    assert_eq!(ada.put("/me", json!({ "name": "Ada" })).await.status, 200);
    assert_eq!(ada.see(&id).await["seats"][0]["player"]["name"], json!("Ada"));
    assert_eq!(ada.get("/me").await.json()["guest"]["name"], json!("Ada"));
}
