//! Players for crash tests: they record exactly which of their actions were acknowledged.
//!
//! Whenever a player looks at its table with nothing in flight, the history must hold exactly those: one missing is
//! lost, one too many is doubled. A request that got no answer is repeated with the same `expect_ply` until it gets
//! one, at the next server where there are several.

use crate::client::{Client, HttpAnswer, below};
use anyhow::{Result, bail};
use numerics::SplitMix64;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A table is given up for a new one after so many actions.
const LONGEST_GAME: u64 = 60;
/// How long a test waits for an answer, or for all tables to go on, before it gives up.
const RESUME_PATIENCE: Duration = Duration::from_secs(30);

/// Acknowledged, lost and doubled actions of all players.
#[derive(Default)]
pub struct Acknowledgements {
    pub acknowledged: AtomicU64,
    pub lost: AtomicU64,
    pub doubled: AtomicU64,
    pub finished: AtomicU64,
    pub done: AtomicBool,
    /// When each acknowledged action was first sent, and when the acknowledgement came.
    pub moves: Mutex<Vec<(Instant, Instant)>>,
    /// When each player's last action was acknowledged.
    last: Mutex<Vec<Option<Instant>>>,
    failures: Mutex<Vec<String>>,
}

impl Acknowledgements {
    /// A ledger for so many players.
    pub fn of(players: usize) -> Arc<Self> {
        Arc::new(Self { last: Mutex::new(vec![None; players]), ..Self::default() })
    }

    /// What went wrong.
    pub fn failures(&self) -> Vec<String> {
        self.failures.lock().expect("no panic while held").clone()
    }

    fn failed(&self, what: String) {
        self.failures.lock().expect("no panic while held").push(what);
    }

