//! Backups: out of either database and into either, while others write, all or nothing.

use crate::common::on_each;
use std::io::Cursor;
use store::backup::BackupError;
use store::jobs::NewRun;
use store::{
    AccountRow, GameRow, GameState, GuestRow, LogEntry, NewGame, Rating, SeatKind, SeatRow, Secret, Store, UserData,
};

fn game(id: &str) -> NewGame {
    let row = GameRow {
        id: id.into(),
        game: "gomoku".into(),
        rules_version: 1,
        settings: r#"{"size":15,"ž":"\u0000"}"#.into(),
        seats: 2,
        seed: u64::MAX,
        terms: "{}".into(),
        listed: true,
        state: GameState::Running,
        wake: false,
        head: 2,
        summary: "{}".into(),
        created_ms: 1,
        updated_ms: 2,
    };
    let seat = |seat, secret: &Secret| SeatRow {
        seat,
        kind: SeatKind::Person,
        guest_id: Some("ada".into()),
        level: None,
        token_hash: Some(secret.hash()),
    };
    let entry = |seq| LogEntry { seq, at_ms: 5, body: format!("{{\"n\":{seq},\"text\":\"a\\nb \u{1f600}\"}}") };
    let secret = Secret::generate();
    NewGame { row, seats: vec![seat(0, &secret), seat(1, &secret)], entries: vec![entry(1), entry(2)] }
}

/// Something in every table.
async fn furnish(store: &Store) {
    let secret = Secret::generate();
    let guest = GuestRow {
        id: "ada".into(),
        name: "Ada Žižková".into(),
        secret_hash: secret.hash(),
        created_ms: 1,
        seen_ms: 2,
    };
    store.create_guest(guest).await.unwrap();
    let password = "$argon2id$not-a-real-one".to_owned();
    let account = AccountRow { guest_id: "ada".into(), login: "ada".into(), password, created_ms: 3 };
    store.create_account(account).await.unwrap();
    store.open_session("ada", &Secret::generate().hash(), 4).await.unwrap();
    let keepsake = UserData { name: "taste".into(), body: "{}".into(), updated_ms: 5 };
    store.put_user_data("ada", keepsake).await.unwrap();
    store.create(game("one")).await.unwrap();
    store.create(game("two")).await.unwrap();
    let rating = Rating {
        player: "ada".into(),
        game: "gomoku".into(),
        pool: "all".into(),
        rating: 1_512.062_500_1,
        deviation: 1.0 / 3.0,
        volatility: 0.06,
        games: 1,
        updated_ms: 6,
    };
    store.rate("one", vec![rating], 6).await.unwrap();
    let hash = "cd".repeat(32);
    let run = NewRun {
        id: "run".into(),
        title: "a run".into(),
        kind: "test".into(),
        program: "p".into(),
        queue: "local".into(),
        jobs: vec!["j0".into(), "j1".into()],
        files: vec![hash.clone()],
        at_ms: 7,
    };
    store.open_run(run).await.unwrap();
    store.put_result("run", 0, "j0", vec![0, 1, 254, 255], 8).await.unwrap();
    store.put_artifact_part(&hash, 0, (0..=255).collect()).await.unwrap();
    store.finish_artifact(&hash, 256, 9).await.unwrap();
}

async fn backed_up(store: &Store) -> Vec<u8> {
    let mut bytes = Vec::new();
    let contents = store.backup(&mut bytes).await.unwrap();
    assert!(contents.tables >= 13 && contents.rows >= 16, "{contents:?}");
    bytes
}

