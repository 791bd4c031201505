//! Who I am.

use super::App;
use super::body::Json as Body;
use super::identity::{Guest, Somebody};
use crate::api::{GuestSummary, Me, RatingLine, Rename};
use crate::error::{Answer, ApiError};
use crate::table::{Summary, list_line};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use store::{GameRow, Rating};

/// The most of my tables that are listed.
const MY_TABLES: u32 = 100;
/// The longest name.
const NAME_LENGTH: usize = 40;

/// Makes me a guest if I am not one yet; sets the cookie.
#[utoipa::path(post, path = "/api/v1/guest", tag = "me", responses((status = 200, body = GuestSummary)))]
pub async fn guest(somebody: Somebody) -> (HeaderMap, Json<GuestSummary>) {
    (somebody.cookie, Json(GuestSummary { id: somebody.guest.id, name: somebody.guest.name }))
}

/// Who I am and my games, those not over first.
#[utoipa::path(get, path = "/api/v1/me", tag = "me", responses((status = 200, body = Me)))]
pub async fn show(State(app): State<App>, somebody: Somebody) -> Answer<(HeaderMap, Json<Me>)> {
    let rows = app.house.store.games_of(&somebody.guest.id, MY_TABLES).await?;
    know_names(&app, &rows).await?;
    let line = |row: &GameRow| list_line(row, Some(&somebody.guest.id), &app.house.names);
    let tables = rows.iter().filter_map(line).collect();
    let guest = GuestSummary { id: somebody.guest.id.clone(), name: somebody.guest.name.clone() };
    let account = app.house.store.account_of(&somebody.guest.id).await?.map(|account| account.login);
    let ratings = rating_lines(&app, &somebody.guest.id).await?;
    Ok((somebody.cookie, Json(Me { guest, account, ratings, tables })))
}

/// The ratings of a guest.
pub async fn rating_lines(app: &App, guest: &str) -> Answer<Vec<RatingLine>> {
    let ratings = app.house.store.ratings(guest).await?;
    let line = |r: Rating| RatingLine { game: r.game, rating: r.rating, deviation: r.deviation, games: r.games };
    Ok(ratings.into_iter().map(line).collect())
}

/// Gives me another name.
#[utoipa::path(put, path = "/api/v1/me", tag = "me", request_body = Rename, responses((status = 200, body = GuestSummary)))]
pub async fn rename(
    State(app): State<App>,
    somebody: Somebody,
    Body(wish): Body<Rename>,
) -> Answer<(HeaderMap, Json<GuestSummary>)> {
    let name = wish.name.trim();
    let length = name.chars().count();
    if length == 0 || length > NAME_LENGTH || name.chars().any(char::is_control) {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "guest.name",
            format!("a name has 1 to {NAME_LENGTH} characters"),
        ));
    }
    app.house.store.rename_guest(&somebody.guest.id, name).await?;
    app.house.names.put(&somebody.guest.id, name);
    let guest = Guest { id: somebody.guest.id, name: name.to_owned() };
    app.guests.put(&somebody.hash, guest.clone());
    Ok((somebody.cookie, Json(GuestSummary { id: guest.id, name: guest.name })))
}

/// Looks up the names of everybody in a list that are not known yet.
pub async fn know_names(app: &App, rows: &[GameRow]) -> Answer<()> {
    for row in rows {
        let Ok(summary) = serde_json::from_str::<Summary>(&row.summary) else { continue };
        for guest in summary.guests() {
            if app.house.names.get(guest).is_none()
                && let Some(guest) = app.house.store.guest(guest).await?
            {
                app.house.names.put(&guest.id, &guest.name);
            }
        }
    }
    Ok(())
}
