//! Every promise of the store, on SQLite always and on PostgreSQL where `PARLOUR_TEST_POSTGRES` names a server
//! (`./test` starts a throw-away one).

#[path = "parts/backup.rs"]
mod backup;
mod common;

use common::on_each;
use store::{
    Append, GameFilter, GameRow, GameState, GuestRow, LogEntry, NewGame, SeatChange, SeatKind, SeatRow, Secret, Store,
    StoreError,
};

fn row(id: &str) -> GameRow {
    GameRow {
        id: id.into(),
        game: "noughts".into(),
        rules_version: 2,
        settings: "{}".into(),
        seats: 2,
        seed: u64::MAX - 5,
        terms: r#"{"size":2}"#.into(),
        listed: true,
        state: GameState::Running,
        wake: true,
        head: 1,
        summary: "{}".into(),
        created_ms: 100,
        updated_ms: 100,
    }
}

fn entry(seq: i64) -> LogEntry {
    LogEntry { seq, at_ms: 100 + seq, body: format!(r#"{{"number":{seq}}}"#) }
}

fn person(seat: u8, guest: &str) -> SeatRow {
    let token_hash = Some(Secret::generate().hash());
    SeatRow { seat, kind: SeatKind::Person, guest_id: Some(guest.into()), level: None, token_hash }
}

fn new_game(id: &str) -> NewGame {
    NewGame { row: row(id), seats: vec![person(0, "ada")], entries: vec![entry(1)] }
}

fn append(id: &str, after: i64) -> Append {
    Append {
        game: id.into(),
        after,
        entries: vec![entry(after + 1)],
        seat_changes: Vec::new(),
        seats: 2,
        state: GameState::Running,
        wake: false,
        summary: r#"{"ply":1}"#.into(),
        updated_ms: 200 + after,
    }
}

#[tokio::test]
async fn what_was_committed_is_there_after_opening_again() {
    on_each(async |store, address| {
        let new = new_game("a");
        store.create(new.clone()).await.expect("it is new");
        store.append(append("a", 1)).await.expect("it follows");
        store.close().await;
        let again = Store::open(address).await.expect("it opens again");
        assert_eq!(again.log("a", 0).await, Ok(vec![entry(1), entry(2)]));
        assert_eq!(again.log("a", 1).await, Ok(vec![entry(2)]));
        assert_eq!(again.seats("a").await, Ok(new.seats));
        let expected = GameRow { head: 2, wake: false, summary: r#"{"ply":1}"#.into(), updated_ms: 201, ..new.row };
        assert_eq!(again.game("a").await, Ok(Some(expected)));
        assert_eq!(again.game("b").await, Ok(None));
        again.close().await;
    })
    .await;
}

#[tokio::test]
async fn of_two_that_follow_the_same_event_one_is_refused_and_leaves_no_trace() {
    on_each(async |store, _| {
        store.create(new_game("a")).await.expect("it is new");
        let again = store.create(new_game("a")).await;
        assert_eq!(again, Err(StoreError::Conflict { game: "a".into(), after: 0 }));
        let attempts = (0..20).map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.append(append("a", 1)).await })
        });
        let mut stood = 0;
        for attempt in attempts.collect::<Vec<_>>() {
            match attempt.await.expect("no panic") {
                Ok(()) => stood += 1,
                Err(error) => assert_eq!(error, StoreError::Conflict { game: "a".into(), after: 1 }),
            }
        }
        assert_eq!(stood, 1);
        assert_eq!(store.log("a", 0).await.map(|log| log.len()), Ok(2));
        assert!(matches!(store.append(append("gone", 0)).await, Err(StoreError::Conflict { .. })));
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn many_games_written_at_once_are_all_complete() {
    on_each(async |store, _| {
        let games = (0..40).map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let id = format!("game{number}");
                store.create(new_game(&id)).await.expect("it is new");
                for after in 1..10 {
                    store.append(append(&id, after)).await.expect("it follows");
                }
            })
        });
        for game in games.collect::<Vec<_>>() {
            game.await.expect("no panic");
        }
        for number in 0..40 {
            let log = store.log(&format!("game{number}"), 0).await.expect("a log");
            assert_eq!(log.iter().map(|entry| entry.seq).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
        }
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn lists_find_what_they_should() {
    on_each(async |store, _| {
        store.create(new_game("a")).await.expect("it is new");
        let mut hidden = new_game("b");
        hidden.row.listed = false;
        hidden.row.state = GameState::Over;
        hidden.row.wake = false;
        store.create(hidden).await.expect("it is new");
        let ids = |rows: Vec<GameRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
        let filter = GameFilter { game: None, state: None, limit: 10 };
        assert_eq!(store.list(&filter).await.map(ids), Ok(vec!["a".to_owned()]));
        let other = GameFilter { game: Some("chess".into()), ..filter.clone() };
        assert_eq!(store.list(&other).await.map(ids), Ok(Vec::new()));
        let over = GameFilter { state: Some(GameState::Over), ..filter };
        assert_eq!(store.list(&over).await.map(ids), Ok(Vec::new()), "a private table is not listed");
        assert_eq!(store.games_of("ada", 10).await.map(ids), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(store.games_of("bob", 10).await.map(ids), Ok(Vec::new()));
        assert_eq!(store.to_wake().await, Ok(vec!["a".to_owned()]));
        assert_eq!(store.idle(GameState::Running, 101).await, Ok(vec!["a".to_owned()]));
        assert_eq!(store.idle(GameState::Running, 100).await, Ok(Vec::new()));
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn deleted_games_take_their_logs_and_seats_along() {
    on_each(async |store, _| {
        store.create(new_game("a")).await.expect("it is new");
        store.delete_idle(GameState::Over, 1_000).await.expect("nothing fits");
        assert!(store.game("a").await.expect("an answer").is_some());
        store.delete_idle(GameState::Running, 101).await.expect("it fits");
        assert_eq!(store.game("a").await, Ok(None));
        assert_eq!(store.log("a", 0).await, Ok(Vec::new()));
        assert_eq!(store.seats("a").await, Ok(Vec::new()));
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn seats_are_taken_and_left_with_the_events_that_say_so() {
    on_each(async |store, _| {
        store.create(new_game("a")).await.expect("it is new");
        let bot =
            SeatRow { seat: 1, kind: SeatKind::Bot, guest_id: None, level: Some("first".into()), token_hash: None };
        let taken = Append { seat_changes: vec![SeatChange::Taken(bot.clone())], ..append("a", 1) };
        store.append(taken).await.expect("it follows");
        assert_eq!(store.seats("a").await.map(|seats| seats[1].clone()), Ok(bot));
        let left = Append { seat_changes: vec![SeatChange::Left(1)], ..append("a", 2) };
        store.append(left).await.expect("it follows");
        assert_eq!(store.seats("a").await.map(|seats| seats.len()), Ok(1));
        let late = Append { seat_changes: vec![SeatChange::Left(0)], ..append("a", 2) };
        assert!(store.append(late).await.is_err());
        assert_eq!(store.seats("a").await.map(|seats| seats.len()), Ok(1), "a refused append changes nothing");
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn guests_are_found_by_their_secret_only() {
    on_each(async |store, _| {
        let secret = Secret::generate();
        let guest =
            GuestRow { id: "g".into(), name: "Ada".into(), secret_hash: secret.hash(), created_ms: 1, seen_ms: 1 };
        store.create_guest(guest.clone()).await.expect("it is new");
        let late = GuestRow { id: "h".into(), name: "Late".into(), ..guest.clone() };
        store.create_guest(late).await.expect("a secret that is taken is no error");
        assert_eq!(store.guest("h").await, Ok(None));
        assert_eq!(store.guest_by_secret(&secret.hash()).await, Ok(Some(guest)));
        assert_eq!(store.guest_by_secret(&Secret::generate().hash()).await, Ok(None));
        store.rename_guest("g", "Žofie").await.expect("it is there");
        assert_eq!(store.guest("g").await.map(|guest| guest.map(|guest| guest.name)), Ok(Some("Žofie".into())));
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_closed_store_says_so() {
    on_each(async |store, _| {
        store.ping().await.expect("it answers");
        store.close().await;
        assert_eq!(store.create(new_game("a")).await, Err(StoreError::Closed));
        assert!(store.ping().await.is_err());
    })
    .await;
}

#[tokio::test]
async fn wrong_addresses_are_explained() {
    for address in ["mysql://x", "parlour.db", "sqlite:", ""] {
        let error = Store::open(address).await.err().expect("no address");
        assert!(error.to_string().contains("sqlite:PATH"), "{error}");
    }
    let error = Store::open("sqlite:/no/such/folder/x.db").await.err().expect("no folder");
    assert!(error.to_string().contains("/no/such/folder/x.db"), "{error}");
    let refused = Store::open("postgres://nobody@127.0.0.1:1/none").await;
    assert!(matches!(refused, Err(StoreError::Database(_) | StoreError::Busy)));
}
