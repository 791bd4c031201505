//! For the operator: health, readiness, metrics.

use super::HttpState;
use super::operator::{MetricsReader, Operator};
use crate::error::{ApiError, ApiResult};
use crate::monitoring::{self, Operations};
use crate::time;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The process lives.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, description = "the process lives")))]
pub async fn health() -> &'static str {
    "ok\n"
}

/// The store takes writes and the server is not stopping.
#[utoipa::path(get, path = "/readyz", tag = "operations",
    responses((status = 200, description = "the server accepts requests"), (status = 503, body = crate::api::ErrorBody)))]
pub async fn ready(State(http): State<HttpState>) -> Result<&'static str, ApiError> {
    if *http.app.stopping.borrow() {
        return Err(ApiError::busy("server.stopping", "the server is stopping"));
    }
    http.app.store.check_writable(time::now_ms()).await?;
    Ok("ready\n")
}

/// Metrics in Prometheus format: for the operator, or where the server has none for this machine.
#[utoipa::path(get, path = "/metrics", tag = "operations",
    responses((status = 200, description = "Prometheus text"), (status = 401, body = crate::api::ErrorBody)))]
pub async fn metrics(State(http): State<HttpState>, _: MetricsReader) -> ApiResult<Response> {
    monitoring::gauges(&http.app).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], http.metrics.render()).into_response())
}

/// Tables, bots, job queue and store, now and in the last hour. For the operator alone.
#[utoipa::path(get, path = "/api/v1/operations", tag = "operations",
    responses((status = 200, body = Operations), (status = 401, body = crate::api::ErrorBody)))]
pub async fn report(State(http): State<HttpState>, _: Operator) -> ApiResult<Json<Operations>> {
    Ok(Json(monitoring::report(&http.app).await?))
}

/// An address that the API does not have.
pub async fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "request.path", "there is no such address in this API: see /api")
}
