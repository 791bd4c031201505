//! For those who run the server: health, readiness, metrics.

use super::App;
use super::operator::{Operator, Reader};
use crate::error::{Answer, ApiError};
use crate::operations::{self, Operations};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The process lives.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, description = "the process lives")))]
pub async fn health() -> &'static str {
    "ok\n"
}

/// The store answers and the server is not stopping.
#[utoipa::path(get, path = "/readyz", tag = "operations",
    responses((status = 200, description = "requests are welcome"), (status = 503, body = crate::api::ErrorBody)))]
pub async fn ready(State(app): State<App>) -> Result<&'static str, ApiError> {
    if *app.house.stopping.borrow() {
        return Err(ApiError::busy("server.stopping", "the server is stopping"));
    }
    app.house.store.ping().await?;
    Ok("ready\n")
}

/// Figures for Prometheus: for the bearer of the operator's token, or where the server has none for this machine.
#[utoipa::path(get, path = "/metrics", tag = "operations",
    responses((status = 200, description = "Prometheus text"), (status = 401, body = crate::api::ErrorBody)))]
pub async fn metrics(State(app): State<App>, _: Reader) -> Answer<Response> {
    operations::gauges(&app.house).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.render()).into_response())
}

/// How the house runs: tables, computers, the queue, the store, and the last hour of it. For the operator alone.
#[utoipa::path(get, path = "/api/v1/operations", tag = "operations",
    responses((status = 200, body = Operations), (status = 401, body = crate::api::ErrorBody)))]
pub async fn look(State(app): State<App>, _: Operator) -> Answer<Json<Operations>> {
    Ok(Json(operations::look(&app.house).await?))
}

/// An address that the API does not have.
pub async fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "request.path", "there is no such address in this API: see /api")
}
