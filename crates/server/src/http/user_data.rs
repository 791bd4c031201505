//! User data: export of everything stored about a guest, texts that the page stores for an account, deletion.

use super::HttpState;
use super::account::{confirm, own};
use super::body::Json as JsonBody;
use super::identity::{CurrentGuest, fresh_cookie};
use super::me::rating_lines;
use crate::api::{DeleteAccount, UserDataBody};
use crate::error::{ApiError, ApiResult};
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
/// The longest stored text in bytes, and most texts of an account.
const TEXT_BYTES: usize = 200 << 10;
const TEXTS: usize = 20;

/// Everything stored about me: name, account, ratings, texts of the page, and my games. Of a game that is over and
/// cannot be revived the whole log; of any other what I may see of it. One export at a time for each guest.
#[utoipa::path(get, path = "/api/v1/me/data", tag = "me",
    responses((status = 200, body = Object), (status = 429, body = crate::api::ErrorBody)))]
pub async fn export(State(http): State<HttpState>, current: CurrentGuest) -> ApiResult<Response> {
    let (store, guest) = (&http.app.store, current.guest.id.clone());
    let place = http.exports.begin(&guest)?;
    let row = store.guest(&guest).await?;
    let account = store.account_of(&guest).await?;
    let about = json!({
        "guest": { "id": guest, "name": current.guest.name, "created_ms": row.map(|row| row.created_ms) },
        "account": account.map(|account| json!({ "login": account.login, "created_ms": account.created_ms })),
        "ratings": rating_lines(&http, &guest).await?,
        "keepsakes": by_name(store.user_data(&guest).await?),
    });
    let games = store.game_ids_of(&guest).await?;
    let mut headers = current.cookie;
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    let file = header::HeaderValue::from_static("attachment; filename=\"parlour-my-data.json\"");
    headers.insert(header::CONTENT_DISPOSITION, file);
    // One game at a time is read and replayed, as fast as the caller reads: neither many games nor a slow reader fill
    // the memory.
    let mut begin = about.to_string();
    begin.pop();
    begin += ",\"games\":[";
    let written = games.into_iter().enumerate();
    let parts = stream::unfold((http, guest, written, place), |(http, guest, mut written, place)| async move {
        let (number, id) = written.next()?;
        let comma = if number == 0 { "" } else { "," };
        let part = match game(&http, &guest, &id).await {
            Ok(game) => format!("{comma}{game}"),
            Err(error) => format!("{comma}{}", json!({ "id": id, "error": error.detail })),
        };
        Some((part, (http, guest, written, place)))
    });
    let whole = stream::once(ready(begin)).chain(parts).chain(stream::once(ready("]}".to_owned())));
    Ok((headers, Body::from_stream(whole.map(Ok::<_, Infallible>))).into_response())
}

async fn game(http: &HttpState, guest: &str, id: &str) -> ApiResult<Value> {
    let app = &http.app;
    let Replayed { state, row, log } = replay(app, id).await?;
    let around = Surroundings {
        names: &app.names,
        connected: SeatSet::NONE,
        thinking: None,
        public_url: &app.config.public_url,
        local_only: app.config.local_only,
        now: time::now_ms(),
    };
    Ok(exported(&state, &row, &log, guest, &around))
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
    fn begin(self: &Arc<Self>, guest: &str) -> ApiResult<Export> {
        let mut guests = self.guests.lock().expect("no panic while held");
        if guests.contains(guest) {
            let message = "your data is being sent already: one at a time";
            let refused = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "limits.export", message);
            return Err(ApiError { retry_after: Some(5), ..refused });
        }
        if guests.len() >= EXPORTS {
            return Err(ApiError::busy("limits.exports", "many exports are running: try again in a moment"));
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

fn by_name(texts: Vec<UserData>) -> Map<String, Value> {
    texts.into_iter().map(|text| (text.name, json!({ "body": text.body, "updated_ms": text.updated_ms }))).collect()
}

/// The texts that the page stores for me, by name.
#[utoipa::path(get, path = "/api/v1/me/keepsakes", tag = "me", responses((status = 200, body = Object)))]
pub async fn keepsakes(
    State(http): State<HttpState>,
    current: CurrentGuest,
) -> ApiResult<(HeaderMap, Json<Map<String, Value>>)> {
    let texts = http.app.store.user_data(&current.guest.id).await?;
    Ok((current.cookie, Json(by_name(texts))))
}

/// Stores a text for me, if I have an account.
#[utoipa::path(put, path = "/api/v1/me/keepsakes/{name}", tag = "me", params(("name" = String, Path)),
    request_body = UserDataBody, responses((status = 204), (status = 409, body = crate::api::ErrorBody)))]
pub async fn keep(
    State(http): State<HttpState>,
    Path(name): Path<String>,
    current: CurrentGuest,
    JsonBody(request): JsonBody<UserDataBody>,
) -> ApiResult<StatusCode> {
    let refused = |code: &str, message: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, message);
    own(&http, &current.guest.id).await?;
    if !(1..=40).contains(&name.len()) || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)) {
        let message = "a name has 1 to 40 letters, digits, dots, dashes or underlines";
        return Err(refused("keepsake.name", message.to_owned()));
    }
    if request.body.len() > TEXT_BYTES {
        return Err(refused("keepsake.size", format!("{} bytes; at most {TEXT_BYTES} are stored", request.body.len())));
    }
    let others = http.app.store.user_data(&current.guest.id).await?;
    if others.len() >= TEXTS && others.iter().all(|other| other.name != name) {
        return Err(refused("keepsake.count", format!("at most {TEXTS} texts are stored")));
    }
    let text = UserData { name, body: request.body, updated_ms: time::now_ms() };
    http.app.store.put_user_data(&current.guest.id, text).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes everything about me. In games with others my seat stays, without my name.
#[utoipa::path(delete, path = "/api/v1/me", tag = "me", request_body = DeleteAccount,
    responses((status = 204), (status = 401, body = crate::api::ErrorBody)))]
pub async fn delete(
    State(http): State<HttpState>,
    current: CurrentGuest,
    JsonBody(request): JsonBody<DeleteAccount>,
) -> ApiResult<(StatusCode, HeaderMap)> {
    let guest = &current.guest.id;
    if http.app.store.account_of(guest).await?.is_some() {
        confirm(&http, guest, request.password.unwrap_or_default()).await?;
    }
    http.app.store.delete_guest(guest).await?;
    http.guests.forget(guest);
    http.app.names.forget(guest);
    Ok((StatusCode::NO_CONTENT, fresh_cookie(&http).1))
}
