//! Tables: make, list, look, sit down, stand up.

use super::App;
use super::body::{Json as Body, Params};
use super::identity::{Somebody, Visitor};
use super::me::know_names;
use crate::api::{
    Acknowledged, ClockTerms, NewTable, SeatToken, SeatWish, Seated, TableMade, TableOptions, TableSummary, TableView,
    ViewAt, WishKind,
};
use crate::error::{Answer, ApiError};
use crate::record::{Terms, Who};
use crate::table::{Ask, Plan, Sitter, level_of, list_line, to_json};
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::ErasedGame;
use game::{Seat, SeatPlan};
use serde::Deserialize;
use store::{GameFilter, GameState, Secret};
use utoipa::IntoParams;

/// The most tables in a list.
const LISTED: u32 = 100;
/// The shortest time a clock may give, and the longest.
const CLOCK_RANGE: std::ops::RangeInclusive<u64> = 100..=7 * 86_400_000;
/// The most moves a new table takes at once.
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

/// Which seat to look from, and at which moment.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct LookParams {
    /// One of my seats, where I have several.
    pub seat: Option<u8>,
}

/// Which moment to look at.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct AtParams {
    /// How many actions had been made.
    pub at: u32,
    /// One of my seats, where I have several.
    pub seat: Option<u8>,
}

/// Public tables, the newest first.
#[utoipa::path(get, path = "/api/v1/tables", tag = "tables", params(ListParams), responses((status = 200, body = Vec<TableSummary>)))]
pub async fn list(
    State(app): State<App>,
    visitor: Visitor,
    Params(params): Params<ListParams>,
) -> Answer<Json<Vec<TableSummary>>> {
    let state = match params.state.as_deref() {
        None => None,
        Some("waiting") => Some(GameState::Waiting),
        Some("running") => Some(GameState::Running),
        Some("finished" | "over") => Some(GameState::Over),
        Some(other) => {
            return Err(ApiError::bad_form(format!("state {other}: one of waiting, running, finished")));
        }
    };
    let rows = app.house.store.list(&GameFilter { game: params.game, state, limit: LISTED }).await?;
    know_names(&app, &rows).await?;
    let guest = visitor.guest.as_ref().map(|(_, guest)| guest.id.as_str());
    Ok(Json(rows.iter().filter_map(|row| list_line(row, guest, &app.house.names)).collect()))
}

/// Makes a table.
#[utoipa::path(post, path = "/api/v1/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = TableMade), (status = 422, body = crate::api::ErrorBody)))]
pub async fn create(State(app): State<App>, request: Request) -> Answer<Response> {
    use axum::extract::{FromRequest, FromRequestParts};
    let (mut parts, body) = request.into_parts();
    app.guard.may_make(&parts)?;
    let somebody = Somebody::from_request_parts(&mut parts, &app).await?;
    let Body(wish) = Body::<NewTable>::from_request(Request::from_parts(parts, body), &app).await?;
    let (plan, tokens) = plan(&app, wish, &somebody.guest.id)?;
    let id = app.house.hub.create(&app.house, plan).await?;
    let caller = somebody.caller();
    let table = app.house.hub.ask(&app.house, &id, |reply| Ask::Show { caller, seat: None, reply }).await?;
    let text = format!(r#"{{"table":{table},"seat_tokens":{}}}"#, to_json(&tokens));
    let location = [(header::LOCATION, format!("/api/v1/tables/{id}")), json_type()];
    Ok((StatusCode::CREATED, somebody.cookie, location, text).into_response())
}

fn json_type() -> (header::HeaderName, String) {
    (header::CONTENT_TYPE, "application/json".to_owned())
}

fn plan(app: &App, wish: NewTable, guest: &str) -> Answer<(Plan, Vec<SeatToken>)> {
    let game = app.house.catalog.game(&wish.game).cloned();
    let game = game.ok_or_else(|| ApiError::not_found("game.unknown", format!("there is no game {}", wish.game)))?;
    let (settings, seat_plan) = game.settings(&wish.settings)?;
    if let Some(clock) = &wish.clock {
        check_clock(clock)?;
    }
    if wish.moves.len() > MOVES {
        return Err(ApiError::bad_form(format!("moves: {} are more than {MOVES}", wish.moves.len())));
    }
    let imported = !wish.moves.is_empty();
    let wishes = seat_wishes(&*game, &seat_plan, wish.seats)?;
    let options = agreed(wish.options, &*game, &seat_plan, wishes.len(), imported)?;
    let (mut seats, mut tokens) = (Vec::new(), Vec::new());
    for (index, wish) in wishes.into_iter().enumerate() {
        seats.push(match wish.kind {
            WishKind::Open => None,
            WishKind::Bot => Some(Sitter { who: Who::Bot { level: level_of(&*game, wish.level)? }, token_hash: None }),
            WishKind::Me => {
                let secret = Secret::generate();
                tokens.push(SeatToken { seat: Seat(index as u8), token: secret.reveal() });
                Some(Sitter { who: Who::Person { guest: guest.to_owned() }, token_hash: Some(secret.hash()) })
            }
        });
    }
    let terms =
        Terms { clock: wish.clock.filter(|clock| *clock != ClockTerms::default()), options, size: seats.len() as u8 };
    let rules_version = game.info().rules_version;
    Ok((Plan { id: crate::ids::fresh(), game, rules_version, settings, terms, seats, moves: wish.moves }, tokens))
}

/// A rated table is one without help, with somebody to win against.
fn agreed(
    options: TableOptions,
    game: &dyn ErasedGame,
    plan: &SeatPlan,
    seats: usize,
    imported: bool,
) -> Answer<TableOptions> {
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

/// One wish per seat: me against the computer where none are given; further open seats in games that may be joined.
fn seat_wishes(game: &dyn ErasedGame, plan: &SeatPlan, mut wishes: Vec<SeatWish>) -> Answer<Vec<SeatWish>> {
    let (min, max) = (usize::from(plan.min), usize::from(plan.max));
    if wishes.is_empty() {
        wishes.push(SeatWish { kind: WishKind::Me, level: None });
        wishes.resize(min.max(1), SeatWish { kind: WishKind::Bot, level: None });
    }
    if wishes.len() < min || wishes.len() > max {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "game.seat_count",
            format!("{} seats do not fit: these settings take {min} to {max}", wishes.len()),
        ));
    }
    if game.info().join_during_play {
        wishes.resize(max, SeatWish { kind: WishKind::Open, level: None });
    }
    Ok(wishes)
}

