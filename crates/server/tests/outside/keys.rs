//! Keys over real connections: with another key at the same table, every byte that reaches those who may not know it
//! is the same – answers with their headers, refusals, messages on sockets, clocks.

use crate::common::{Answer, Client, House, Sitter, Socket, TABLE, Written, ahead, hear, say};
use crate::one_board::{Gate, catalog};
use game::{Needs, Seat, Seed, Setup, Viewer};
use hyper::Method;
use serde_json::{Value, json};
use server::Rate;
use std::sync::{Arc, LazyLock};
use store::Secret;

/// What shows the moment at which it was sent, by its own nature.
const TIMES: [&str; 5] = ["left_ms", "move_left_ms", "per_move_left_ms", "created_ms", "updated_ms"];

/// The services at a table, each with a request that works.
static SERVICES: LazyLock<Vec<(&'static str, Value)>> = LazyLock::new(|| {
    let catalog = catalog(Arc::default());
    let services = catalog.game("codenames").expect("it is listed").services().iter();
    services
        .filter(|service| service.needs == Needs::View)
        .map(|service| (service.name, service.example.clone()))
        .collect()
});

/// The same with every time shown as such: whether there is one stays visible, its figure does not.
fn timeless(mut value: Value) -> Value {
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
fn told(answer: &Answer) -> String {
    let body = match serde_json::from_slice(&answer.bytes) {
        Ok(value) => timeless(value).to_string(),
        Err(_) => String::from_utf8_lossy(&answer.bytes).into_owned(),
    };
    let headers = answer.headers.iter().filter(|(name, _)| *name != "date" && *name != "content-length");
    let headers: Vec<String> = headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
    format!("{} [{}] {body}", answer.status, headers.join(", "))
}

/// The key of a table of this seed, as its spymasters see it.
fn key(seed: u64) -> Vec<Value> {
    let catalog = catalog(Arc::default());
    let game = catalog.game("codenames").expect("it is listed");
    let (settings, _) = game.settings(&Value::Null).expect("the default settings are good");
    let setup = Setup { rules_version: 1, settings, seats: 4, seed: Seed(seed) };
    let view = game.open(&setup, &[]).expect("it starts").view(Viewer::Seat(Seat(0)));
    view["cards"].as_array().expect("cards").iter().map(|card| card["key"].clone()).collect()
}

/// A house with one table: a person as red's spymaster and one as its operative, or whoever is given.
async fn house(seed: u64, gate: &Arc<Gate>, seats: &[Sitter<'_>]) -> House {
    let mut house = House::closed();
    let often = Rate { per_second: 1_000_000, burst: 1_000_000 };
    let limits = &mut house.config.limits;
    (limits.per_caller, limits.per_address, limits.per_socket) = (often, often, often);
    let terms = json!({ "size": 4, "clock": { "per_game_ms": 3_600_000, "per_move_ms": 900_000 } });
    house.write_down(Written { game: "codenames", settings: json!({}), terms, seed, seats }).await;
    house.start(catalog(Arc::clone(gate))).await;
    house
}

/// Somebody who may not know the key, and what it was told.
struct Viewpoint {
    client: Client,
    socket: Socket,
    told: Vec<String>,
}

impl Viewpoint {
    async fn new(client: Client) -> Self {
        let socket = client.socket(TABLE).await;
        Self { client, socket, told: Vec::new() }
    }

    /// Waits for the table as it is after so many actions.
    async fn hear(&mut self, ply: u64) {
        let table = hear(&mut self.socket, |message| message["table"]["ply"] == json!(ply)).await;
        self.told.push(timeless(table).to_string());
    }

    /// Waits for the table while a bot thinks about its answer to so many actions, and for what it shows of that.
    async fn hear_thinking(&mut self, ply: u64) {
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
    async fn look_around(&mut self) {
        let at = |path: &str| format!("/tables/{TABLE}{path}");
        for path in
            ["", "?seat=0", "?seat=1", "?seat=2", "?seat=3", "?seat=9", "/view?at=0", "/view?at=1", "/view?at=99"]
        {
            self.told.push(told(&self.client.get(&at(path)).await));
        }
        for path in ["/export?format=cnwa", "/export?format=cnwae", "/export?format=jsonl", "/export?format=no"] {
            self.told.push(told(&self.client.get(&at(path)).await));
        }
        self.told.push(told(&self.client.get("/tables").await));
        for (service, example) in &*SERVICES {
            for seat in ["", "?seat=0", "?seat=2"] {
                let path = at(&format!("/services/{service}{seat}"));
                self.told.push(told(&self.client.post(&path, example.clone()).await));
            }
        }
        // what nobody here may do now; none of it changes anything
        let clue = json!({ "type": "clue", "word": "ocean", "number": 1 });
        for action in [json!({ "type": "guess", "card": 77 }), json!({ "type": "no" }), json!(3), clue] {
            for seat in [json!(null), json!(0), json!(2), json!(3)] {
                let body = json!({ "action": action, "seat": seat });
                self.told.push(told(&self.client.post(&at("/actions"), body).await));
            }
        }
        for (path, body) in [
            ("/actions", json!({ "text": "stop", "seat": 0 })),
            ("/actions", json!({ "text": "guess 1", "expect_ply": 99 })),
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

/// What reaches the operative, a guest who looks on and somebody without a name while red plays a turn and the
/// computer's spymaster thinks. Red's clue means what the key says; `card` is red's.
async fn evening(seed: u64, card: usize) -> Vec<Vec<String>> {
    let (gate, master, operative) = (Arc::new(Gate::default()), Secret::generate(), Secret::generate());
    let people = [Sitter::Person("ada", Some(&master)), Sitter::Person("bob", Some(&operative))];
    let seats = people.into_iter().chain([Sitter::Bot("strong"), Sitter::Bot("strong")]).collect::<Vec<_>>();
    let house = house(seed, &gate, &seats).await;
    let with = |secret: &Secret| house.stranger().holding(secret);
    let (master, operative) = (with(&master), with(&operative));
    let mut viewpoints = Vec::new();
    for client in [operative.clone(), house.guest().await, house.stranger()] {
        viewpoints.push(Viewpoint::new(client).await);
    }
    let key = key(seed);
    let meant: Vec<usize> = (0..25).filter(|&at| key[at] == json!("red")).take(3).collect();
    let clue = json!({ "type": "clue", "word": "ocean", "number": 2, "meant": meant });
    let turn = [
        (&master, clue),
        (&operative, json!({ "type": "guess", "card": card })),
        (&operative, json!({ "type": "stop" })),
    ];
    for viewpoint in &mut viewpoints {
        viewpoint.hear(0).await;
        viewpoint.look_around().await;
    }
    for (ply, (actor, action)) in (1..).zip(turn) {
        let answer = actor.post(&format!("/tables/{TABLE}/actions"), json!({ "action": action })).await;
        assert_eq!(answer.status, 200, "{}", told(&answer));
        for viewpoint in &mut viewpoints {
            if ply < 3 {
                viewpoint.hear(ply).await;
            } else {
                viewpoint.hear_thinking(ply).await;
            }
            viewpoint.told.push(told(&answer));
            viewpoint.look_around().await;
        }
    }
    gate.open();
    // the clue that the computer then gives is for everybody
    for viewpoint in &mut viewpoints {
        hear(&mut viewpoint.socket, |message| message["table"]["ply"].as_u64() >= Some(4)).await;
    }
    viewpoints.into_iter().map(|viewpoint| viewpoint.told).collect()
}

fn assert_same(first: &[Vec<String>], second: &[Vec<String>]) {
    for (who, (first, second)) in first.iter().zip(second).enumerate() {
        assert_eq!(first.len(), second.len());
        for (at, (first, second)) in first.iter().zip(second).enumerate() {
            assert_eq!(first, second, "viewer {who}, message {at}");
        }
    }
}

#[tokio::test]
async fn another_key_changes_no_byte_of_what_others_receive() {
    for pair in 0..3 {
        let (one, other) = (key(pair), key(pair + 100));
        assert_ne!(one, other);
        let card = (0..25).find(|&at| one[at] == json!("red") && other[at] == json!("red")).expect("nine of 25 twice");
        let (first, second) = (evening(pair, card).await, evening(pair + 100, card).await);
        assert!(first.iter().all(|told| told.len() > 200), "{:?}", first.iter().map(Vec::len).collect::<Vec<_>>());
        assert_same(&first, &second);
    }
}

#[tokio::test]
async fn a_card_that_turns_out_otherwise_is_noticed() {
    let (one, other) = (key(0), key(100));
    let card = (0..25).find(|&at| one[at] == json!("red") && other[at] != json!("red")).expect("the keys differ");
    let look = async |seed: u64| {
        let (gate, master) = (Arc::new(Gate::default()), Secret::generate());
        let person = |token| Sitter::Person("ada", token);
        let seats = [person(Some(&master)), person(Some(&master)), Sitter::Bot("strong"), Sitter::Bot("strong")];
        let house = house(seed, &gate, &seats).await;
        let ada = house.stranger().holding(&master);
        let mut stranger = Viewpoint::new(house.stranger()).await;
        for action in
            [json!({ "type": "clue", "word": "ocean", "number": 2 }), json!({ "type": "guess", "card": card })]
        {
            ada.post(&format!("/tables/{TABLE}/actions"), json!({ "action": action })).await;
        }
        stranger.hear(2).await;
        gate.open();
        stranger.told
    };
    assert_ne!(look(0).await, look(100).await, "what was turned is no secret: the comparison is not blind");
}

#[tokio::test]
async fn a_clue_made_ahead_shows_nowhere_while_the_table_waits() {
    let look = async |seed: u64| {
        let gate = Arc::new(Gate::default());
        gate.open();
        let seats = [Sitter::Bot("strong"), Sitter::Nobody, Sitter::Bot("strong"), Sitter::Bot("strong")];
        let house = house(seed, &gate, &seats).await;
        let before = ahead(&house.stranger(), "bot", "made").await;
        let mut viewpoints = Vec::new();
        for client in [house.guest().await, house.stranger()] {
            viewpoints.push(Viewpoint::new(client).await);
        }
        for viewpoint in &mut viewpoints {
            viewpoint.look_around().await;
        }
        while ahead(&house.stranger(), "bot", "made").await == before {
            tokio::task::yield_now().await;
        }
        for viewpoint in &mut viewpoints {
            viewpoint.look_around().await;
        }
        viewpoints.into_iter().map(|viewpoint| viewpoint.told).collect::<Vec<_>>()
    };
    assert_same(&look(0).await, &look(100).await);
}
