//! Accounts from the outside: sign in, sign out, ratings, everything about me and nothing left of it.

use crate::common::{Client, TestServer, against};
use hyper::Method;
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse";

fn credentials(login: &str, password: &str) -> Value {
    json!({ "login": login, "password": password })
}

/// A guest with an account.
async fn member(host: &TestServer, login: &str) -> Client {
    let mut client = host.guest().await;
    let made = client.post("/account", credentials(login, PASSWORD)).await;
    assert_eq!(made.status, 201, "{:?}", made.json());
    assert_ne!(client.cookie, Some(made.cookie()), "signing up begins a session of its own");
    client.cookie = Some(made.cookie());
    client
}

async fn id(client: &Client) -> String {
    client.get("/me").await.json()["guest"]["id"].as_str().expect("an id").to_owned()
}

/// Somebody on another machine who signs in.
async fn sign_in(host: &TestServer, login: &str, password: &str) -> Result<Client, u16> {
    let mut client = host.stranger();
    let answer = client.post("/account/login", credentials(login, password)).await;
    if answer.status != 200 {
        assert_eq!(answer.code(), "account.wrong");
        return Err(answer.status);
    }
    client.cookie = Some(answer.cookie());
    Ok(client)
}

/// A rated game of noughts that `winner` wins.
async fn rated_game(winner: &Client, loser: &Client) -> String {
    let mut request = against("open");
    request["options"] = json!({ "rated": true });
    let table = winner.table(request).await;
    assert_eq!(loser.post(&format!("/tables/{table}/seats/1"), json!({ "kind": "me" })).await.status, 200);
    for (player, cell) in [(winner, 0), (loser, 3), (winner, 1), (loser, 4)] {
        assert_eq!(player.cell(&table, cell).await.status, 200);
    }
    assert_eq!(loser.post(&format!("/tables/{table}/resign"), json!({})).await.status, 200);
    winner.until(&table, |table| table["state"] == "over").await;
    table
}

