//! Several servers on one PostgreSQL: one table through all of them, whoever comes and goes.

use crate::common::{Client, Socket, TestServer, against, receive, send_message};
use futures_util::StreamExt;
use serde_json::{Value, json};
use server::{Server, ServerConfig};
use std::time::Duration;
use store::Store;
use store::testing::fresh_postgres;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// A server with a runtime of its own, so that it can vanish without a word.
struct Standing {
    server: Option<Server>,
    address: String,
    runtime: Option<Runtime>,
}

impl Standing {
    async fn open(store: &str) -> Self {
        let store = store.to_owned();
        let start = tokio::task::spawn_blocking(move || {
            let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
            let server = runtime.block_on(async {
                let store = Store::open(&store).await.expect("the store opens");
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                let mut config = ServerConfig::local("http://127.0.0.1");
                config.thinkers = 2;
                Server::start(config, catalog::test_games::catalog(), store, listener).await.expect("it starts")
            });
            (server, runtime)
        });
        let (server, runtime) = start.await.expect("the server starts");
        Self { address: server.address().to_string(), server: Some(server), runtime: Some(runtime) }
    }

    /// Ends as SIGTERM ends it.
    async fn stop(mut self) {
        let (server, runtime) = (self.server.take().expect("it runs"), self.runtime.take().expect("it runs"));
        runtime.spawn(server.stop()).await.expect("it stops");
        runtime.shutdown_background();
    }

    /// Ends as kill -9 does: nothing is said, nothing is let go, connections break.
    fn vanish(mut self) {
        self.runtime.take().expect("it runs").shutdown_background();
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn pair() -> Option<(Standing, Standing)> {
    let store = fresh_postgres().await?;
    Some((Standing::open(&store).await, Standing::open(&store).await))
}

async fn guest(at: &Standing) -> Client {
    let mut client = Client::new(&at.address);
    let answer = client.post("/guest", json!({})).await;
    assert_eq!(answer.status, 200);
    client.cookie = Some(answer.cookie());
    client
}

/// The same person at another server.
fn moved(client: &Client, to: &Standing) -> Client {
    let mut client = client.clone();
    client.address.clone_from(&to.address);
    client
}

fn history(table: &Value) -> Vec<u64> {
    table["history"].as_array().expect("a list").iter().map(|line| line["seat"].as_u64().expect("a seat")).collect()
}

async fn act(socket: &mut Socket, cell: u8, ply: u64) -> Value {
    send_message(socket, json!({ "action": { "action": { "cell": cell }, "id": "a", "expect_ply": ply } })).await;
    receive(socket, |message| message.get("ack").is_some() || message.get("nack").is_some()).await
}

#[tokio::test]
async fn a_game_goes_through_both_servers_and_everybody_sees_every_move_in_order() {
    let Some((a, b)) = pair().await else { return };
    let (ada, bob) = (guest(&a).await, guest(&b).await);
    let id = ada.table(against("open")).await;
    let mut first = ada.socket(&id).await;
    assert_eq!(bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "me" })).await.status, 200);
    receive(&mut first, |message| message["table"]["state"] == json!("running")).await;
    let mut second = bob.socket(&id).await;
    receive(&mut second, |message| message["table"]["seats"][0]["connected"] == json!(true)).await;
    receive(&mut first, |message| message["table"]["seats"][1]["connected"] == json!(true)).await;
    // No row of three before the ninth move.
    for (ply, cell) in [0, 1, 2, 4, 3, 5, 7, 6, 8].into_iter().enumerate() {
        let ply = ply as u64;
        let (mover, other) = if ply.is_multiple_of(2) { (&mut first, &mut second) } else { (&mut second, &mut first) };
        let acknowledged = act(mover, cell, ply).await;
        assert_eq!(acknowledged["ack"]["ply"], json!(ply + 1), "{acknowledged}");
        for socket in [mover, other] {
            let seen = receive(socket, |message| message["table"]["ply"].as_u64().is_some_and(|seen| seen > ply)).await;
            assert_eq!(seen["table"]["ply"], json!(ply + 1), "no move is skipped when they come one by one");
            assert_eq!(seen["seq"], acknowledged["ack"]["seq"]);
        }
    }
    let (here, there) = (ada.see(&id).await, moved(&ada, &b).see(&id).await);
    assert_eq!(here["state"], json!("over"));
    assert_eq!(here, there, "both servers show the same");

    send_message(&mut second, json!({ "presence": { "cell": 4 } })).await;
    let presence = receive(&mut first, |message| message.get("presence").is_some()).await;
    assert_eq!(presence, json!({ "presence": { "cell": 4, "seat": 1 } }));
    drop(second);
    receive(&mut first, |message| message["table"]["seats"][1]["connected"] == json!(false)).await;
}

