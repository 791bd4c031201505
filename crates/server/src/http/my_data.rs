//! What is stored about me: to take away, to keep, to delete.

use super::App;
use super::account::{confirm, own};
use super::body::Json as JsonBody;
use super::identity::{Somebody, fresh_cookie};
use super::me::rating_lines;
use crate::api::{Goodbye, KeepsakeBody};
use crate::error::{Answer, ApiError};
use crate::table::{Replayed, Surroundings, exported, replay};
use crate::time;
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use game::SeatSet;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::convert::Infallible;
use std::future::ready;
use std::sync::{Arc, Mutex};
use store::UserData;

/// How many exports are written at once.
const EXPORTS: usize = 4;
/// The longest text that is kept, and how many of them.
const KEEPSAKE_BYTES: usize = 200 << 10;
const KEEPSAKES: usize = 20;

/// Everything stored about me: name, account, ratings, what the page keeps for me, and my games. Of a game that is
/// over and cannot be revived the whole log; of any other what I may see of it. One at a time for each guest.
#[utoipa::path(get, path = "/api/v1/me/data", tag = "me",
    responses((status = 200, body = Object), (status = 429, body = crate::api::ErrorBody)))]
pub async fn export(State(app): State<App>, somebody: Somebody) -> Answer<Response> {
    let (store, guest) = (&app.house.store, somebody.guest.id.clone());
    let place = app.exports.begin(&guest)?;
    let row = store.guest(&guest).await?;
    let account = store.account_of(&guest).await?;
    let about = json!({
        "guest": { "id": guest, "name": somebody.guest.name, "created_ms": row.map(|row| row.created_ms) },
        "account": account.map(|account| json!({ "login": account.login, "created_ms": account.created_ms })),
        "ratings": rating_lines(&app, &guest).await?,
        "keepsakes": kept(store.user_data(&guest).await?),
    });
    let games = store.game_ids_of(&guest).await?;
    let mut headers = somebody.cookie;
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    let file = header::HeaderValue::from_static("attachment; filename=\"parlour-my-data.json\"");
    headers.insert(header::CONTENT_DISPOSITION, file);
    // One game at a time is read and replayed, as fast as the caller takes it: neither the games of a guest nor a slow
    // reader fill the memory.
    let mut begin = about.to_string();
    begin.pop();
    begin += ",\"games\":[";
    let written = games.into_iter().enumerate();
    let parts = stream::unfold((app, guest, written, place), |(app, guest, mut written, place)| async move {
        let (number, id) = written.next()?;
        let comma = if number == 0 { "" } else { "," };
        let part = match game(&app, &guest, &id).await {
            Ok(game) => format!("{comma}{game}"),
            Err(error) => format!("{comma}{}", json!({ "id": id, "error": error.detail })),
        };
        Some((part, (app, guest, written, place)))
    });
    let whole = stream::once(ready(begin)).chain(parts).chain(stream::once(ready("]}".to_owned())));
    Ok((headers, Body::from_stream(whole.map(Ok::<_, Infallible>))).into_response())
}

async fn game(app: &App, guest: &str, id: &str) -> Answer<Value> {
    let house = &app.house;
    let Replayed { room, row, log } = replay(house, id).await?;
    let around = Surroundings {
        names: &house.names,
        connected: SeatSet::NONE,
        thinking: None,
        public_url: &house.config.public_url,
        local_only: house.config.local_only,
        now: time::now_ms(),
    };
    Ok(exported(&room, &row, &log, guest, &around))
}

/// The exports of user data that are being written.
#[derive(Default)]
pub struct Exports {
    guests: Mutex<HashSet<String>>,
}

/// One export, until it is written or its caller is gone.
struct Export {
    exports: Arc<Exports>,
    guest: String,
}

impl Exports {
    /// Begins an export, unless the guest has one running or many others have.
    fn begin(self: &Arc<Self>, guest: &str) -> Answer<Export> {
        let mut guests = self.guests.lock().expect("no panic while held");
        if guests.contains(guest) {
            let message = "your data is being sent already: one at a time";
            let refused = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "limits.export", message);
            return Err(ApiError { retry_after: Some(5), ..refused });
        }
        if guests.len() >= EXPORTS {
            return Err(ApiError::busy("limits.exports", "many take their data home just now: try again in a moment"));
        }
        guests.insert(guest.to_owned());
        Ok(Export { exports: Arc::clone(self), guest: guest.to_owned() })
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        self.exports.guests.lock().expect("no panic while held").remove(&self.guest);
    }
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
    JsonBody(wish): JsonBody<KeepsakeBody>,
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
    JsonBody(wish): JsonBody<Goodbye>,
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
