//! Those who mean harm, beside the players of the load test: the server's own list of hostile requests, again and
//! again, from an address of their own.

#[path = "../../crates/server/tests/black_box/hostile/attack.rs"]
mod attack;
#[path = "../../crates/server/tests/black_box/hostile/requests.rs"]
mod requests;

use crate::client::Client;
use anyhow::{Context, Result};
use attack::attack;
use requests::Target;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What came of it.
#[derive(Default)]
pub struct Harm {
    pub kinds: usize,
    pub sent: u64,
    /// Told that they are too many or too quick, before anything else was looked at.
    pub held_off: u64,
    /// Answers that the list does not expect, by request.
    pub wrong: BTreeMap<String, u64>,
}

impl Harm {
    pub fn report(&self) -> Value {
        json!({ "kinds": self.kinds, "sent": self.sent, "held_off": self.held_off, "answered_otherwise": self.wrong })
    }
}

/// The table and the secrets that hostile requests speak of.
async fn target(guest: &Client) -> Result<Target> {
    let wish = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, { "kind": "me" }] });
    let (first, second) =
        (guest.post("/api/v1/tables", &wish).await?.body, guest.post("/api/v1/tables", &wish).await?.body);
    let text = |value: &Value| value.as_str().map(str::to_owned).context("the server made no table");
    Ok(Target {
        table: text(&first["table"]["id"])?,
        foreign_token: text(&second["seat_tokens"][0]["token"])?,
        other_seat: text(&first["seat_tokens"][1]["token"])?,
    })
}

/// Sends every request of the list again and again until `done`.
pub async fn rage(guest: &Client, address: SocketAddr, done: Arc<AtomicBool>) -> Result<Harm> {
    let target = target(guest).await?;
    let list = requests::all(&target);
    let kinds = list.len();
    let mut tasks = Vec::new();
    for hostile in list {
        let (table, done) = (target.table.clone(), Arc::clone(&done));
        tasks.push(tokio::spawn(async move {
            let mut told = Vec::new();
            while !done.load(Ordering::Relaxed) {
                told.push(attack(address, Ipv4Addr::new(127, 0, 0, 2), &table, &hostile.how).await);
            }
            (hostile, told)
        }));
    }
    let mut harm = Harm { kinds, ..Harm::default() };
    for task in tasks {
        let (hostile, told) = task.await?;
        for told in told {
            harm.sent += 1;
            match told.as_str() {
                "429" | "503" => harm.held_off += 1,
                told if hostile.right.contains(&told) => {}
                told => *harm.wrong.entry(format!("{}: {told}", hostile.name)).or_default() += 1,
            }
        }
    }
    Ok(harm)
}
