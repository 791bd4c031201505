//! What the server logs, caught as it is written.

use crate::common::{Client, TestServer, receive, send_message};
use crate::non_interference::tiny_scrabble;
use catalog::Catalog;
use catalog::test_games::Noughts;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Arc, Mutex};
use store::Secret;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

/// Everything logged on this thread, at every level, as JSON lines without times.
///
/// A test's server lives on the test's own thread; what computers think on other threads is not logged unless it
/// fails.
#[derive(Clone, Default)]
pub struct Caught(Arc<Mutex<Vec<u8>>>);

impl Caught {
    /// Catches from now on, until the guard goes.
    pub fn begin() -> (Self, DefaultGuard) {
        let caught = Self::default();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .without_time()
            .with_env_filter(server::log_filter("trace").expect("a filter"))
            .with_writer(caught.clone())
            .finish();
        (caught, tracing::subscriber::set_default(subscriber))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("no panic while held")).into_owned()
    }
}

impl Write for Caught {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic while held").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Caught {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn no_secret_is_ever_logged() {
    let (caught, _guard) = Caught::begin();
    let operator = Secret::generate();
    let mut host = TestServer::closed();
    host.config.operator = Some(operator.hash());
    host.start(Catalog::of(vec![catalog::erase(tiny_scrabble()), catalog::erase(Noughts { newest: 2 })])).await;
    let mut ada = host.guest().await;
    let mut secrets = vec![operator.reveal(), cookie_value(&ada)];

    let password = "correct horse battery staple";
    let signed_up = ada.post("/account", json!({ "login": "adalovelace", "password": password })).await;
    assert_eq!(signed_up.status, 201);
    ada.cookie = Some(signed_up.cookie());
    secrets.push(cookie_value(&ada));
    let mut elsewhere = host.stranger();
    let signed = elsewhere.post("/account/login", json!({ "login": "adalovelace", "password": password })).await;
    elsewhere.cookie = Some(signed.cookie());
    assert_eq!(
        elsewhere.post("/account/login", json!({ "login": "adalovelace", "password": "wrong horse" })).await.status,
        401
    );
    secrets.extend([password.to_owned(), "wrong horse".to_owned(), cookie_value(&elsewhere), "adalovelace".to_owned()]);
    let keepsake = json!({ "body": "a-private-keepsake" });
    assert_eq!(ada.put("/me/keepsakes/taste", keepsake).await.status, 204);
    assert_eq!(ada.put("/me", json!({ "name": "Countess Lovelace" })).await.status, 200);
    secrets.extend(["a-private-keepsake".to_owned(), "Countess".to_owned()]);

    let request =
        json!({ "game": "scrabble", "seats": [{ "kind": "me" }, { "kind": "me" }], "options": { "private": true } });
    let made = ada.post("/tables", request).await.json();
    let id = made["table"]["id"].as_str().expect("an id").to_owned();
    let token = made["seat_tokens"][1]["token"].as_str().expect("a token").to_owned();
    let rack: String =
        made["table"]["view"]["rack"].as_array().expect("a rack").iter().filter_map(|tile| tile.as_str()).collect();
    assert!(rack.len() >= 7, "{rack}");
    let mut program = host.stranger();
    program.token = Some(token.clone());
    let mut socket = program.socket(&id).await;
    send_message(&mut socket, json!({ "action": { "text": "8H STAINERQ", "id": "an-id" } })).await;
    receive(&mut socket, |message| message.get("nack").is_some()).await;
    send_message(&mut socket, json!({ "presence": { "pointing-at": "a-hidden-square" } })).await;
    assert_eq!(ada.post(&format!("/tables/{id}/actions"), json!({ "text": "8H STAINERQ" })).await.status, 422);
    assert_eq!(ada.post(&format!("/tables/{id}/actions"), json!({ "text": "pass" })).await.status, 200);
    let hint = ada.post(&format!("/tables/{id}/services/hint"), json!({ "depth": 3 })).await;
    assert_eq!(hint.status, 200, "{}", String::from_utf8_lossy(&hint.bytes));
    ada.get("/me/data").await;
    ada.send(hyper::Method::POST, "/api/v1/tables", Some(b"{\"game\": \"a-broken-request".to_vec()), &[]).await;
    let received = host.stranger().holding(&operator).get("/operations").await;
    assert_eq!(received.status, 200);
    host.stop().await;
    secrets.extend([
        token,
        rack,
        id,
        "STAINERQ".to_owned(),
        "a-hidden-square".to_owned(),
        "a-broken-request".to_owned(),
    ]);

    let log = caught.text();
    assert!(log.lines().count() > 12, "the log is not caught: {log}");
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).expect("every line is JSON");
        assert!(line["level"].is_string() && line["fields"]["message"].is_string(), "{line}");
    }
    assert!(log.contains("/api/v1/tables/{id}/actions"), "routes are named: {log}");
    for secret in &secrets {
        assert!(!log.contains(secret.as_str()), "{secret} was logged:\n{log}");
    }
}

fn cookie_value(client: &Client) -> String {
    let cookie = client.cookie.as_deref().expect("a cookie");
    cookie.split_once('=').expect("a name and a value").1.to_owned()
}
