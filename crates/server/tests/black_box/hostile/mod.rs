//! Requests that mean harm: each is refused or ended, and somebody who plays meanwhile gets every answer, in order.

mod attack;
mod requests;

use crate::common::{Client, TestServer, receive, send_message};
use crate::non_interference::{puzzle, tiny_scrabble};
use crate::one_board;
use attack::{attack, connect};
use catalog::Catalog;
use requests::Target;
use serde_json::json;
use server::Rate;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::Secret;
use tokio::io::AsyncReadExt;

/// Where those come from who mean harm; everybody else comes from 127.0.0.1.
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Every game of the host, small.
fn games() -> Catalog {
    let codenames = one_board::catalog(Arc::default());
    let codenames = Arc::clone(codenames.game("codenames").expect("it is listed"));
    Catalog::of(vec![
        catalog::erase(gomoku::Gomoku::new()),
        catalog::erase(tiny_scrabble()),
        codenames,
        catalog::erase(puzzle::game()),
        catalog::erase(homeguard::Homeguard::new()),
    ])
}

/// A host that does not wait long.
async fn host() -> TestServer {
    let mut host = TestServer::closed();
    let limits = &mut host.config.limits;
    limits.head_within = Duration::from_millis(400);
    limits.body_within = Duration::from_millis(1_500);
    limits.send_within = Duration::from_millis(400);
    host.config.operator = Some(Secret::generate().hash());
    host.start(games()).await;
    host
}

/// Two seats at a table of Gomoku, each with a secret.
async fn pair(host: &TestServer) -> (String, [Client; 2]) {
    let guest = host.guest().await;
    let request = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, { "kind": "me" }] });
    let made = guest.post("/tables", request).await.json();
    let client = |seat: usize| {
        let mut client = host.stranger();
        client.token = made["seat_tokens"][seat]["token"].as_str().map(str::to_owned);
        client
    };
    (made["table"]["id"].as_str().expect("an id").to_owned(), [client(0), client(1)])
}

/// Plays until it is received to stop, over sockets; every stone is acknowledged with the number it must have. Answers how
/// many stones were placed.
async fn play_well(table: String, players: [Client; 2], enough: Arc<AtomicBool>) -> u32 {
    let mut sockets = [players[0].socket(&table).await, players[1].socket(&table).await];
    let mut stones = 0;
    // two columns apart: no five until the board is full
    let cells = (0..15).flat_map(|row| (0..15).map(move |column| (column, row))).filter(|(c, r)| (c + 2 * r) % 4 < 2);
    for (column, row) in cells {
        let socket = &mut sockets[stones as usize % 2];
        let text = format!("{}{}", (b'a' + column as u8) as char, row + 1);
        send_message(socket, json!({ "action": { "text": text, "id": text, "expect_ply": stones } })).await;
        let received = receive(socket, |message| message.get("ack").is_some() || message.get("nack").is_some()).await;
        stones += 1;
        assert_eq!((&received["ack"]["id"], &received["ack"]["ply"]), (&json!(text), &json!(stones)), "{received}");
        if enough.load(Ordering::Relaxed) && stones >= 20 {
            break;
        }
    }
    stones
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_hostile_request_is_refused_and_holds_up_nobody() {
    let host = host().await;
    let address: SocketAddr = host.address.parse().expect("an address");
    let (table, [_, second]) = pair(&host).await;
    let (_, [elsewhere, _]) = pair(&host).await;
    let secret = |client: &Client| client.token.clone().expect("a secret");
    let target = Target { table: table.clone(), foreign_token: secret(&elsewhere), other_seat: secret(&second) };
    let list = requests::all(&target);
    assert!(list.len() >= 50, "{}", list.len());

    let enough = Arc::new(AtomicBool::new(false));
    let (good_table, players) = pair(&host).await;
    let playing = tokio::spawn(play_well(good_table, players, Arc::clone(&enough)));
    let mut attacks = Vec::new();
    for hostile in list {
        let table = table.clone();
        attacks.push(tokio::spawn(async move {
            let received = attack(address, ELSEWHERE, &table, &hostile.how).await;
            (hostile.name, hostile.right.contains(&received.as_str()), received)
        }));
    }
    let mut wrong = Vec::new();
    for attack in attacks {
        let (name, right, received) = attack.await.expect("no panic");
        if !right {
            wrong.push(format!("{name}: {received}"));
        }
    }
    enough.store(true, Ordering::Relaxed);
    assert!(wrong.is_empty(), "answered otherwise than they should: {wrong:#?}");
    let stones = playing.await.expect("whoever plays is not held up");
    assert!(stones >= 20, "{stones}");
    // nothing of it changed the table, and the host goes on
    let table = host.stranger().see(&table).await;
    assert_eq!((&table["ply"], &table["state"]), (&json!(0), &json!("running")));
}

#[tokio::test]
async fn an_address_with_too_many_connections_is_told_so_and_others_come_in() {
    let mut host = TestServer::closed();
    host.config.limits.connections_per_address = 20;
    host.start(games()).await;
    let address: SocketAddr = host.address.parse().expect("an address");
    let mut held = Vec::new();
    for _ in 0..50 {
        held.push(connect(address, ELSEWHERE).await.expect("the door is there"));
    }
    let mut refused = 0;
    for stream in &mut held[20..] {
        let mut received = String::new();
        stream.read_to_string(&mut received).await.expect("text");
        assert!(received.starts_with("HTTP/1.1 503 ") && received.contains("limits.connections"), "{received}");
        refused += 1;
    }
    assert_eq!(refused, 30);
    assert_eq!(host.guest().await.get("/games").await.status, 200, "another address comes in");
    held.clear();
    let again = async {
        loop {
            let mut stream = connect(address, ELSEWHERE).await.expect("the door is there");
            let one = tokio::time::timeout(Duration::from_millis(50), stream.read_u8()).await;
            if one.is_err() {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), again).await.expect("those who left make room");
}

#[tokio::test]
async fn one_address_cannot_take_all_places_of_requests_and_sockets() {
    let mut host = TestServer::closed();
    host.config.limits.in_flight_per_address = 2;
    host.config.limits.sockets_per_address = 3;
    host.config.limits.per_address = Rate { per_second: 10_000, burst: 10_000 };
    host.start(catalog::test_games::catalog()).await;
    let ada = host.guest().await;
    let id = ada.table(crate::common::against("me")).await;
    let mut sockets = Vec::new();
    for _ in 0..3 {
        sockets.push(ada.socket(&id).await);
    }
    assert_eq!(ada.try_socket(&id, &[]).await.err(), Some(503), "three are the most");
    let work: Vec<_> = (0..6)
        .map(|_| {
            let ada = ada.clone();
            tokio::spawn(async move { ada.post("/noughts/work", json!({ "ms": 300 })).await })
        })
        .collect();
    let mut codes = Vec::new();
    for answer in work {
        let answer = answer.await.expect("an answer");
        if answer.status != 200 {
            assert_eq!((answer.status, answer.code().as_str()), (503, "limits.crowd"));
            assert_eq!(answer.headers["retry-after"], "1");
        }
        codes.push(answer.status);
    }
    assert!(codes.contains(&503) && codes.contains(&200), "{codes:?}");
}
