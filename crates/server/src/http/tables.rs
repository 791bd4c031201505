//! Tables: create, list, view, take a seat, leave it.

use super::HttpState;
use super::body::{Json as Body, Params};
use super::identity::{CurrentGuest, Identity};
use super::me::load_names;
use crate::api::{
    Acknowledged, ClockTerms, NewTable, SeatRequest, SeatRequestKind, SeatToken, Seated, TableCreated, TableOptions,
    TableSummary, TableView, ViewAt,
};
use crate::error::{ApiError, ApiResult};
use crate::log_record::{SeatPlayer, TableTerms};
use crate::table::{Occupant, TableCommand, TableSpec, level_of, table_summary, to_json};
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::ErasedGame;
use game::{Seat, SeatPlan};
use serde::Deserialize;
use store::{GameFilter, GameState, Secret};
use utoipa::IntoParams;

/// Most tables in a list.
const LISTED: u32 = 100;
/// The shortest and the longest time of a clock, in milliseconds.
const CLOCK_RANGE: std::ops::RangeInclusive<u64> = 100..=7 * 86_400_000;
/// Most moves that a new table accepts at once.
const MOVES: usize = 5_000;

/// Which tables to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only this game.
    pub game: Option<String>,
    /// `waiting`, `running` or `finished`.
    pub state: Option<String>,
}

/// Which seat to look from.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SeatParams {
    /// One of my seats, where I have several.
    pub seat: Option<u8>,
}

/// Which moment to look at.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ViewAtParams {
    /// How many actions had been made.
    pub at: u32,
    /// One of my seats, where I have several.
    pub seat: Option<u8>,
}

/// Public tables, the newest first.
#[utoipa::path(get, path = "/api/v1/tables", tag = "tables", params(ListParams), responses((status = 200, body = Vec<TableSummary>)))]
pub async fn list(
    State(http): State<HttpState>,
    identity: Identity,
    Params(params): Params<ListParams>,
) -> ApiResult<Json<Vec<TableSummary>>> {
    let state = match params.state.as_deref() {
        None => None,
        Some("waiting") => Some(GameState::Waiting),
        Some("running") => Some(GameState::Running),
        Some("finished" | "over") => Some(GameState::Over),
        Some(other) => {
            return Err(ApiError::bad_form(format!("state {other}: one of waiting, running, finished")));
        }
    };
    let rows = http.app.store.list(&GameFilter { game: params.game, state, limit: LISTED }).await?;
    load_names(&http, &rows).await?;
    let guest = identity.guest.as_ref().map(|(_, guest)| guest.id.as_str());
    Ok(Json(rows.iter().filter_map(|row| table_summary(row, guest, &http.app.names)).collect()))
}

/// Creates a table.
#[utoipa::path(post, path = "/api/v1/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = TableCreated), (status = 422, body = crate::api::ErrorBody)))]
pub async fn create(State(http): State<HttpState>, request: Request) -> ApiResult<Response> {
    use axum::extract::{FromRequest, FromRequestParts};
    let (mut parts, body) = request.into_parts();
    http.admission.check_creation_rate(&parts)?;
    let current = CurrentGuest::from_request_parts(&mut parts, &http).await?;
    let Body(request) = Body::<NewTable>::from_request(Request::from_parts(parts, body), &http).await?;
    check_quota(&http, &current.guest.id).await?;
    let (spec, tokens) = spec(&http, request, &current.guest.id)?;
    let id = http.app.tables.create(&http.app, spec).await?;
    let caller = current.caller();
    let table =
        http.app.tables.request(&http.app, &id, |reply| TableCommand::Show { caller, seat: None, reply }).await?;
    let text = format!(r#"{{"table":{table},"seat_tokens":{}}}"#, to_json(&tokens));
    let location = [(header::LOCATION, format!("/api/v1/tables/{id}")), json_type()];
    Ok((StatusCode::CREATED, current.cookie, location, text).into_response())
}

/// Refuses a guest that has as many tables as the limits allow, or as much in the store.
async fn check_quota(http: &HttpState, guest: &str) -> ApiResult<()> {
    let limits = &http.app.config.limits;
    let usage = http.app.store.usage_of(guest).await?;
    let over = |message: String| {
        Err(ApiError { retry_after: Some(60), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, "limits.quota", message) })
    };
    if usage.open >= limits.open_tables_per_guest {
        return over(format!(
            "you have {} open tables; finish or leave some: at most {}",
            usage.open, limits.open_tables_per_guest
        ));
    }
    if usage.stored >= limits.stored_tables_per_guest {
        return over(format!("you have {} stored tables; at most {}", usage.stored, limits.stored_tables_per_guest));
    }
    if usage.bytes >= limits.stored_bytes_per_guest {
        return over(format!("your tables take {} bytes; at most {}", usage.bytes, limits.stored_bytes_per_guest));
    }
    Ok(())
}

