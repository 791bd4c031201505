//! Request bodies and queries, with errors in the API's own form.

use super::HttpState;
use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// A JSON body; an empty one counts as `{}`.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<HttpState> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, http: &HttpState) -> Result<Self, ApiError> {
        let whole = Bytes::from_request(request, http);
        let bytes = tokio::time::timeout(http.app.config.limits.body_within, whole).await.map_err(|_| too_slow())?;
        read(&bytes.map_err(too_large)?).map(Self)
    }
}

fn too_slow() -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "request.too_slow", "the body did not arrive in time")
}

/// Reads JSON; nothing at all counts as `{}`.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let bytes = if bytes.trim_ascii().is_empty() { b"{}" } else { bytes };
    serde_json::from_slice(bytes).map_err(|error| ApiError::bad_form(format!("the body does not fit: {error}")))
}

fn too_large(rejection: BytesRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(),
        status => ApiError::new(status, "request.form", "the body cannot be read"),
    }
}

/// The query of an address.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let Query(query) = Query::try_from_uri(&parts.uri)
            .map_err(|error| ApiError::bad_form(format!("the query does not fit: {}", error.body_text())))?;
        Ok(Self(query))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{
        ActionRequest, Credentials, DeleteAccount, NewPassword, NewTable, RenameRequest, SeatChoice, SeatRequest,
        UndoRequest, UserDataBody,
    };
    use crate::log_record::{LogRecord, TableTerms};

    #[test]
    fn any_bytes_are_read_or_refused_without_a_panic() {
        bolero::check!().with_type::<Vec<u8>>().with_iterations(5_000).for_each(|bytes| {
            let _ = read::<NewTable>(bytes);
            let _ = read::<ActionRequest>(bytes);
            let _ = read::<UndoRequest>(bytes);
            let _ = read::<RenameRequest>(bytes);
            let _ = read::<SeatRequest>(bytes);
            let _ = read::<Credentials>(bytes);
            let _ = read::<NewPassword>(bytes);
            let _ = read::<DeleteAccount>(bytes);
            let _ = read::<UserDataBody>(bytes);
            let _ = read::<SeatChoice>(bytes);
            let _ = read::<serde_json::Value>(bytes);
            let _ = read::<LogRecord>(bytes);
            let _ = read::<TableTerms>(bytes);
        });
    }

    #[test]
    fn nothing_at_all_counts_as_an_empty_object() {
        assert!(read::<UndoRequest>(b" \n").is_ok());
        assert!(read::<SeatRequest>(b"").is_err(), "a request has a kind");
        assert!(read::<UndoRequest>(br#"{"keep":1,"kept":2}"#).is_err(), "unknown fields are refused");
    }
}