/// The lines of a backup without its sum, in an order that no database decides.
fn lines(backup: &[u8]) -> Vec<String> {
    let text = String::from_utf8(backup.to_vec()).expect("a backup is text");
    let mut lines: Vec<String> = text.lines().filter(|line| !line.contains("sha256")).map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

#[tokio::test]
async fn everything_comes_back_in_either_database() {
    on_each(async |store, _| {
        furnish(&store).await;
        let backup = backed_up(&store).await;
        store.close().await;
        for table in String::from_utf8_lossy(&backup).split("{\"table\":").skip(1) {
            let name = table.split('"').nth(1).unwrap_or_default();
            assert!(table.contains("\n["), "{name} is empty: the test says nothing about it");
        }
        on_each(async |other, address| {
            other.restore(Cursor::new(&backup), false).await.unwrap();
            assert_eq!(lines(&backed_up(&other).await), lines(&backup));
            other.close().await;
            // and it is a store like any other
            let again = Store::open(address).await.unwrap();
            assert_eq!(again.log("one", 0).await.unwrap().len(), 2);
            assert_eq!(again.guest("ada").await.unwrap().unwrap().name, "Ada Žižková");
            assert_eq!(again.artifact_part(&"cd".repeat(32), 0).await.unwrap().unwrap().len(), 256);
            again.close().await;
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn what_is_there_stays_unless_it_may_go() {
    on_each(async |store, _| {
        furnish(&store).await;
        let backup = backed_up(&store).await;
        store.create(game("three")).await.unwrap();
        let refused = store.restore(Cursor::new(&backup), false).await.unwrap_err();
        assert!(matches!(refused, BackupError::NotEmpty(rows) if rows > 10), "{refused}");
        assert!(store.game("three").await.unwrap().is_some());
        store.restore(Cursor::new(&backup), true).await.unwrap();
        assert!(store.game("three").await.unwrap().is_none());
        assert_eq!(lines(&backed_up(&store).await), lines(&backup));
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_served_from_is_not_restored_into() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite:{}", folder.path().join("test.db").display())).await.unwrap();
    furnish(&store).await;
    let backup = backed_up(&store).await;
    let serving = store.serve(|| 1).await.unwrap();
    let refused = store.restore(Cursor::new(&backup), true).await.unwrap_err();
    assert!(matches!(refused, BackupError::Store(store::StoreError::Served(_))), "{refused}");
    drop(serving);
    store.restore(Cursor::new(&backup), true).await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn a_backup_that_cannot_be_put_changes_nothing() {
    on_each(async |store, _| {
        furnish(&store).await;
        let backup = backed_up(&store).await;
        let before = lines(&backup);
        let text = String::from_utf8(backup).unwrap();
        let damaged = text.replace("Ada", "Eve");
        let refused = store.restore(Cursor::new(damaged.as_bytes()), true).await.unwrap_err();
        assert!(matches!(&refused, BackupError::Form { what, .. } if what.contains("sum")), "{refused}");
        let newer = resigned(&text.replacen("\"schema\":", "\"schema\":9", 1));
        let refused = store.restore(Cursor::new(newer.as_bytes()), true).await.unwrap_err();
        assert!(matches!(refused, BackupError::Newer { .. }), "{refused}");
        // a sound file that breaks a rule of the database near its end
        let doubled = text
            .lines()
            .find(|line| line.starts_with("[\"one\""))
            .or_else(|| text.lines().rfind(|line| line.starts_with('[')));
        let doubled = doubled.expect("a row").to_owned();
        let twice = resigned(&text.replacen(&format!("{doubled}\n"), &format!("{doubled}\n{doubled}\n"), 1));
        let refused = store.restore(Cursor::new(twice.as_bytes()), true).await.unwrap_err();
        assert!(matches!(refused, BackupError::Store(_)), "{refused}");
        assert_eq!(lines(&backed_up(&store).await), before, "a restore that fails is as if it had not been");
        store.close().await;
    })
    .await;
}

/// The same text with a tail that fits it.
fn resigned(text: &str) -> String {
    use sha2::{Digest, Sha256};
    let body = &text[..text.rfind("{\"rows\"").expect("a tail")];
    let rows = body.lines().filter(|line| line.starts_with('[')).count();
    let sum: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body}{{\"rows\":{rows},\"sha256\":\"{sum}\"}}\n")
}

#[tokio::test]
async fn a_backup_is_one_moment_while_others_write() {
    on_each(async |store, _| {
        furnish(&store).await;
        let writing = tokio::spawn({
            let store = store.clone();
            async move {
                for number in 0..200 {
                    store.create(game(&format!("game{number}"))).await.unwrap();
                }
            }
        });
        let mut sizes = Vec::new();
        while !writing.is_finished() {
            let backup = backed_up(&store).await;
            let text = String::from_utf8_lossy(&backup).into_owned();
            let rows = |table: &str| {
                let section = text.split("{\"table\":").find(|part| part.starts_with(&format!("\"{table}\""))).unwrap();
                section.lines().filter(|line| line.starts_with('[')).count()
            };
            assert_eq!(rows("events"), 2 * rows("games"), "a game is there with both its events or not at all");
            assert_eq!(rows("seats"), 2 * rows("games"));
            sizes.push(rows("games"));
            tokio::task::yield_now().await;
        }
        writing.await.unwrap();
        assert!(!sizes.is_empty());
        store.close().await;
    })
    .await;
}
