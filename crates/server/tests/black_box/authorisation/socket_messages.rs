//! Every kind of message on a socket.

use super::roles::{People, ROLES, Role, Stage};
use super::{Cell, Line};
use crate::common::{Client, Socket, TestServer, receive, send_message};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tokio_tungstenite::tungstenite::Message;

/// A message and who is to be heard, one letter per role.
const MESSAGES: [(&str, &str, &str); 7] = [
    ("hello", r#"{"hello":{"seq":0}}"#, "yyyyyyy"),
    ("ping", r#"{"ping":7}"#, "yyyyyyy"),
    ("presence", r#"{"presence":{"cell":4,"seat":0}}"#, "yynnnnn"),
    ("action", r#"{"action":{"action":{"cell":8},"id":"a"}}"#, "ynnnnnn"),
    ("action", r#"{"action":{"action":{"cell":8},"seat":0,"id":"a"}}"#, "ynnnnnn"),
    ("action", r#"{"action":{"action":{"cell":8},"seat":1,"id":"a"}}"#, "nnnnnnn"),
    ("dance", r#"{"dance":1}"#, "nnnnnnn"),
];

pub async fn check(host: &TestServer, people: &People, lines: &mut Vec<Line>) {
    every_kind_is_here(people).await;
    for (kind, message, expected) in MESSAGES {
        let mut cells = Vec::new();
        for role in ROLES {
            cells.push(ask(host, people, role, kind, message).await);
        }
        let line = Line { title: format!("`{message}`"), cells };
        line.expect(expected);
        lines.push(line);
    }
    let mut cells = Vec::new();
    for role in ROLES {
        let mut socket = open(people.client(role), &Stage::Running.table(people).await).await;
        socket.send(Message::binary(vec![0, 1])).await.expect("it can be sent");
        let closed = loop {
            match socket.next().await {
                Some(Ok(Message::Close(Some(frame)))) => break frame,
                Some(Ok(_)) => {}
                other => panic!("a reason is given: {other:?}"),
            }
        };
        cells.push(Cell { allowed: false, text: format!("closed with {}: {}", u16::from(closed.code), closed.reason) });
    }
    let line = Line { title: "bytes instead of text".into(), cells };
    line.expect("nnnnnnn");
    lines.push(line);
}

async fn open(client: &Client, table: &str) -> Socket {
    let mut socket = client.socket(table).await;
    receive(&mut socket, |message| message.get("table").is_some()).await;
    socket
}

/// Says it and tells what came of it.
async fn ask(host: &TestServer, people: &People, role: Role, kind: &str, message: &str) -> Cell {
    let table = Stage::Running.table(people).await;
    let mut listener = open(&host.stranger(), &table).await;
    let mut socket = open(people.client(role), &table).await;
    send_message(&mut socket, serde_json::from_str(message).expect("JSON")).await;
    let own = match role {
        Role::Mover => json!(0),
        Role::Other => json!(1),
        _ => Value::Null,
    };
    match kind {
        "hello" => {
            let table = receive(&mut socket, |message| message.get("missed").is_some()).await;
            assert_eq!(table["table"]["viewer"], own, "{}", role.name());
            Cell { allowed: true, text: "yes, with what it may see".into() }
        }
        "ping" => {
            receive(&mut socket, |message| message["pong"] == json!(7)).await;
            Cell { allowed: true, text: "yes".into() }
        }
        "presence" => {
            // The table takes one message after the other: once it has answered this, it has passed on the other.
            send_message(&mut socket, json!({ "hello": { "seq": 0 } })).await;
            receive(&mut socket, |message| message.get("missed").is_some()).await;
            send_message(&mut listener, json!({ "ping": 1 })).await;
            let heard =
                receive(&mut listener, |message| message.get("presence").is_some() || message.get("pong").is_some())
                    .await;
            let passed_on = heard.get("presence").is_some();
            if passed_on {
                assert_eq!(heard["presence"]["seat"], own, "nobody speaks for another seat");
            }
            let text = own.as_u64().map_or("dropped".to_owned(), |seat| format!("yes, as seat {seat}"));
            Cell { allowed: passed_on, text }
        }
        _ => {
            let received =
                receive(&mut socket, |message| message.get("ack").is_some() || message.get("nack").is_some()).await;
            let code = received["nack"]["error"]["code"].as_str().unwrap_or_default();
            let allowed = received.get("ack").is_some();
            Cell { allowed, text: if allowed { "yes".into() } else { format!("`{code}`") } }
        }
    }
}

/// The server names the kinds it understands when it is received something else.
async fn every_kind_is_here(people: &People) {
    let mut socket = open(people.client(Role::Stranger), &Stage::Running.table(people).await).await;
    send_message(&mut socket, json!({ "dance": 1 })).await;
    let nack = receive(&mut socket, |message| message.get("nack").is_some()).await;
    let text = nack["nack"]["error"]["message"].as_str().expect("a sentence").to_owned();
    let (_, named) = text.split_once("expected one of").expect("the kinds are named");
    let kinds: BTreeSet<&str> = named.split('`').skip(1).step_by(2).collect();
    let asked: BTreeSet<&str> = MESSAGES.iter().map(|(kind, ..)| *kind).filter(|kind| *kind != "dance").collect();
    assert_eq!(kinds, asked, "a kind of message is not in the matrix");
}