/// The ratings of somebody once there are `games` of them.
async fn rating(client: &Client, games: i64) -> (f64, f64) {
    let deadline = tokio::time::Instant::now() + crate::common::PATIENCE;
    loop {
        let line = client.get("/me").await.json()["ratings"][0].clone();
        if line["games"] == json!(games) {
            assert_eq!(line["game"], "noughts");
            return (line["rating"].as_f64().expect("a number"), line["deviation"].as_f64().expect("a number"));
        }
        assert!(tokio::time::Instant::now() < deadline, "never rated: {line}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_name_and_a_password_bring_me_back_on_another_machine() {
    let host = TestServer::open().await;
    let ada = member(&host, "Ada").await;
    let table = ada.table(json!({ "game": "noughts" })).await;
    let elsewhere = sign_in(&host, " aDa ", PASSWORD).await.expect("the right password");
    assert_eq!(id(&elsewhere).await, id(&ada).await);
    assert_eq!(elsewhere.get("/me").await.json()["account"], "ada");
    assert_eq!(elsewhere.see(&table).await["viewer"], 0, "my seat is mine there too");
    assert_eq!(sign_in(&host, "ada", "wrong horse").await.err(), Some(401));
    assert_eq!(sign_in(&host, "nobody", PASSWORD).await.err(), Some(401));
    let again = host.guest().await.post("/account", credentials("ADA", PASSWORD)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "account.taken"));
}

#[tokio::test]
async fn signing_out_ends_one_machine_and_a_new_password_all_others() {
    let host = TestServer::open().await;
    let ada = member(&host, "ada").await;
    let me = id(&ada).await;
    let [phone, tablet] =
        [sign_in(&host, "ada", PASSWORD).await.expect("in"), sign_in(&host, "ada", PASSWORD).await.expect("in")];
    let out = phone.post("/account/logout", json!({})).await;
    assert_eq!(out.status, 204);
    assert_ne!(out.cookie(), phone.cookie.clone().expect("it had one"));
    assert_ne!(id(&phone).await, me, "the old secret is nobody's: a new guest");
    assert_eq!(id(&tablet).await, me);
    let wrong = tablet.put("/account/password", json!({ "old": "no", "new": "battery staple" })).await;
    assert_eq!((wrong.status, wrong.code().as_str()), (401, "account.wrong"));
    let changed = tablet.put("/account/password", json!({ "old": PASSWORD, "new": "battery staple" })).await;
    assert_eq!(changed.status, 204);
    assert_eq!(id(&tablet).await, me);
    assert_ne!(id(&ada).await, me, "the first machine is signed out");
    assert_eq!(sign_in(&host, "ada", PASSWORD).await.err(), Some(401));
    assert_eq!(id(&sign_in(&host, "ada", "battery staple").await.expect("in")).await, me);
    let guest = host.guest().await.post("/account/logout", json!({})).await;
    assert_eq!((guest.status, guest.code().as_str()), (409, "account.none"));
}

#[tokio::test]
async fn names_and_passwords_that_do_not_fit_are_explained() {
    let host = TestServer::open().await;
    let guest = host.guest().await;
    for login in ["ab", "a b c", "<script>", &"x".repeat(33)] {
        let answer = guest.post("/account", credentials(login, PASSWORD)).await;
        assert_eq!((answer.status, answer.code().as_str()), (422, "account.login"), "{login}");
    }
    for password in ["short", &"x".repeat(201)] {
        let answer = guest.post("/account", credentials("ada", password)).await;
        assert_eq!((answer.status, answer.code().as_str()), (422, "account.password"), "{password}");
    }
    assert_eq!(guest.get("/me").await.json()["account"], Value::Null);
}

#[tokio::test]
async fn passwords_cannot_be_tried_without_end() {
    let host = TestServer::with(|config| config.limits.passwords = server::Rate { per_second: 1, burst: 3 }).await;
    member(&host, "ada").await;
    let tries: Vec<_> = (0..8)
        .map(|n| {
            let eve = host.stranger();
            tokio::spawn(async move { eve.post("/account/login", credentials("ada", &format!("guess {n}"))).await })
        })
        .collect();
    let mut refused = 0;
    for answer in tries {
        let answer = answer.await.expect("an answer");
        refused += usize::from(answer.status == 429 && answer.headers.contains_key("retry-after"));
    }
    assert!(refused > 0, "eight wrong passwords at once were all looked at");
}

#[tokio::test]
async fn rated_games_move_both_and_count_once() {
    let mut host = TestServer::open().await;
    let (ada, bob) = (member(&host, "ada").await, host.guest().await);
    let table = rated_game(&ada, &bob).await;
    let (won, deviation) = rating(&ada, 1).await;
    let (lost, _) = rating(&bob, 1).await;
    assert!(won > 1600.0 && lost < 1400.0 && deviation < 330.0, "{won} {lost} {deviation}");
    host.restart().await;
    let (mut ada, mut bob) = (ada, bob);
    (ada.address, bob.address) = (host.address.clone(), host.address.clone());
    ada.see(&table).await;
    rated_game(&bob, &ada).await;
    let (after, _) = rating(&ada, 2).await;
    assert!(after < won, "{after} {won}");
    assert!(rating(&bob, 2).await.0 > lost);
}

#[tokio::test]
async fn a_rated_table_helps_nobody_and_takes_nothing_back() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let mut request = against("bot");
    request["options"] = json!({ "rated": true });
    let table = ada.table(request.clone()).await;
    let seen = ada.see(&table).await;
    assert_eq!(seen["options"], json!({ "help": false, "private": false, "rated": true }));
    assert_eq!(ada.cell(&table, 0).await.status, 200);
    let undo = ada.post(&format!("/tables/{table}/undo"), json!({})).await;
    assert_eq!((undo.status, undo.code().as_str()), (422, "table.rated"));
    request["moves"] = json!([{ "action": { "cell": 0 } }]);
    let imported = ada.post("/tables", request).await;
    assert_eq!((imported.status, imported.code().as_str()), (422, "table.rated"));
    let seen = ada.until(&table, |table| table["ply"] == json!(2)).await;
    let act = json!({ "action": seen["legal"][0]["action"] });
    assert_eq!(ada.post(&format!("/tables/{table}/actions"), act).await.status, 200);
    ada.until(&table, |table| table["ply"] == json!(4)).await;
    ada.post(&format!("/tables/{table}/resign"), json!({})).await;
    let (after, _) = rating(&ada, 1).await;
    assert!(after < 1500.0, "a level of the computer is an opponent: {after}");
}