fn json_type() -> (header::HeaderName, String) {
    (header::CONTENT_TYPE, "application/json".to_owned())
}

fn spec(http: &HttpState, request: NewTable, guest: &str) -> ApiResult<(TableSpec, Vec<SeatToken>)> {
    let game = http.app.catalog.game(&request.game).cloned();
    let game = game.ok_or_else(|| ApiError::not_found("game.unknown", format!("there is no game {}", request.game)))?;
    let (settings, seat_plan) = game.settings(&request.settings)?;
    if let Some(clock) = &request.clock {
        check_clock(clock)?;
    }
    if request.moves.len() > MOVES {
        return Err(ApiError::bad_form(format!("moves: {} are more than {MOVES}", request.moves.len())));
    }
    let imported = !request.moves.is_empty();
    let requests = seat_wishes(&*game, &seat_plan, request.seats)?;
    let options = agreed(request.options, &*game, &seat_plan, requests.len(), imported)?;
    let (mut seats, mut tokens) = (Vec::new(), Vec::new());
    for (index, request) in requests.into_iter().enumerate() {
        seats.push(match request.kind {
            SeatRequestKind::Open => None,
            SeatRequestKind::Bot => {
                Some(Occupant { who: SeatPlayer::Bot { level: level_of(&*game, request.level)? }, token_hash: None })
            }
            SeatRequestKind::Me => {
                let secret = Secret::generate();
                tokens.push(SeatToken { seat: Seat(index as u8), token: secret.reveal() });
                Some(Occupant { who: SeatPlayer::Person { guest: guest.to_owned() }, token_hash: Some(secret.hash()) })
            }
        });
    }
    let terms = TableTerms {
        clock: request.clock.filter(|clock| *clock != ClockTerms::default()),
        options,
        size: seats.len() as u8,
    };
    let rules_version = game.info().rules_version;
    Ok((
        TableSpec { id: crate::ids::fresh(), game, rules_version, settings, terms, seats, moves: request.moves },
        tokens,
    ))
}

/// The options of a table: a rated one has no help, and opponents.
fn agreed(
    options: TableOptions,
    game: &dyn ErasedGame,
    plan: &SeatPlan,
    seats: usize,
    imported: bool,
) -> ApiResult<TableOptions> {
    if !options.rated {
        return Ok(options);
    }
    let refused = |message: &str| Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.rated", message));
    let team = |seat: usize| plan.teams.get(seat).copied().unwrap_or(seat as u8);
    if game.info().join_during_play || !(1..seats).any(|seat| team(seat) != team(0)) {
        return refused("this game is played together: there is nobody to win against");
    }
    if imported {
        return refused("a rated game begins at its beginning: leave out `moves`");
    }
    Ok(TableOptions { help: false, ..options })
}

