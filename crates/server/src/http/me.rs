//! The current guest: name, ratings, tables.

use super::HttpState;
use super::body::Json as Body;
use super::identity::{CurrentGuest, Guest};
use crate::api::{GuestSummary, Me, RatingSummary, RenameRequest};
use crate::error::{ApiError, ApiResult};
use crate::table::{StoredSummary, table_summary};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use store::{GameRow, Rating};

/// Most of my tables in the answer.
const MY_TABLES: u32 = 100;
/// Most characters of a name.
const NAME_LENGTH: usize = 40;

/// Makes the caller a guest if it is none yet; sets the cookie.
#[utoipa::path(post, path = "/api/v1/guest", tag = "me", responses((status = 200, body = GuestSummary)))]
pub async fn guest(current: CurrentGuest) -> (HeaderMap, Json<GuestSummary>) {
    (current.cookie, Json(GuestSummary { id: current.guest.id, name: current.guest.name }))
}

/// My name, account, ratings and tables, those not over first.
#[utoipa::path(get, path = "/api/v1/me", tag = "me", responses((status = 200, body = Me)))]
pub async fn show(State(http): State<HttpState>, current: CurrentGuest) -> ApiResult<(HeaderMap, Json<Me>)> {
    let rows = http.app.store.games_of(&current.guest.id, MY_TABLES).await?;
    load_names(&http, &rows).await?;
    let line = |row: &GameRow| table_summary(row, Some(&current.guest.id), &http.app.names);
    let tables = rows.iter().filter_map(line).collect();
    let guest = GuestSummary { id: current.guest.id.clone(), name: current.guest.name.clone() };
    let account = http.app.store.account_of(&current.guest.id).await?.map(|account| account.login);
    let ratings = rating_lines(&http, &current.guest.id).await?;
    Ok((current.cookie, Json(Me { guest, account, ratings, tables })))
}

/// The ratings of a guest.
pub async fn rating_lines(http: &HttpState, guest: &str) -> ApiResult<Vec<RatingSummary>> {
    let ratings = http.app.store.ratings(guest).await?;
    let line = |r: Rating| RatingSummary { game: r.game, rating: r.rating, deviation: r.deviation, games: r.games };
    Ok(ratings.into_iter().map(line).collect())
}

/// Changes my name.
#[utoipa::path(put, path = "/api/v1/me", tag = "me", request_body = RenameRequest, responses((status = 200, body = GuestSummary)))]
pub async fn rename(
    State(http): State<HttpState>,
    current: CurrentGuest,
    Body(request): Body<RenameRequest>,
) -> ApiResult<(HeaderMap, Json<GuestSummary>)> {
    let name = request.name.trim();
    let length = name.chars().count();
    if length == 0 || length > NAME_LENGTH || !name.chars().all(is_printable) {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "guest.name",
            format!("a name has 1 to {NAME_LENGTH} visible characters"),
        ));
    }
    http.app.store.rename_guest(&current.guest.id, name).await?;
    http.app.names.put(&current.guest.id, name);
    let guest = Guest { id: current.guest.id, name: name.to_owned() };
    http.guests.put(&current.hash, guest.clone());
    Ok((current.cookie, Json(GuestSummary { id: guest.id, name: guest.name })))
}

/// Whether a character may stand in a name: control characters, and those that are invisible or reorder text
/// (zero-width, bidirectional), would let a name imitate another.
fn is_printable(c: char) -> bool {
    let invisible = matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}');
    !c.is_control() && !invisible
}

/// Loads the names of everybody in a list that the cache does not have.
pub async fn load_names(http: &HttpState, rows: &[GameRow]) -> ApiResult<()> {
    for row in rows {
        let Ok(summary) = serde_json::from_str::<StoredSummary>(&row.summary) else { continue };
        for guest in summary.guests() {
            if http.app.names.get(guest).is_none()
                && let Some(guest) = http.app.store.guest(guest).await?
            {
                http.app.names.put(&guest.id, &guest.name);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_printable;

    #[test]
    fn names_may_have_every_script_and_nothing_invisible() {
        assert!("Žofie 李 O’Neil 🎲".chars().all(is_printable));
        for name in ["a\u{202e}b", "a\u{200b}b", "a\u{2066}b", "a\u{feff}", "\u{3164}", "a\nb"] {
            assert!(!name.chars().all(is_printable), "{name:?}");
        }
    }
}
