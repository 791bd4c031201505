//! Refusals: every error of the server as HTTP status, stable code and English sentence.

use crate::api::{ErrorBody, ErrorDetail};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::ActionError;
use game::{ServiceError, TableError};
use store::StoreError;

/// A refusal with its HTTP status.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub detail: ErrorDetail,
    pub retry_after: Option<u64>,
}

pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub fn new(status: StatusCode, code: impl Into<String>, message: impl Into<String>) -> Self {
        let detail = ErrorDetail { code: code.into(), message: message.into() };
        Self { status, detail, retry_after: None }
    }

    pub fn bad_form(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request.form", message)
    }

    pub fn forbidden(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    pub fn not_found(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    pub fn conflict(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// The server is busy; the same request works a little later.
    pub fn busy(code: &str, message: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message) }
    }

    /// The body is larger than the route accepts.
    pub fn too_large() -> Self {
        let message = "the body is larger than this route accepts";
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "request.too_large", message)
    }

    /// Too many requests from one caller.
    pub fn too_many(seconds: u64) -> Self {
        let message = "too many requests: wait a little";
        Self { retry_after: Some(seconds.max(1)), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "limits.rate", message) }
    }

    /// The task of the table ended during the request; nothing that was acknowledged is lost.
    pub fn table_restarts() -> Self {
        Self::busy("table.restarting", "the table is being loaded again from its log: try again")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: self.detail })).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<ActionError> for ApiError {
    fn from(refusal: ActionError) -> Self {
        match refusal {
            ActionError::BadForm(message) => Self::bad_form(message),
            ActionError::Table(error) => {
                let message = error.to_string();
                match error {
                    TableError::Over => Self::conflict("table.over", message),
                    TableError::NotToAct(_) => Self::conflict("table.not_to_act", message),
                    TableError::NoSuchSeat(_) => Self::not_found("table.no_such_seat", message),
                    TableError::NoUndo => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "table.no_undo", message),
                    TableError::UndoTooFar { .. } => {
                        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "table.undo_too_far", message)
                    }
                    TableError::Rule(rule) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, rule.code, rule.message),
                }
            }
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict { .. } => Self::table_restarts(),
            StoreError::Taken(name) => {
                Self::conflict("account.taken", format!("{name} is taken, or you have an account already"))
            }
            StoreError::Busy | StoreError::Closed => Self::busy("store.busy", error.to_string()),
            StoreError::Address(_) | StoreError::Served(_) | StoreError::Database(_) => {
                tracing::error!(%error, "the store failed");
                Self::busy("store.failed", "the store does not answer: nothing was changed")
            }
        }
    }
}

impl From<ServiceError> for ApiError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::BadRequest(message) => Self::bad_form(message),
            ServiceError::Rule(rule) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, rule.code, rule.message),
            ServiceError::Unavailable(message) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "service.unavailable", message)
            }
        }
    }
}
