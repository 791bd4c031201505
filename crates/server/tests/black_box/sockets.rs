//! Sockets: views as they change, acknowledged actions, what was missed, presence, the end.

use crate::common::{TestServer, against, receive, send_message};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

fn ply(message: &Value) -> Option<u64> {
    message["table"]["ply"].as_u64()
}

#[tokio::test]
async fn two_people_play_over_sockets_and_one_comes_back() {
    let host = TestServer::open().await;
    let (ada, bob) = (host.guest().await, host.guest().await);
    let id = ada.table(against("open")).await;
    let mut first = ada.socket(&id).await;
    let waiting = receive(&mut first, |message| message.get("table").is_some()).await;
    assert_eq!(waiting["table"]["state"], json!("waiting"));
    bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "me" })).await;
    receive(&mut first, |message| message["table"]["state"] == json!("running")).await;
    let mut second = bob.socket(&id).await;
    let table = receive(&mut second, |message| message.get("table").is_some()).await;
    assert_eq!(table["table"]["viewer"], json!(1));
    receive(&mut first, |message| message["table"]["seats"][1]["connected"] == json!(true)).await;

    send_message(&mut first, json!({ "action": { "action": { "cell": 0 }, "id": "a", "expect_ply": 0 } })).await;
    let ack = receive(&mut first, |message| message.get("ack").is_some()).await;
    assert_eq!((ack["ack"]["id"].clone(), ack["ack"]["ply"].clone()), (json!("a"), json!(1)));
    let seen = receive(&mut second, |message| ply(message) == Some(1)).await;
    assert_eq!(seen["seq"], ack["ack"]["seq"]);
    assert_eq!(seen["seq"], seen["table"]["seq"]);

    drop(second);
    receive(&mut first, |message| message["table"]["seats"][1]["connected"] == json!(false)).await;
    // Bob's page lost the connection; it comes back and asks for what it missed.
    let mut second = bob.socket(&id).await;
    receive(&mut second, |message| message.get("table").is_some()).await;
    send_message(&mut second, json!({ "hello": { "seq": 3 } })).await;
    let caught_up = receive(&mut second, |message| message.get("missed").is_some()).await;
    let missed: Vec<_> =
        caught_up["missed"].as_array().expect("a list").iter().map(|line| line["what"].clone()).collect();
    assert_eq!(missed, [json!("action")], "seated, seated and started were known");
    assert_eq!(ply(&caught_up), Some(1));

    send_message(&mut second, json!({ "action": { "action": { "cell": 0 }, "id": "b" } })).await;
    let nack = receive(&mut second, |message| message.get("nack").is_some()).await;
    assert_eq!(
        (nack["nack"]["id"].clone(), nack["nack"]["error"]["code"].clone()),
        (json!("b"), json!("noughts.occupied"))
    );
    send_message(&mut second, json!({ "ping": 7 })).await;
    assert_eq!(receive(&mut second, |message| message.get("pong").is_some()).await, json!({ "pong": 7 }));
    send_message(&mut second, json!({ "dance": 7 })).await;
    receive(&mut second, |message| message["nack"]["error"]["code"] == json!("request.form")).await;

    send_message(&mut second, json!({ "presence": { "cell": 4, "seat": 0 } })).await;
    let presence = receive(&mut first, |message| message.get("presence").is_some()).await;
    assert_eq!(presence, json!({ "presence": { "cell": 4, "seat": 1 } }), "nobody speaks for another seat");
}

#[tokio::test]
async fn thoughts_and_progress_are_shown_as_they_come() {
    let host = TestServer::open().await;
    let (ada, eve) = (host.guest().await, host.guest().await);
    let slow = json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": "bot", "level": "slow" }] });
    let id = ada.table(slow).await;
    let mut socket = ada.socket(&id).await;
    let mut watching = eve.socket(&id).await;
    send_message(&mut socket, json!({ "action": { "text": "0", "id": "1" } })).await;
    let thinking = receive(&mut socket, |message| message.get("thinking").is_some()).await;
    assert_eq!(thinking["thinking"]["seat"], json!(1));
    receive(&mut watching, |message| message.get("thinking").is_some()).await;
    let path = format!("/tables/{id}/services/ponder?id=mine");
    let (answer, progress) = tokio::join!(
        ada.post(&path, json!({ "ms": 600 })),
        receive(&mut socket, |message| message.get("progress").is_some())
    );
    assert_eq!((answer.status, answer.json()), (200, json!({ "stopped": false })));
    assert_eq!(progress["progress"]["id"], json!("mine"));
    // The work was Ada's: nobody else hears of it.
    send_message(&mut watching, json!({ "ping": 1 })).await;
    let answer = receive(&mut watching, |message| {
        assert!(message.get("progress").is_none(), "progress of somebody else's service");
        message.get("pong").is_some()
    })
    .await;
    assert_eq!(answer["pong"], json!(1));
}

#[tokio::test]
async fn when_the_server_stops_sockets_are_told_and_nothing_is_lost() {
    let mut host = TestServer::open().await;
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    let mut socket = ada.socket(&id).await;
    send_message(&mut socket, json!({ "action": { "text": "0", "id": "1" } })).await;
    receive(&mut socket, |message| message.get("ack").is_some()).await;
    host.restart().await;
    let closed = loop {
        match socket.next().await {
            Some(Ok(Message::Close(frame))) => break frame,
            Some(Ok(_)) => {}
            other => panic!("the server says good-bye first: {other:?}"),
        }
    };
    assert_eq!(closed.expect("a reason").code, CloseCode::Restart);
    let mut ada = ada;
    ada.address = host.address.clone();
    assert_eq!(ada.see(&id).await["ply"], json!(1));
}

#[tokio::test]
async fn a_table_without_a_socket_of_its_own_has_none() {
    let host = TestServer::with(|config| config.limits.sockets = 1).await;
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    assert_eq!(ada.try_socket("nothing", &[]).await.err(), Some(404));
    assert_eq!(ada.try_socket(&id, &[("origin", "http://evil.example")]).await.err(), Some(403));
    let _open = ada.socket(&id).await;
    assert_eq!(ada.try_socket(&id, &[]).await.err(), Some(503), "there is one place");
}

#[tokio::test]
async fn too_many_messages_are_refused() {
    let host = TestServer::with(|config| config.limits.per_socket = server::Rate { per_second: 1, burst: 3 }).await;
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    let mut socket = ada.socket(&id).await;
    for number in 0..6 {
        send_message(&mut socket, json!({ "action": { "text": "9", "id": format!("{number}") } })).await;
    }
    let refused = receive(&mut socket, |message| message["nack"]["error"]["code"] == json!("limits.rate")).await;
    assert_eq!(refused["nack"]["id"], json!("3"));
    assert_eq!(refused["nack"]["retry_after"], json!(1));
}