#[tokio::test]
async fn a_game_that_is_resigned_at_once_counts_for_nobody() {
    let host = TestServer::open().await;
    let (ada, bob) = (member(&host, "ada").await, host.guest().await);
    let mut request = against("open");
    request["options"] = json!({ "rated": true });
    let table = ada.table(request).await;
    assert_eq!(bob.post(&format!("/tables/{table}/seats/1"), json!({ "kind": "me" })).await.status, 200);
    assert_eq!(bob.post(&format!("/tables/{table}/resign"), json!({})).await.status, 200);
    rated_game(&ada, &bob).await;
    rating(&ada, 1).await;
    assert_eq!(ada.get("/me").await.json()["ratings"][0]["games"], 1, "only the game that was played");
}

#[tokio::test]
async fn everything_about_me_can_be_taken_away_and_deleted() {
    let host = TestServer::open().await;
    let (ada, bob) = (member(&host, "ada").await, host.guest().await);
    let me = id(&ada).await;
    let table = rated_game(&ada, &bob).await;
    rating(&ada, 1).await;
    let running = ada.table(json!({ "game": "noughts" })).await;
    assert_eq!(ada.put("/me/keepsakes/taste", json!({ "body": "{\"likes\":1}" })).await.status, 204);
    assert_eq!(bob.put("/me/keepsakes/taste", json!({ "body": "{}" })).await.code(), "account.none");
    assert_eq!(ada.put("/me/keepsakes/a%20b", json!({ "body": "" })).await.code(), "keepsake.name");
    let long = json!({ "body": "x".repeat(210_000) });
    assert_eq!(ada.put("/me/keepsakes/taste", long).await.code(), "keepsake.size");

    let data = ada.get("/me/data").await;
    assert!(data.headers["content-disposition"].to_str().expect("text").starts_with("attachment"));
    let data = data.json();
    assert_eq!(data["account"]["login"], "ada");
    assert_eq!(data["keepsakes"]["taste"]["body"], "{\"likes\":1}");
    assert_eq!(data["ratings"][0]["games"], 1);
    let games = data["games"].as_array().expect("games");
    let game = |id: &str| games.iter().find(|game| game["id"] == id).expect("it is there");
    assert!(game(&table)["log"].as_array().is_some_and(|log| log.len() > 3));
    assert!(game(&running)["log"].is_null() && game(&running)["table"]["viewer"] == 0);
    assert!(!data.to_string().contains("argon2"), "no hash of a password leaves");

    let goodbye = |password: Option<&str>| {
        let body = json!({ "password": password }).to_string().into_bytes();
        ada.send(Method::DELETE, "/api/v1/me", Some(body), &[])
    };
    assert_eq!(goodbye(None).await.status, 401);
    assert_eq!(goodbye(Some("wrong horse")).await.status, 401);
    assert_eq!(goodbye(Some(PASSWORD)).await.status, 204);
    assert_ne!(id(&ada).await, me);
    assert_eq!(sign_in(&host, "ada", PASSWORD).await.err(), Some(401));
    let seen = bob.see(&table).await;
    assert_eq!(seen["state"], "over");
    assert_eq!(seen["seats"][0]["player"]["name"], "Guest", "the seat stays, the name does not");
}