#[tokio::test]
async fn a_person_is_known_at_both_servers() {
    let Some((a, b)) = pair().await else { return };
    let ada = guest(&a).await;
    let there = moved(&ada, &b);
    assert_eq!(there.get("/me").await.json()["guest"], ada.get("/me").await.json()["guest"]);
    assert_eq!(there.put("/me", json!({ "name": "Ada of B" })).await.status, 200);
    let id = ada.table(against("me")).await;
    ada.until(&id, |table| table["seats"][0]["player"]["name"] == json!("Ada of B")).await;
    let account = json!({ "login": "ada", "password": "correct horse" });
    assert_eq!(ada.post("/account", account.clone()).await.status, 201);
    let mut signed_in = Client::new(&b.address);
    let answer = signed_in.post("/account/login", account).await;
    assert_eq!(answer.status, 200);
    signed_in.cookie = Some(answer.cookie());
    let at_a = moved(&signed_in, &a);
    assert_eq!(at_a.get("/me").await.json()["account"], json!("ada"));
    assert_eq!(signed_in.post("/account/logout", json!({})).await.status, 204);
    let begun = tokio::time::Instant::now();
    while at_a.get("/me").await.json()["account"] == json!("ada") {
        assert!(begun.elapsed() < Duration::from_secs(20), "a session that ended at B ends at A");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_computer_answers_once_whichever_server_is_asked() {
    let Some((a, b)) = pair().await else { return };
    let at_a = guest(&a).await;
    let at_b = moved(&at_a, &b);
    let mut games = Vec::new();
    for number in 0..6 {
        let (at_a, at_b) = (at_a.clone(), at_b.clone());
        games.push(tokio::spawn(async move {
            let clients = [&at_a, &at_b];
            let id = clients[number % 2].table(against("bot")).await;
            for round in 0.. {
                let client = clients[(number + round) % 2];
                let table = client.until(&id, |table| table["state"] == "over" || table["to_act"] == json!([0])).await;
                let seats = history(&table);
                let expected: Vec<u64> = (0..seats.len() as u64).map(|ply| ply % 2).collect();
                assert_eq!(seats, expected, "every action is answered once");
                if table["state"] == "over" {
                    return;
                }
                let choice = &table["legal"][0]["action"];
                let request = json!({ "action": choice, "expect_ply": table["ply"] });
                let other = clients[(number + round + 1) % 2];
                assert_eq!(other.post(&format!("/tables/{id}/actions"), request).await.status, 200);
            }
        }));
    }
    for game in games {
        game.await.expect("the game is played");
    }
}

#[tokio::test]
async fn the_same_wish_sent_to_both_servers_counts_once() {
    let Some((a, b)) = pair().await else { return };
    let ada = guest(&a).await;
    let there = moved(&ada, &b);
    let id = ada.table(against("me")).await;
    let actions = format!("/tables/{id}/actions");
    for (ply, cell) in [0, 1, 2, 4, 3, 5, 7, 6, 8].into_iter().enumerate() {
        let request = json!({ "action": { "cell": cell }, "expect_ply": ply });
        let (one, two) = tokio::join!(ada.post(&actions, request.clone()), there.post(&actions, request));
        for answer in [one, two] {
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
            assert_eq!(answer.json()["ply"], json!(ply + 1));
        }
        assert_eq!(ada.see(&id).await["ply"], json!(ply + 1));
    }
    let rematch = format!("/tables/{id}/rematch");
    let (one, two) = tokio::join!(ada.post(&rematch, json!({})), there.post(&rematch, json!({})));
    assert_eq!((one.status, one.json()), (200, two.json()), "there is one next table");

    // Two people want the same seat at the same moment, through different servers.
    let id = ada.table(against("open")).await;
    let (bob, eve) = (guest(&a).await, guest(&b).await);
    let seat = format!("/tables/{id}/seats/1");
    let (one, two) = tokio::join!(bob.post(&seat, json!({ "kind": "me" })), eve.post(&seat, json!({ "kind": "me" })));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(ada.see(&id).await["state"], json!("running"));
}

#[tokio::test]
async fn a_server_that_vanishes_is_replaced() {
    let Some((a, b)) = pair().await else { return };
    let ada = guest(&a).await;
    let there = moved(&ada, &b);
    let slow = json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": "bot", "level": "slow" }] });
    let thinking = ada.table(slow).await;
    assert_eq!(ada.cell(&thinking, 0).await.status, 200);
    ada.until(&thinking, |table| table["thinking"]["seat"] == json!(1)).await;
    let mut timed = against("me");
    timed["clock"] = json!({ "per_game_ms": 3_000 });
    let timed = ada.table(timed).await;
    let playing =
        json!({ "game": "coins", "settings": { "calls": 300 }, "seats": [{ "kind": "bot" }, { "kind": "bot" }] });
    let playing = ada.table(playing).await;
    let mut watching = there.socket(&thinking).await;
    receive(&mut watching, |message| message["table"]["ply"] == json!(1)).await;
    a.vanish();
    assert_eq!(there.see(&playing).await["state"], json!("running"), "it was not over before");
    // Games go on at B, clocks fall there, and the computer thinks there.
    there.until(&playing, |table| table["state"] == "over").await;
    let over = there.until(&timed, |table| table["state"] == "over").await;
    assert_eq!(over["outcome"]["reason"], json!("time"));
    // Whatever A had said of its thoughts is on the way before this answer; the rest comes from B.
    send_message(&mut watching, json!({ "ping": 1 })).await;
    receive(&mut watching, |message| message.get("pong").is_some()).await;
    receive(&mut watching, |message| message.get("thinking").is_some() || message["table"]["ply"] == json!(2)).await;
    assert_eq!(history(&there.see(&thinking).await)[0], 0, "what was acknowledged stands");
}

#[tokio::test]
async fn servers_are_restarted_one_after_the_other_and_no_move_is_lost() {
    let Some((a, b)) = pair().await else { return };
    let ada = guest(&a).await;
    let store = {
        let id = ada.table(against("me")).await;
        let mut socket = ada.socket(&id).await;
        let acknowledged = act(&mut socket, 0, 0).await;
        assert_eq!(acknowledged["ack"]["ply"], json!(1));
        let slow = json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": "bot", "level": "slow" }] });
        let thinking = ada.table(slow).await;
        assert_eq!(ada.cell(&thinking, 0).await.status, 200);
        a.stop().await;
        let closed = loop {
            match socket.next().await {
                Some(Ok(Message::Close(frame))) => break frame,
                Some(Ok(_)) => {}
                other => panic!("the server says good-bye first: {other:?}"),
            }
        };
        assert_eq!(closed.expect("a reason").code, CloseCode::Restart);
        (id, thinking)
    };
    let (id, thinking) = store;
    let there = moved(&ada, &b);
    let mut socket = there.socket(&id).await;
    let seen = receive(&mut socket, |message| message.get("table").is_some()).await;
    assert_eq!(seen["table"]["ply"], json!(1));
    assert_eq!(act(&mut socket, 1, 1).await["ack"]["ply"], json!(2));
    there.until(&thinking, |table| table["thinking"]["seat"] == json!(1)).await;
}

#[tokio::test]
async fn one_server_tidies_for_all_and_looks_where_people_are() {
    let Some((a, b)) = pair().await else { return };
    let ada = guest(&a).await;
    let there = moved(&ada, &b);
    let (watched, left) = (ada.table(against("me")).await, ada.table(against("me")).await);
    let _looking = there.socket(&watched).await;
    let week = Duration::from_secs(8 * 86_400);
    let sweep = async |standing: &Standing| {
        standing.server.as_ref().expect("it runs").sweep_after(week).await.expect("it is tidied");
    };
    tokio::join!(sweep(&a), sweep(&b));
    assert_eq!(ada.see(&watched).await["state"], json!("running"), "somebody is there, at the other server");
    let over = there.see(&left).await;
    assert_eq!(over["outcome"]["reason"], json!("abandoned"));
}

#[tokio::test]
async fn a_second_server_on_an_sqlite_file_is_refused() {
    let host = TestServer::open().await;
    let store = Store::open(&host.store_address()).await.expect("the store opens");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let refused = Server::start(host.config.clone(), catalog::test_games::catalog(), store, listener).await;
    let error = refused.err().expect("there is one place").to_string();
    assert!(error.contains("another server uses this file"), "{error}");
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    assert_eq!(ada.cell(&id, 0).await.status, 200, "the first one goes on");
}
