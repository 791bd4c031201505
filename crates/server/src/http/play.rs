//! Playing: act, undo, redo, resign, rematch.

use super::HttpState;
use super::body::Json as Body;
use super::identity::Identity;
use crate::api::{Acknowledged, ActionRequest, Rematch, SeatChoice, UndoRequest};
use crate::error::ApiResult;
use crate::table::TableCommand;
use axum::Json;
use axum::extract::{Path, State};

/// Takes an action; answered once it stands in the log.
#[utoipa::path(post, path = "/api/v1/tables/{id}/actions", tag = "play", request_body = ActionRequest, params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged), (status = 409, body = crate::api::ErrorBody),
        (status = 422, body = crate::api::ErrorBody)))]
pub async fn act(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
    Body(act): Body<ActionRequest>,
) -> ApiResult<Json<Acknowledged>> {
    let caller = identity.caller();
    let answer = http.app.tables.request(&http.app, &id, |reply| TableCommand::Act { caller, act, reply }).await?;
    identity.acted(&http);
    Ok(Json(answer))
}

/// Takes back: at once against the computer, as an offer to people; or answers an offer.
#[utoipa::path(post, path = "/api/v1/tables/{id}/undo", tag = "play", request_body = UndoRequest, params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged)))]
pub async fn undo(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
    Body(undo): Body<UndoRequest>,
) -> ApiResult<Json<Acknowledged>> {
    let caller = identity.caller();
    let answer = http.app.tables.request(&http.app, &id, |reply| TableCommand::Undo { caller, undo, reply }).await?;
    identity.acted(&http);
    Ok(Json(answer))
}

/// Plays again what was taken back, against the computer.
#[utoipa::path(post, path = "/api/v1/tables/{id}/redo", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged)))]
pub async fn redo(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
) -> ApiResult<Json<Acknowledged>> {
    let caller = identity.caller();
    let answer = http.app.tables.request(&http.app, &id, |reply| TableCommand::Redo { caller, reply }).await?;
    identity.acted(&http);
    Ok(Json(answer))
}

/// Gives up.
#[utoipa::path(post, path = "/api/v1/tables/{id}/resign", tag = "play", request_body = SeatChoice,
    params(("id" = String, Path)), responses((status = 200, body = Acknowledged)))]
pub async fn resign(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
    Body(choice): Body<SeatChoice>,
) -> ApiResult<Json<Acknowledged>> {
    let (caller, seat) = (identity.caller(), choice.seat);
    let answer = http.app.tables.request(&http.app, &id, |reply| TableCommand::Resign { caller, seat, reply }).await?;
    identity.acted(&http);
    Ok(Json(answer))
}

/// Once more with the same players on each other's seats; secrets of seats stay valid.
#[utoipa::path(post, path = "/api/v1/tables/{id}/rematch", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Rematch)))]
pub async fn rematch(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
) -> ApiResult<Json<Rematch>> {
    let caller = identity.caller();
    let answer = http.app.tables.request(&http.app, &id, |reply| TableCommand::Rematch { caller, reply }).await?;
    identity.acted(&http);
    Ok(Json(answer))
}