fn check_clock(clock: &ClockTerms) -> Answer<()> {
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

/// A table as I may see it.
#[utoipa::path(get, path = "/api/v1/tables/{id}", tag = "tables", params(("id" = String, Path), LookParams),
    responses((status = 200, body = TableView), (status = 404, body = crate::api::ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    Params(params): Params<LookParams>,
) -> Answer<Response> {
    let (caller, seat) = (visitor.caller(), params.seat.map(Seat));
    let table = app.house.hub.ask(&app.house, &id, |reply| Ask::Show { caller, seat, reply }).await?;
    Ok(([json_type()], table.to_string()).into_response())
}

/// What I saw at an earlier moment.
#[utoipa::path(get, path = "/api/v1/tables/{id}/view", tag = "tables", params(("id" = String, Path), AtParams),
    responses((status = 200, body = ViewAt)))]
pub async fn view_at(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    Params(params): Params<AtParams>,
) -> Answer<Json<ViewAt>> {
    let (caller, seat, ply) = (visitor.caller(), params.seat.map(Seat), params.at);
    Ok(Json(app.house.hub.ask(&app.house, &id, |reply| Ask::ViewAt { caller, seat, ply, reply }).await?))
}

/// Takes a seat for me or for the computer.
#[utoipa::path(post, path = "/api/v1/tables/{id}/seats/{seat}", tag = "tables", request_body = SeatWish,
    params(("id" = String, Path), ("seat" = u8, Path)), responses((status = 200, body = Seated)))]
pub async fn sit(
    State(app): State<App>,
    Path((id, seat)): Path<(String, u8)>,
    somebody: Somebody,
    Body(wish): Body<SeatWish>,
) -> Answer<(HeaderMap, Json<Seated>)> {
    let (caller, seat) = (somebody.caller(), Seat(seat));
    let seated = app.house.hub.ask(&app.house, &id, |reply| Ask::Sit { caller, seat, wish, reply }).await?;
    Ok((somebody.cookie, Json(seated)))
}

/// Leaves a seat before the game has started.
#[utoipa::path(delete, path = "/api/v1/tables/{id}/seats/{seat}", tag = "tables",
    params(("id" = String, Path), ("seat" = u8, Path)), responses((status = 200, body = Acknowledged)))]
pub async fn stand(
    State(app): State<App>,
    Path((id, seat)): Path<(String, u8)>,
    visitor: Visitor,
) -> Answer<Json<Acknowledged>> {
    let (caller, seat) = (visitor.caller(), Seat(seat));
    Ok(Json(app.house.hub.ask(&app.house, &id, |reply| Ask::Stand { caller, seat, reply }).await?))
}
