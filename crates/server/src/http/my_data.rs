//! What is stored about me: to take away, to keep, to delete.

use super::App;
use super::account::{confirm, own};
use super::body::Json as Body;
use super::identity::{Somebody, fresh_cookie};
use super::me::rating_lines;
use crate::api::{Goodbye, KeepsakeBody};
use crate::error::{Answer, ApiError};
use crate::table::Ask;
use crate::time;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use serde_json::{Map, Value, json};
use store::{GameRow, GameState, UserData};

/// The longest text that is kept, and how many of them.
const KEEPSAKE_BYTES: usize = 200 << 10;
const KEEPSAKES: usize = 20;

/// Everything stored about me: name, account, ratings, what the page keeps for me, and my games. Of a game that is
/// over the whole log; of a running one what I may see of it.
#[utoipa::path(get, path = "/api/v1/me/data", tag = "me", responses((status = 200, body = Object)))]
pub async fn export(State(app): State<App>, somebody: Somebody) -> Answer<(HeaderMap, Json<Value>)> {
    let store = &app.house.store;
    let guest = &somebody.guest.id;
    let row = store.guest(guest).await?;
    let account = store.account_of(guest).await?;
    let mut games = Vec::new();
    for row in store.games_of(guest, u32::MAX).await? {
        games.push(game(&app, &somebody, row).await?);
    }
    let data = json!({
        "guest": { "id": guest, "name": somebody.guest.name, "created_ms": row.map(|row| row.created_ms) },
        "account": account.map(|account| json!({ "login": account.login, "created_ms": account.created_ms })),
        "ratings": rating_lines(&app, guest).await?,
        "keepsakes": kept(store.user_data(guest).await?),
        "games": games,
    });
    let mut headers = somebody.cookie;
    let file = header::HeaderValue::from_static("attachment; filename=\"parlour-my-data.json\"");
    headers.insert(header::CONTENT_DISPOSITION, file);
    Ok((headers, Json(data)))
}

async fn game(app: &App, somebody: &Somebody, row: GameRow) -> Answer<Value> {
    let text = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
    let mut told = json!({
        "id": row.id,
        "game": row.game,
        "rules_version": row.rules_version,
        "settings": text(&row.settings),
        "state": row.state.as_str(),
        "created_ms": row.created_ms,
        "updated_ms": row.updated_ms,
    });
    if row.state == GameState::Over {
        let log = app.house.store.log(&row.id, 0).await?;
        let line = |entry: &store::LogEntry| json!({ "at_ms": entry.at_ms, "record": text(&entry.body) });
        told["seed"] = json!(row.seed.to_string());
        told["log"] = log.iter().map(line).collect();
    } else {
        let caller = somebody.caller();
        let shown = app.house.hub.ask(&app.house, &row.id, |reply| Ask::Show { caller, seat: None, reply }).await?;
        told["table"] = text(&shown);
    }
    Ok(told)
}

fn kept(keepsakes: Vec<UserData>) -> Map<String, Value> {
    keepsakes.into_iter().map(|k| (k.name, json!({ "body": k.body, "updated_ms": k.updated_ms }))).collect()
}

/// What the page keeps for me: by name, a text and when it was kept.
#[utoipa::path(get, path = "/api/v1/me/keepsakes", tag = "me", responses((status = 200, body = Object)))]
pub async fn keepsakes(State(app): State<App>, somebody: Somebody) -> Answer<(HeaderMap, Json<Map<String, Value>>)> {
    let keepsakes = app.house.store.user_data(&somebody.guest.id).await?;
    Ok((somebody.cookie, Json(kept(keepsakes))))
}

/// Keeps a text for me, if I have an account.
#[utoipa::path(put, path = "/api/v1/me/keepsakes/{name}", tag = "me", params(("name" = String, Path)),
    request_body = KeepsakeBody, responses((status = 204), (status = 409, body = crate::api::ErrorBody)))]
pub async fn keep(
    State(app): State<App>,
    Path(name): Path<String>,
    somebody: Somebody,
    Body(wish): Body<KeepsakeBody>,
) -> Answer<StatusCode> {
    let refused = |code: &str, message: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, message);
    own(&app, &somebody.guest.id).await?;
    if !(1..=40).contains(&name.len()) || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)) {
        let message = "a keepsake is called by 1 to 40 letters, digits, dots, dashes or underlines";
        return Err(refused("keepsake.name", message.to_owned()));
    }
    if wish.body.len() > KEEPSAKE_BYTES {
        return Err(refused("keepsake.size", format!("{} bytes are more than {KEEPSAKE_BYTES}", wish.body.len())));
    }
    let others = app.house.store.user_data(&somebody.guest.id).await?;
    if others.len() >= KEEPSAKES && others.iter().all(|other| other.name != name) {
        return Err(refused("keepsake.count", format!("{KEEPSAKES} keepsakes are the most")));
    }
    let keepsake = UserData { name, body: wish.body, updated_ms: time::now_ms() };
    app.house.store.put_user_data(&somebody.guest.id, keepsake).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes everything about me. In games with others my seat stays, without my name.
#[utoipa::path(delete, path = "/api/v1/me", tag = "me", request_body = Goodbye,
    responses((status = 204), (status = 401, body = crate::api::ErrorBody)))]
pub async fn delete(
    State(app): State<App>,
    somebody: Somebody,
    Body(wish): Body<Goodbye>,
) -> Answer<(StatusCode, HeaderMap)> {
    let guest = &somebody.guest.id;
    if app.house.store.account_of(guest).await?.is_some() {
        confirm(&app, guest, wish.password.unwrap_or_default()).await?;
    }
    app.house.store.delete_guest(guest).await?;
    app.guests.forget(guest);
    app.house.names.forget(guest);
    Ok((StatusCode::NO_CONTENT, fresh_cookie(&app).1))
}
