//! Accounts, sessions, keepsakes and ratings, on each database.

mod common;

use common::on_each;
use store::{
    AccountRow, GameRow, GameState, GuestRow, NewGame, Rating, SeatKind, SeatRow, Secret, Store, StoreError, UserData,
};

async fn guest(store: &Store, id: &str) -> Secret {
    let secret = Secret::generate();
    let row =
        GuestRow { id: id.into(), name: id.to_uppercase(), secret_hash: secret.hash(), created_ms: 1, seen_ms: 1 };
    store.create_guest(row).await.expect("a new guest");
    secret
}

fn account(guest: &str, login: &str) -> AccountRow {
    AccountRow { guest_id: guest.into(), login: login.into(), password: "$argon2id$…".into(), created_ms: 2 }
}

async fn holder(store: &Store, secret: &Secret) -> Option<String> {
    store.guest_by_secret(&secret.hash()).await.expect("it answers").map(|guest| guest.id)
}

async fn game(store: &Store, id: &str, guest: &str) {
    let row = GameRow {
        id: id.into(),
        game: "noughts".into(),
        rules_version: 1,
        settings: "{}".into(),
        seats: 2,
        seed: 1,
        terms: "{}".into(),
        listed: true,
        state: GameState::Over,
        wake: false,
        head: 0,
        summary: "{}".into(),
        created_ms: 1,
        updated_ms: 1,
    };
    let seat = SeatRow { seat: 0, kind: SeatKind::Person, guest_id: Some(guest.into()), level: None, token_hash: None };
    store.create(NewGame { row, seats: vec![seat], entries: Vec::new() }).await.expect("a new game");
}

#[tokio::test]
async fn a_login_belongs_to_one_guest_and_a_guest_has_one() {
    on_each(async |store, _| {
        guest(&store, "a").await;
        guest(&store, "b").await;
        store.create_account(account("a", "anna")).await.expect("the first");
        assert_eq!(store.create_account(account("b", "anna")).await, Err(StoreError::Taken("anna".into())));
        assert_eq!(store.create_account(account("a", "other")).await, Err(StoreError::Taken("other".into())));
        store.create_account(account("b", "berta")).await.expect("another name");
        assert_eq!(store.account_by_login("anna").await, Ok(Some(account("a", "anna"))));
        assert_eq!(store.account_of("b").await, Ok(Some(account("b", "berta"))));
        assert_eq!(store.account_by_login("nobody").await, Ok(None));
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn sessions_act_for_the_guest_until_they_end() {
    on_each(async |store, _| {
        let first = guest(&store, "a").await;
        let [second, third] = [Secret::generate(), Secret::generate()];
        for secret in [&second, &third] {
            store.open_session("a", &secret.hash(), 3).await.expect("a session");
            assert_eq!(holder(&store, secret).await.as_deref(), Some("a"));
        }
        store.end_session("a", &second.hash()).await.expect("it ends");
        assert_eq!(holder(&store, &second).await, None);
        store.create_account(account("a", "anna")).await.expect("an account");
        store.set_password("a", "new", &third.hash()).await.expect("it changes");
        assert_eq!(holder(&store, &first).await, None, "other secrets end with the old password");
        assert_eq!(holder(&store, &third).await.as_deref(), Some("a"));
        assert_eq!(store.account_of("a").await.map(|a| a.map(|a| a.password)), Ok(Some("new".into())));
        store.end_session("a", &third.hash()).await.expect("it ends");
        assert_eq!(holder(&store, &third).await, None);
        assert!(store.guest("a").await.expect("it answers").is_some());
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_game_is_rated_once_and_never_on_old_numbers() {
    on_each(async |store, _| {
        guest(&store, "a").await;
        for id in ["x", "y"] {
            game(&store, id, "a").await;
        }
        let rating = |value: f64, games: i64| Rating {
            player: "a".into(),
            game: "noughts".into(),
            pool: "all".into(),
            rating: value,
            deviation: 80.5,
            volatility: 0.059,
            games,
            updated_ms: 5,
        };
        store.rate("x", vec![rating(1510.25, 1)], 5).await.expect("the first");
        store.rate("x", vec![rating(1600.0, 2)], 6).await.expect("a second time changes nothing");
        assert_eq!(store.ratings("a").await, Ok(vec![rating(1510.25, 1)]));
        let late = store.rate("y", vec![rating(1700.0, 1)], 7).await;
        assert!(matches!(late, Err(StoreError::Conflict { .. })), "{late:?}");
        store.rate("y", vec![rating(1520.0, 2)], 8).await.expect("after looking again");
        assert_eq!(store.ratings("a").await, Ok(vec![rating(1520.0, 2)]));
        assert_eq!(store.ratings("b").await, Ok(Vec::new()));
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn nothing_of_a_deleted_guest_is_left_but_the_games() {
    on_each(async |store, _| {
        let first = guest(&store, "a").await;
        let session = Secret::generate();
        store.open_session("a", &session.hash(), 3).await.expect("a session");
        store.create_account(account("a", "anna")).await.expect("an account");
        let taste = |body: &str| UserData { name: "taste".into(), body: body.into(), updated_ms: 4 };
        store.put_user_data("a", taste("{}")).await.expect("it is kept");
        store.put_user_data("a", taste("[1]")).await.expect("it is replaced");
        assert_eq!(store.user_data("a").await, Ok(vec![taste("[1]")]));
        game(&store, "x", "a").await;
        store.delete_guest("a").await.expect("it goes");
        assert_eq!(holder(&store, &first).await, None);
        assert_eq!(holder(&store, &session).await, None);
        assert_eq!(store.account_by_login("anna").await, Ok(None));
        assert_eq!(store.user_data("a").await, Ok(Vec::new()));
        assert!(store.game("x").await.expect("it answers").is_some());
        let seats = store.seats("x").await.expect("it answers");
        assert_eq!(seats.iter().map(|seat| seat.guest_id.clone()).collect::<Vec<_>>(), [None]);
        store.close().await;
    })
    .await;
}
