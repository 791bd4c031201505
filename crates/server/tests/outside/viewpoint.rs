//! Somebody who asks for everything there is at a table, and what it was told.

use crate::common::{Answer, Client, Socket, TABLE, hear, say};
use catalog::{ErasedGame, ServiceInfo};
use game::Needs;
use hyper::Method;
use serde_json::{Value, json};

/// What shows the moment at which it was sent, by its own nature.
const TIMES: [&str; 5] = ["left_ms", "move_left_ms", "per_move_left_ms", "created_ms", "updated_ms"];

/// What somebody asks who wants to know what it may not.
pub struct Curiosity {
    /// The services at a table, each with a request that works.
    pub services: Vec<(&'static str, Value)>,
    pub formats: &'static [&'static str],
    /// Actions that are refused whoever tries them.
    pub wrong: Vec<Value>,
}

impl Curiosity {
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
pub fn told(answer: &Answer) -> String {
    let body = match serde_json::from_slice(&answer.bytes) {
        Ok(value) => timeless(value).to_string(),
        Err(_) => String::from_utf8_lossy(&answer.bytes).into_owned(),
    };
    let headers = answer.headers.iter().filter(|(name, _)| *name != "date" && *name != "content-length");
    let headers: Vec<String> = headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
    format!("{} [{}] {body}", answer.status, headers.join(", "))
}

/// Somebody who may not know something, and what it was told.
pub struct Viewpoint {
    pub client: Client,
    pub socket: Socket,
    pub told: Vec<String>,
}

impl Viewpoint {
    pub async fn new(client: Client) -> Self {
        let socket = client.socket(TABLE).await;
        Self { client, socket, told: Vec::new() }
    }

    /// Waits for the table as it is after so many actions.
    pub async fn hear(&mut self, ply: u64) {
        let table = hear(&mut self.socket, |message| message["table"]["ply"] == json!(ply)).await;
        self.told.push(timeless(table).to_string());
    }

    /// Waits for the table while a bot thinks about its answer to so many actions, and for what it shows of that.
    pub async fn hear_thinking(&mut self, ply: u64) {
        let (mut table, mut thinking) = (None, None);
        while table.is_none() || thinking.is_none() {
            let message = hear(&mut self.socket, |_| true).await;
            if message["table"]["ply"] == json!(ply) {
                table = Some(timeless(message));
            } else if message.get("thinking").is_some() {
                thinking = Some(message);
            }
        }
        self.told.extend([table, thinking].into_iter().flatten().map(|message| message.to_string()));
    }

    /// Asks for everything there is, and for much that there is not.
    pub async fn look_around(&mut self, curiosity: &Curiosity) {
        let at = |path: &str| format!("/tables/{TABLE}{path}");
        for path in
            ["", "?seat=0", "?seat=1", "?seat=2", "?seat=3", "?seat=9", "/view?at=0", "/view?at=1", "/view?at=99"]
        {
            self.told.push(told(&self.client.get(&at(path)).await));
        }
        for format in curiosity.formats {
            self.told.push(told(&self.client.get(&at(&format!("/export?format={format}"))).await));
        }
        self.told.push(told(&self.client.get("/tables").await));
        for (service, example) in &curiosity.services {
            for seat in ["", "?seat=0", "?seat=2"] {
                let path = at(&format!("/services/{service}{seat}"));
                self.told.push(told(&self.client.post(&path, example.clone()).await));
            }
        }
        // what nobody here may do now; none of it changes anything
        for action in &curiosity.wrong {
            for seat in [json!(null), json!(0), json!(2), json!(3)] {
                let body = json!({ "action": action, "seat": seat });
                self.told.push(told(&self.client.post(&at("/actions"), body).await));
            }
        }
        for (path, body) in [
            ("/actions", json!({ "text": "no such thing" })),
            ("/actions", json!({ "text": "no such thing", "expect_ply": 99 })),
            ("/undo", json!({ "keep": 99 })),
            ("/undo", json!({ "accept": true })),
            ("/redo", json!({})),
            ("/resign", json!({ "seat": 2 })),
            ("/rematch", json!({})),
            ("/seats/0", json!({ "kind": "bot" })),
            ("/nothing", json!({})),
        ] {
            self.told.push(told(&self.client.post(&at(path), body).await));
        }
        self.told.push(told(&self.client.send(Method::DELETE, &format!("/api/v1{}", at("/seats/2")), None, &[]).await));
        say(&mut self.socket, json!({ "hello": { "seq": 0 } })).await;
        let missed = hear(&mut self.socket, |message| message.get("missed").is_some()).await;
        self.told.push(timeless(missed).to_string());
    }
}

/// Everybody was told the same both times.
pub fn assert_same(first: &[Vec<String>], second: &[Vec<String>]) {
    for (who, (first, second)) in first.iter().zip(second).enumerate() {
        assert_eq!(first.len(), second.len());
        for (at, (first, second)) in first.iter().zip(second).enumerate() {
            assert_eq!(first, second, "viewer {who}, message {at}");
        }
    }
}
