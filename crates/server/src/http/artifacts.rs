//! Files that jobs read, for workers on other machines.

use super::HttpState;
use crate::error::{ApiError, ApiResult};
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;

/// A file by its SHA-256. Only files that a running job reads are here; a caller that knows the hash of such a file
/// may read it.
#[utoipa::path(get, path = "/api/v1/artifacts/{hash}", tag = "operations", params(("hash" = String, Path)),
    responses((status = 200, description = "the bytes", content_type = "application/octet-stream"),
        (status = 404, body = crate::api::ErrorBody)))]
pub async fn show(State(http): State<HttpState>, Path(hash): Path<String>) -> ApiResult<Response> {
    let unknown = || ApiError::not_found("artifact.unknown", "no running job reads a file with this hash");
    if hash.len() != 64 || !hash.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(unknown());
    }
    let size = http.app.store.artifact(&hash).await?.ok_or_else(unknown)?;
    // One part at a time: a slow reader does not make the server hold a file in memory.
    let parts = stream::unfold((http, hash, 0), |(http, hash, part)| async move {
        match http.app.store.artifact_part(&hash, part).await {
            Ok(Some(bytes)) => Some((Ok(Bytes::from(bytes)), (http, hash, part + 1))),
            Ok(None) => None,
            Err(error) => Some((Err(error), (http, hash, part + 1))),
        }
    });
    let headers =
        [(header::CONTENT_TYPE, "application/octet-stream".to_owned()), (header::CONTENT_LENGTH, size.to_string())];
    Ok((headers, Body::from_stream(parts)).into_response())
}
