//! Whoever runs the house: the bearer of the operator's token.

use super::App;
use super::guard::address;
use super::identity::credentials;
use crate::error::ApiError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode, header};

/// The bearer of the operator's token.
pub struct Operator;

impl FromRequestParts<App> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Some(operator) = &app.house.config.operator else {
            return Err(ApiError::not_found("operator.none", "this server was started without an operator's token"));
        };
        match credentials(&parts.headers).1 {
            Some(token) if token.hash() == *operator => Ok(Self),
            _ => Err(stranger()),
        }
    }
}

fn stranger() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "operator.token", "only the operator may see this: send the token")
}

/// Whoever may read the figures: the operator, or where there is none somebody on this very machine.
pub struct Reader;

impl FromRequestParts<App> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        if app.house.config.operator.is_some() {
            return Operator::from_request_parts(parts, app).await.map(|_| Self);
        }
        // A proxy on this machine speaks for others, and says so.
        let passed_on = [HeaderName::from_static("x-forwarded-for"), header::FORWARDED];
        let direct = passed_on.iter().all(|name| !parts.headers.contains_key(name));
        if direct && address(parts).to_canonical().is_loopback() { Ok(Self) } else { Err(stranger()) }
    }
}
