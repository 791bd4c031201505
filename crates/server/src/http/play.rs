//! Playing: act, take back, play again, give up, once more.

use super::App;
use super::body::Json as Body;
use super::identity::Visitor;
use crate::api::{Acknowledged, Act, Rematch, SeatChoice, Undo};
use crate::error::Answer;
use crate::table::Ask;
use axum::Json;
use axum::extract::{Path, State};

/// Takes an action; answered once it stands in the log.
#[utoipa::path(post, path = "/api/v1/tables/{id}/actions", tag = "play", request_body = Act, params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged), (status = 409, body = crate::api::ErrorBody),
        (status = 422, body = crate::api::ErrorBody)))]
pub async fn act(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    Body(act): Body<Act>,
) -> Answer<Json<Acknowledged>> {
    let caller = visitor.caller();
    Ok(Json(app.house.hub.ask(&app.house, &id, |reply| Ask::Act { caller, act, reply }).await?))
}

/// Takes back: at once against the computer, as an offer to people; or answers an offer.
#[utoipa::path(post, path = "/api/v1/tables/{id}/undo", tag = "play", request_body = Undo, params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged)))]
pub async fn undo(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    Body(undo): Body<Undo>,
) -> Answer<Json<Acknowledged>> {
    let caller = visitor.caller();
    Ok(Json(app.house.hub.ask(&app.house, &id, |reply| Ask::Undo { caller, undo, reply }).await?))
}

/// Plays again what was taken back, against the computer.
#[utoipa::path(post, path = "/api/v1/tables/{id}/redo", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged)))]
pub async fn redo(State(app): State<App>, Path(id): Path<String>, visitor: Visitor) -> Answer<Json<Acknowledged>> {
    let caller = visitor.caller();
    Ok(Json(app.house.hub.ask(&app.house, &id, |reply| Ask::Redo { caller, reply }).await?))
}

/// Gives up.
#[utoipa::path(post, path = "/api/v1/tables/{id}/resign", tag = "play", request_body = SeatChoice,
    params(("id" = String, Path)), responses((status = 200, body = Acknowledged)))]
pub async fn resign(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    Body(choice): Body<SeatChoice>,
) -> Answer<Json<Acknowledged>> {
    let (caller, seat) = (visitor.caller(), choice.seat);
    Ok(Json(app.house.hub.ask(&app.house, &id, |reply| Ask::Resign { caller, seat, reply }).await?))
}

/// Once more with the same players on each other's seats; secrets of seats stay valid.
#[utoipa::path(post, path = "/api/v1/tables/{id}/rematch", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Rematch)))]
pub async fn rematch(State(app): State<App>, Path(id): Path<String>, visitor: Visitor) -> Answer<Json<Rematch>> {
    let caller = visitor.caller();
    Ok(Json(app.house.hub.ask(&app.house, &id, |reply| Ask::Rematch { caller, reply }).await?))
}
