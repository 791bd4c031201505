//! One guest cannot take what others need: tables in memory, tables in the store, rates, threads.

use crate::common::{TestServer, against};
use catalog::Catalog;
use serde_json::json;
use server::Rate;
use std::time::Duration;

/// Waits until a server looks right.
async fn until(host: &TestServer, right: impl Fn(&server::Server) -> bool) {
    let deadline = tokio::time::Instant::now() + crate::common::PATIENCE;
    while !right(host.server()) {
        assert!(tokio::time::Instant::now() < deadline, "it never looked right");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn tables_with_long_clocks_do_not_stay_in_memory_even_after_a_restart() {
    let mut host = TestServer::with(|config| {
        config.limits.live_tables = 3;
        config.retention.idle_in_memory = Duration::from_millis(50);
    })
    .await;
    let mut ada = host.guest().await;
    let mut request = against("me");
    request["clock"] = json!({ "per_game_ms": 7 * 86_400_000 });
    let mut tables = Vec::new();
    for number in 1..=8 {
        tables.push(ada.table(request.clone()).await);
        until(&host, |server| server.live_tables() == 0 && server.sleeping_tables() == number).await;
    }
    host.restart().await;
    ada.address = host.address.clone();
    until(&host, |server| server.live_tables() == 0 && server.sleeping_tables() == 8).await;
    assert_eq!(ada.cell(&tables[5], 0).await.status, 200, "a table that sleeps is there for whoever plays");
    assert_eq!(ada.see(&tables[5]).await["clock"]["running"], json!([1]));
    ada.table(against("me")).await;
}

#[tokio::test]
async fn a_clock_runs_out_in_time_while_its_table_sleeps() {
    let host = TestServer::with(|config| {
        config.retention.idle_in_memory = Duration::from_millis(20);
        config.retention.near_deadline = Duration::from_millis(20);
    })
    .await;
    let ada = host.guest().await;
    let mut request = against("me");
    request["clock"] = json!({ "per_game_ms": 900 });
    let id = ada.table(request).await;
    until(&host, |server| server.live_tables() == 0).await;
    // Nobody looks at it: the list shows what the server wrote by itself.
    loop {
        let over = ada.get("/tables?state=finished").await.json();
        if over[0]["id"] == json!(id) {
            assert_eq!(over[0]["outcome"]["reason"], json!("time"));
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_guest_has_so_many_open_tables_and_others_have_theirs() {
    let host = TestServer::with(|config| config.limits.open_tables_per_guest = 2).await;
    let (ada, bob) = (host.guest().await, host.guest().await);
    let first = ada.table(against("me")).await;
    ada.table(against("open")).await;
    let refused = ada.post("/tables", against("me")).await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "limits.quota"));
    assert!(refused.headers.contains_key("retry-after"));
    bob.table(against("me")).await;
    assert_eq!(ada.post(&format!("/tables/{first}/resign"), json!({})).await.status, 200);
    ada.table(against("me")).await;
}

#[tokio::test]
async fn made_up_tokens_and_cookies_have_no_rate_of_their_own() {
    let host = TestServer::with(|config| config.limits.per_caller = Rate { per_second: 1, burst: 4 }).await;
    let mut statuses = Vec::new();
    for number in 0..12u8 {
        let mut liar = host.stranger();
        let secret = format!("{number:02x}").repeat(32);
        if number % 2 == 0 {
            liar.token = Some(secret)
        } else {
            liar.cookie = Some(format!("parlour_guest={secret}"))
        }
        statuses.push(liar.get("/games").await.status);
    }
    assert!(statuses.iter().filter(|status| **status == 429).count() >= 6, "{statuses:?}");
}

/// Both give orders at once and in secret. Who takes back after the computer's order was shown must not choose again
/// against the same order.
#[tokio::test]
async fn taking_back_takes_the_whole_round_back() {
    let mut host = TestServer::closed();
    host.start(Catalog::of(vec![catalog::erase(homeguard::Homeguard::new())])).await;
    let ada = host.guest().await;
    let id = ada.table(json!({ "game": "homeguard", "seats": [{ "kind": "me" }, { "kind": "bot" }] })).await;
    let table = ada.until(&id, |table| table["ply"] == json!(1)).await;
    assert_eq!(table["to_act"], json!([0]), "the computer's order is in: {}", table["to_act"]);
    let act = json!({ "action": table["legal"][0]["action"] });
    assert_eq!(ada.post(&format!("/tables/{id}/actions"), act).await.status, 200);
    let back = ada.post(&format!("/tables/{id}/undo"), json!({})).await;
    assert_eq!((back.status, back.json()["ply"].clone()), (200, json!(0)), "both orders are taken back");
}
