//! Somebody who asks for everything there is at a table, and what it was received.

use crate::common::{Client, Response, Socket, TABLE, receive, send_message};
use crate::probes::{Probe, Question, probes};
use catalog::{ErasedGame, ServiceInfo};
use game::Needs;
use serde_json::{Value, json};

/// What shows the moment at which it was sent, by its own nature.
const TIMES: [&str; 6] = ["at_ms", "left_ms", "move_left_ms", "per_move_left_ms", "created_ms", "updated_ms"];

/// What somebody asks who wants to know what it may not.
pub struct Probes {
    /// The services at a table, each with a request that works.
    pub services: Vec<(&'static str, Value)>,
    pub formats: &'static [&'static str],
    /// Actions that are refused whoever tries them.
    pub wrong: Vec<Value>,
}

impl Probes {
    /// The services of a game that are to be asked.
    pub fn about(game: &dyn ErasedGame, asked: impl Fn(&ServiceInfo) -> bool) -> Self {
        let services = game.services().iter().filter(|service| service.needs == Needs::View && asked(service));
        let services = services.map(|service| (service.name, service.example.clone())).collect();
        Self { services, formats: &["no"], wrong: vec![json!({ "type": "no" }), json!(3)] }
    }
}

/// The same with every time shown as such: whether there is one stays visible, its figure does not.
pub fn timeless(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                let time = TIMES.contains(&name.as_str()) && field.is_number();
                *field = if time { json!("a time") } else { timeless(field.take()) };
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = timeless(item.take())),
        _ => {}
    }
    value
}

/// Everything of an answer except the times in it and, for their sake, the date and the length.
pub fn received(answer: &Response) -> String {
    let body = match serde_json::from_slice(&answer.bytes) {
        Ok(value) => timeless(value).to_string(),
        Err(_) => String::from_utf8_lossy(&answer.bytes).into_owned(),
    };
    let headers = answer.headers.iter().filter(|(name, _)| *name != "date" && *name != "content-length");
    let headers: Vec<String> = headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
    format!("{} [{}] {body}", answer.status, headers.join(", "))
}

/// Somebody who may not know something, and what it was received.
pub struct Viewpoint {
    pub client: Client,
    pub socket: Socket,
    /// Whether the client is a guest who is the same every time.
    pub is_guest: bool,
    pub received: Vec<String>,
}

impl Viewpoint {
    pub async fn new(client: Client) -> Self {
        let socket = client.socket(TABLE).await;
        Self { client, socket, is_guest: false, received: Vec::new() }
    }

    /// Somebody who sits at the table as a guest that was written down.
    pub async fn of_guest(client: Client) -> Self {
        Self { is_guest: true, ..Self::new(client).await }
    }

    /// Waits for the table as it is after so many actions.
    pub async fn receive(&mut self, ply: u64) {
        let table = receive(&mut self.socket, |message| message["table"]["ply"] == json!(ply)).await;
        self.received.push(timeless(table).to_string());
    }

    /// Waits for the table as it is when the game is over.
    pub async fn receive_end(&mut self) {
        let table = receive(&mut self.socket, |message| message["table"]["state"] == json!("over")).await;
        self.received.push(timeless(table).to_string());
    }

    /// Waits for the table while a bot thinks about its answer to so many actions, and for what it shows of that.
    pub async fn receive_thinking(&mut self, ply: u64) {
        let (mut table, mut thinking) = (None, None);
        while table.is_none() || thinking.is_none() {
            let message = receive(&mut self.socket, |_| true).await;
            if message["table"]["ply"] == json!(ply) {
                table = Some(timeless(message));
            } else if message.get("thinking").is_some() {
                thinking = Some(message);
            }
        }
        self.received.extend([table, thinking].into_iter().flatten().map(|message| message.to_string()));
    }

    /// Asks for everything there is, and for much that there is not; none of it changes anything.
    pub async fn probe_everything(&mut self, probes_of: &Probes) {
        for (route, probe) in probes() {
            let questions = match probe {
                Probe::Asks(questions) => questions(probes_of),
                Probe::AsksAsGuest(questions) if self.is_guest => questions(probes_of),
                Probe::AsksAsGuest(_) | Probe::Socket | Probe::Silent(_) => continue,
            };
            for Question { method, path, body } in questions {
                let body = body.map(|body| body.to_string().into_bytes());
                let answer = self.client.send(method, &path, body, &[]).await;
                self.received.push(format!("{route}: {}", received(&answer)));
            }
        }
        let nothing = self.client.post(&format!("/tables/{TABLE}/nothing"), json!({})).await;
        self.received.push(received(&nothing));
        send_message(&mut self.socket, json!({ "hello": { "seq": 0 } })).await;
        let missed = receive(&mut self.socket, |message| message.get("missed").is_some()).await;
        self.received.push(timeless(missed).to_string());
    }
}

/// Everybody was received the same both times.
pub fn assert_same(first: &[Vec<String>], second: &[Vec<String>]) {
    for (who, (first, second)) in first.iter().zip(second).enumerate() {
        assert_eq!(first.len(), second.len());
        for (at, (first, second)) in first.iter().zip(second).enumerate() {
            assert_eq!(first, second, "viewer {who}, message {at}");
        }
    }
}
