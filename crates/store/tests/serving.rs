//! A server's place at a store: alone on SQLite, one of several on PostgreSQL.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use store::testing::fresh_postgres;
use store::{GameRow, GameState, NewGame, PeerEvent, Peers, ServerRegistration, Store, StoreError};
use tokio::sync::mpsc;

static NOW: AtomicI64 = AtomicI64::new(1_000);

fn clock() -> i64 {
    NOW.load(Ordering::Relaxed)
}

fn game(id: &str, wake: bool) -> NewGame {
    let row = GameRow {
        id: id.into(),
        game: "noughts".into(),
        rules_version: 1,
        settings: "{}".into(),
        seats: 2,
        seed: 7,
        terms: "{}".into(),
        listed: true,
        state: GameState::Running,
        wake,
        head: 3,
        summary: "{}".into(),
        created_ms: 5,
        updated_ms: 5,
    };
    NewGame { row, seats: Vec::new(), entries: Vec::new() }
}

async fn serve(address: &str) -> (Store, ServerRegistration, Peers, mpsc::Receiver<PeerEvent>) {
    let store = Store::open(address).await.expect("the store opens");
    let (serving, news) = store.serve(clock).await.expect("there is a place");
    let peers = serving.peers().expect("there may be others").clone();
    (store, serving, peers, news)
}

async fn next(news: &mut mpsc::Receiver<PeerEvent>) -> PeerEvent {
    let wait = tokio::time::timeout(Duration::from_secs(20), news.recv());
    wait.await.expect("it is told in time").expect("the channel is open")
}

#[tokio::test]
async fn an_sqlite_file_takes_one_server() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let address = format!("sqlite:{}", folder.path().join("test.db").display());
    let (first, second) = (Store::open(&address).await.expect("opens"), Store::open(&address).await.expect("opens"));
    let place = first.serve(clock).await.expect("the first server has its place");
    let refused = second.serve(clock).await.err().expect("there is no second place");
    assert!(matches!(&refused, StoreError::Served(text) if text.contains("postgres://")), "{refused}");
    drop(place);
    assert!(second.serve(clock).await.is_ok(), "the place is free again");
}

#[tokio::test]
async fn a_game_is_looked_after_by_one_server_until_that_one_lets_go() {
    let Some(address) = fresh_postgres().await else { return };
    let (store, _a, ada, _ada_news) = serve(&address).await;
    let (_second, _b, bob, mut bob_news) = serve(&address).await;
    for (id, wake) in [("asleep", false), ("awake", true), ("other", true)] {
        store.create(game(id, wake)).await.expect("it is new");
    }
    let hold = ada.claim("awake").await.expect("nobody has it");
    assert!(hold.is_valid() && bob.claim("awake").await.is_none());
    assert_eq!(bob.unattended().await, Ok(vec!["other".to_owned()]));
    // The same server may hold it twice: a table that is set up again holds it before the old one lets go.
    let again = ada.claim("awake").await.expect("it is ours");
    drop(hold);
    assert!(bob.claim("awake").await.is_none());
    drop(again);
    let taken = loop {
        match bob.claim("awake").await {
            Some(hold) => break hold,
            None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    assert!(taken.is_valid() && ada.claim("awake").await.is_none());
    let left = ada.claim("other").await.expect("nobody has it");
    ada.leave().await;
    while !matches!(next(&mut bob_news).await, PeerEvent::Gone { .. }) {}
    assert!(bob.claim("other").await.is_some(), "whoever leaves lets go before it says so");
    drop(left);
}

#[tokio::test]
async fn servers_hear_of_each_other_and_since_when_the_house_is_open() {
    let Some(address) = fresh_postgres().await else { return };
    NOW.store(2_000, Ordering::Relaxed);
    let (store, ada_serves, ada, mut ada_news) = serve(&address).await;
    NOW.store(9_000, Ordering::Relaxed);
    let (second, bob_serves, bob, mut bob_news) = serve(&address).await;
    assert_eq!((ada_serves.opened_ms(), bob_serves.opened_ms()), (2_000, 2_000), "it was open when Bob came");
    store.create(game("g", false)).await.expect("it is new");
    let entry = store::LogEntry { seq: 4, at_ms: 6, body: "{}".into() };
    let append = store::Append {
        game: "g".into(),
        after: 3,
        entries: vec![entry],
        seat_changes: Vec::new(),
        seats: 2,
        state: GameState::Running,
        wake: false,
        summary: "{}".into(),
        updated_ms: 8_000,
    };
    store.append(append.clone()).await.expect("it follows");
    assert_eq!(next(&mut bob_news).await, PeerEvent::Grown { game: "g".into(), seq: 4 });
    assert!(matches!(second.append(append).await, Err(StoreError::Conflict { .. })), "whoever is second is told");
    assert_eq!(bob.head("g").await, Ok(Some(4)));
    assert_eq!(bob.head("nothing").await, Ok(None));
    assert_eq!(bob.heads(&["g".to_owned(), "h".to_owned()], 8_000).await, Ok(vec![("g".to_owned(), 4)]));
    assert_eq!(bob.heads(&["g".to_owned()], 8_001).await, Ok(Vec::new()));
    bob.pass_on("g", &"x".repeat(9_000));
    bob.pass_on("g", "hello");
    let PeerEvent::Passing { game, text, .. } = next(&mut ada_news).await else { panic!("a message") };
    assert_eq!((game.as_str(), text.as_str()), ("g", "hello"), "what is too long is not sent");
    second.rename_guest("nobody", "N").await.expect("it answers");
    assert_eq!(next(&mut ada_news).await, PeerEvent::Guest { id: "nobody".into() });
    ada.leave().await;
    bob.leave().await;
    let (_third, serves, ..) = serve(&address).await;
    assert_eq!(serves.opened_ms(), 9_000, "it was closed in between");
}