    /// How long it took until every table had an action acknowledged after `moment`.
    pub async fn all_acted_since(&self, moment: Instant) -> Result<Duration> {
        loop {
            let slowest = {
                let last = self.last.lock().expect("no panic while held");
                last.iter().map(|at| at.filter(|at| *at > moment)).collect::<Option<Vec<_>>>()
            };
            if slowest.is_some() {
                return Ok(moment.elapsed());
            }
            if moment.elapsed() > RESUME_PATIENCE {
                bail!("not every table went on within {RESUME_PATIENCE:?}: {}", self.failures().join("; "));
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Prints what a test found; an error if anything acknowledged was lost or doubled, or a table stood still.
pub fn verdict(report: &Value, json: bool) -> Result<()> {
    if json {
        println!("{report}");
    } else {
        println!("{report:#}");
    }
    if report["lost"] != json!(0) || report["doubled"] != json!(0) {
        bail!("acknowledged actions were lost or doubled");
    }
    if report["failures"].as_array().is_some_and(|failures| !failures.is_empty()) {
        bail!("some tables did not go on");
    }
    Ok(())
}

/// Pacing of a player.
#[derive(Clone, Copy)]
pub struct PlayerPacing {
    /// How long it waits before its next action, at the most.
    pub think_ms: u64,
    /// Out of a hundred actions, how many are sent to another server than the one before.
    pub hops: u64,
}

/// An action that was acknowledged.
struct Acknowledged {
    ply: u64,
    seat: u64,
    text: String,
}

/// Plays one table after the other until told to stop. Even players act for both seats, odd ones against a bot.
pub async fn player(number: usize, mut client: Client, pacing: PlayerPacing, ledger: Arc<Acknowledgements>) {
    let mut random = SplitMix64::new(number as u64 + 1);
    while client.sign_in().await.is_err() {
        client.turn_elsewhere();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    while !ledger.done.load(Ordering::Relaxed) {
        if let Err(error) = game(number, &client, pacing, &ledger, &mut random).await {
            ledger.failed(format!("player {number}: {error:#}"));
            return;
        }
    }
}

async fn game(
    number: usize,
    guest: &Client,
    pacing: PlayerPacing,
    ledger: &Acknowledgements,
    random: &mut SplitMix64,
) -> Result<()> {
    let levels = until_answered(guest, || guest.get("/api/v1/games")).await?;
    let level = levels[0]["levels"][0]["id"].clone();
    let second =
        if number.is_multiple_of(2) { json!({ "kind": "me" }) } else { json!({ "kind": "bot", "level": level }) };
    let wish = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, second] });
    let made = until_answered(guest, || guest.post("/api/v1/tables", &wish)).await?;
    let id = made["table"]["id"].as_str().unwrap_or_default().to_owned();
    let tokens = made["seat_tokens"].as_array().cloned().unwrap_or_default();
    let mine: Vec<u64> = tokens.iter().filter_map(|token| token["seat"].as_u64()).collect();
    let mut client = guest.clone();
    client.cookie = None;
    client.token = tokens[0]["token"].as_str().map(str::to_owned);
    let token_of =
        |seat: u64| tokens.iter().find(|token| token["seat"] == json!(seat)).and_then(|token| token["token"].as_str());
    let mut acknowledged: Vec<Acknowledged> = Vec::new();
    let path = format!("/api/v1/tables/{id}");
    let actions = format!("{path}/actions");
    loop {
        let table = until_answered(&client, || client.get(&path)).await?;
        compare(&table, &mine, &acknowledged, ledger);
        let ply = table["ply"].as_u64().unwrap_or(0);
        if table["state"] == "over" || ply >= LONGEST_GAME {
            ledger.finished.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        if ledger.done.load(Ordering::Relaxed) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10 + below(random, pacing.think_ms))).await;
        let Some(seat) = table["to_act"][0].as_u64().filter(|seat| mine.contains(seat)) else { continue };
        client.token = token_of(seat).map(str::to_owned);
        // The list of legal actions is the mover's own.
        let table = until_answered(&client, || client.get(&path)).await?;
        let Some(legal) = table["legal"].as_array().filter(|legal| !legal.is_empty()) else { continue };
        let choice = &legal[below(random, legal.len() as u64) as usize];
        let act = json!({ "action": choice["action"], "seat": seat, "expect_ply": ply });
        if below(random, 100) < pacing.hops {
            client.turn_elsewhere();
        }
        let sent = Instant::now();
        let answer = until_answered(&client, || client.post(&actions, &act)).await?;
        let answered = Instant::now();
        ledger.acknowledged.fetch_add(1, Ordering::Relaxed);
        ledger.moves.lock().expect("no panic while held").push((sent, answered));
        ledger.last.lock().expect("no panic while held")[number] = Some(answered);
        acknowledged.push(Acknowledged {
            ply: answer["ply"].as_u64().unwrap_or(0),
            seat,
            text: choice["text"].as_str().unwrap_or_default().to_owned(),
        });
    }
}

/// Compares what the table says with what was acknowledged.
fn compare(table: &Value, mine: &[u64], acknowledged: &[Acknowledged], ledger: &Acknowledgements) {
    let history = table["history"].as_array().cloned().unwrap_or_default();
    for known in acknowledged {
        let stands = history.iter().any(|line| {
            line["ply"] == json!(known.ply) && line["seat"] == json!(known.seat) && line["text"] == json!(known.text)
        });
        if !stands {
            ledger.lost.fetch_add(1, Ordering::Relaxed);
            let text = format!("table {}: {} at ply {} is lost", table["id"], known.text, known.ply);
            ledger.failed(text);
        }
    }
    let own = history.iter().filter(|line| line["seat"].as_u64().is_some_and(|seat| mine.contains(&seat))).count();
    let extra = own.saturating_sub(acknowledged.len()) as u64;
    if extra > 0 {
        ledger.doubled.fetch_add(extra, Ordering::Relaxed);
        let text = format!("table {}: {own} actions stand, {} were acknowledged", table["id"], acknowledged.len());
        ledger.failed(text);
    }
}

/// Repeats a request until it is answered; a dead server and "come back later" are no answers.
async fn until_answered<F, R>(client: &Client, request: F) -> Result<Value>
where
    F: Fn() -> R,
    R: Future<Output = Result<HttpAnswer>>,
{
    let begun = Instant::now();
    loop {
        match request().await {
            Ok(answer) if answer.status == 200 || answer.status == 201 => return Ok(answer.body),
            Ok(answer) if answer.status != 429 && answer.status != 503 => {
                bail!("answered {} {}", answer.status, answer.body)
            }
            _ if begun.elapsed() > RESUME_PATIENCE => bail!("no answer within {RESUME_PATIENCE:?}"),
            answer => {
                if answer.is_err() {
                    client.turn_elsewhere();
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}