/// One request per seat: the caller against a bot where none are given; further open seats in games that may be joined
/// during play.
fn seat_wishes(game: &dyn ErasedGame, plan: &SeatPlan, mut requests: Vec<SeatRequest>) -> ApiResult<Vec<SeatRequest>> {
    let (min, max) = (usize::from(plan.min), usize::from(plan.max));
    if requests.is_empty() {
        requests.push(SeatRequest { kind: SeatRequestKind::Me, level: None });
        requests.resize(min.max(1), SeatRequest { kind: SeatRequestKind::Bot, level: None });
    }
    if requests.len() < min || requests.len() > max {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "game.seat_count",
            format!("{} seats do not fit: these settings take {min} to {max}", requests.len()),
        ));
    }
    if game.info().join_during_play {
        requests.resize(max, SeatRequest { kind: SeatRequestKind::Open, level: None });
    }
    Ok(requests)
}

fn check_clock(clock: &ClockTerms) -> ApiResult<()> {
    for (name, value) in [("per_move_ms", clock.per_move_ms), ("per_game_ms", clock.per_game_ms)] {
        if let Some(value) = value.filter(|value| !CLOCK_RANGE.contains(value)) {
            let message = format!("clock.{name}: {value} is not from {} to {}", CLOCK_RANGE.start(), CLOCK_RANGE.end());
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.clock", message));
        }
    }
    if clock.increment_ms.is_some_and(|value| value > *CLOCK_RANGE.end()) {
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.clock", "clock.increment_ms is too large"));
    }
    if clock.increment_ms.is_some() && clock.per_game_ms.is_none() {
        let message = "clock.increment_ms needs clock.per_game_ms";
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.clock", message));
    }
    Ok(())
}

/// A table as the caller may see it.
#[utoipa::path(get, path = "/api/v1/tables/{id}", tag = "tables", params(("id" = String, Path), SeatParams),
    responses((status = 200, body = TableView), (status = 404, body = crate::api::ErrorBody)))]
pub async fn show(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
    Params(params): Params<SeatParams>,
) -> ApiResult<Response> {
    let (caller, seat) = (identity.caller(), params.seat.map(Seat));
    let table = http.app.tables.request(&http.app, &id, |reply| TableCommand::Show { caller, seat, reply }).await?;
    Ok(([json_type()], table.to_string()).into_response())
}

/// What the caller saw at an earlier moment.
#[utoipa::path(get, path = "/api/v1/tables/{id}/view", tag = "tables", params(("id" = String, Path), ViewAtParams),
    responses((status = 200, body = ViewAt)))]
pub async fn view_at(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
    Params(params): Params<ViewAtParams>,
) -> ApiResult<Json<ViewAt>> {
    let (caller, seat, ply) = (identity.caller(), params.seat.map(Seat), params.at);
    Ok(Json(http.app.tables.request(&http.app, &id, |reply| TableCommand::ViewAt { caller, seat, ply, reply }).await?))
}

/// Takes a seat for the caller or for a bot.
#[utoipa::path(post, path = "/api/v1/tables/{id}/seats/{seat}", tag = "tables", request_body = SeatRequest,
    params(("id" = String, Path), ("seat" = u8, Path)), responses((status = 200, body = Seated)))]
pub async fn sit(
    State(http): State<HttpState>,
    Path((id, seat)): Path<(String, u8)>,
    current: CurrentGuest,
    Body(request): Body<SeatRequest>,
) -> ApiResult<(HeaderMap, Json<Seated>)> {
    let (caller, seat) = (current.caller(), Seat(seat));
    let seated =
        http.app.tables.request(&http.app, &id, |reply| TableCommand::Sit { caller, seat, request, reply }).await?;
    Ok((current.cookie, Json(seated)))
}

/// Leaves a seat before the game has started.
#[utoipa::path(delete, path = "/api/v1/tables/{id}/seats/{seat}", tag = "tables",
    params(("id" = String, Path), ("seat" = u8, Path)), responses((status = 200, body = Acknowledged)))]
pub async fn stand(
    State(http): State<HttpState>,
    Path((id, seat)): Path<(String, u8)>,
    identity: Identity,
) -> ApiResult<Json<Acknowledged>> {
    let (caller, seat) = (identity.caller(), Seat(seat));
    Ok(Json(http.app.tables.request(&http.app, &id, |reply| TableCommand::Stand { caller, seat, reply }).await?))
}
