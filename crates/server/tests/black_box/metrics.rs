//! What the server measures: complete, the same in the dashboard and in the docs, and for the operator alone.

use crate::common::{Client, TestServer, against};
use hyper::Method;
use serde_json::{Value, json};
use server::Rate;
use std::collections::BTreeSet;
use store::Secret;

async fn figures(operator: &Client) -> String {
    let answer = operator.send(Method::GET, "/metrics", None, &[]).await;
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.bytes).expect("text")
}

/// The names in a text.
fn names(text: &str) -> BTreeSet<String> {
    let starts = text.match_indices("parlour_").map(|(at, _)| &text[at..]);
    let name = |rest: &str| rest.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).next().unwrap_or("").to_owned();
    starts.map(name).collect()
}

/// A host in which everything that is counted has happened.
async fn busy_house(operator: &Secret) -> TestServer {
    let host = TestServer::with(|config| {
        config.operator = Some(operator.hash());
        config.limits.per_caller = Rate { per_second: 20, burst: 60 };
    })
    .await;
    let ada = host.guest().await;
    let id = ada.table(against("bot")).await;
    let _socket = ada.socket(&id).await;
    assert_eq!(ada.cell(&id, 0).await.status, 200);
    ada.until(&id, |table| table["ply"] == json!(2)).await;
    assert_eq!(ada.post("/noughts/work", json!({ "ms": 0 })).await.status, 200);
    let bob = host.guest().await;
    while bob.get("/games").await.status == 200 {}
    host
}

#[tokio::test]
async fn the_dashboard_and_the_docs_show_what_the_server_measures() {
    let token = Secret::generate();
    let host = busy_house(&token).await;
    let text = figures(&host.stranger().holding(&token)).await;
    let mut measured: BTreeSet<String> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next().map(str::to_owned)).collect();
    // counted only where a game has answers made ahead, which the tiny games have not
    measured.insert("parlour_ahead_total".to_owned());
    // and where a computer fails, which none does here
    measured.insert("parlour_bot_failures_total".to_owned());
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).expect("a file of the repository");
    let dashboard: Value = serde_json::from_str(&read("deploy/grafana-dashboard.json")).expect("JSON");
    let shown = names(&dashboard.to_string());
    assert!(shown.len() > 10, "{shown:?}");
    assert!(shown.is_subset(&measured), "not measured: {:?}", shown.difference(&measured));
    assert!(measured.is_subset(&shown), "not on the dashboard: {:?}", measured.difference(&shown));
    let explained = names(&read("docs/operations.md"));
    assert!(measured.is_subset(&explained), "not in docs/operations.md: {:?}", measured.difference(&explained));
}

#[tokio::test]
async fn the_operator_sees_tables_computers_queue_and_store() {
    let token = Secret::generate();
    let host = busy_house(&token).await;
    let operator = host.stranger().holding(&token);
    let received = operator.get("/operations").await;
    assert_eq!(received.status, 200, "{}", String::from_utf8_lossy(&received.bytes));
    let received = received.json();
    assert_eq!(received["tables"], json!([{ "game": "noughts", "waiting": 0, "running": 1 }]));
    assert_eq!(received["now"]["running_tables"], 1);
    assert!(received["now"]["memory_bytes"].as_u64() > Some(1 << 20));
    assert!(received["now"]["store_ms"].as_f64() > Some(0.0));
    assert_eq!(received["runs"], json!([]));
    let text = figures(&operator).await;
    assert!(text.contains("parlour_tables{game=\"noughts\",state=\"running\"} 1"), "{text}");
    assert!(text.contains("route=\"/api/v1/tables/{id}/actions\""), "routes, not addresses: {text}");
}

#[tokio::test]
async fn without_a_token_nobody_is_the_operator_and_figures_stay_on_this_machine() {
    let host = TestServer::open().await;
    let ada = host.stranger().holding(&Secret::generate());
    assert_eq!(
        (ada.get("/operations").await.status, ada.get("/operations").await.code().as_str()),
        (404, "operator.none")
    );
    let from = async |headers: &[(&str, &str)]| ada.send(Method::GET, "/metrics", None, headers).await.status;
    assert_eq!(from(&[]).await, 200, "this machine");
    assert_eq!(from(&[("x-forwarded-for", "192.0.2.1")]).await, 401, "a proxy speaks for somebody else");
    assert_eq!(from(&[("forwarded", "for=192.0.2.1")]).await, 401);
}
