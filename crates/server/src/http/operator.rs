//! The operator: whoever sends the operator's token.

use super::HttpState;
use super::identity::credentials;
use super::middleware::address;
use crate::error::ApiError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode, header};

/// The bearer of the operator's token.
pub struct Operator;

impl FromRequestParts<HttpState> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, http: &HttpState) -> Result<Self, ApiError> {
        let Some(operator) = &http.app.config.operator else {
            return Err(ApiError::not_found("operator.none", "this server was started without an operator's token"));
        };
        match credentials(&parts.headers).1 {
            Some(token) if token.hash() == *operator => Ok(Self),
            _ => Err(refused()),
        }
    }
}

fn refused() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "operator.token", "only the operator may see this: send the token")
}

/// Whoever may read the metrics: the operator, or where there is none a caller on this machine.
pub struct MetricsReader;

impl FromRequestParts<HttpState> for MetricsReader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, http: &HttpState) -> Result<Self, ApiError> {
        if http.app.config.operator.is_some() {
            return Operator::from_request_parts(parts, http).await.map(|_| Self);
        }
        // A proxy on this machine forwards requests of others, and says so in these headers.
        let forwarded = [HeaderName::from_static("x-forwarded-for"), header::FORWARDED];
        let direct = forwarded.iter().all(|name| !parts.headers.contains_key(name));
        if direct && address(parts).to_canonical().is_loopback() { Ok(Self) } else { Err(refused()) }
    }
}
