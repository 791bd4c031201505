//! Routes, and the middleware that every request passes on its way in and out.

mod account;
mod artifacts;
mod body;
mod games;
mod identity;
mod me;
mod middleware;
pub mod openapi;
mod operator;
mod ops;
pub mod page;
mod play;
mod prefetch;
mod services;
mod socket;
mod tables;
mod user_data;

use crate::address_limit::AddressLimit;
use crate::app_state::AppState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post, put};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;

pub use identity::GuestCache;
pub use middleware::Admission;
pub use user_data::Exports;

/// The state that every handler gets.
#[derive(Clone)]
pub struct HttpState {
    pub app: Arc<AppState>,
    pub guests: Arc<GuestCache>,
    pub admission: Arc<Admission>,
    pub openapi: Arc<str>,
    /// Sockets by address.
    pub sockets: Arc<AddressLimit>,
    /// Light services that run at once.
    pub light: Arc<Semaphore>,
    /// Passwords that are hashed at once.
    pub passwords: Arc<Semaphore>,
    /// Exports of user data being written.
    pub exports: Arc<Exports>,
    pub metrics: metrics_exporter_prometheus::PrometheusHandle,
}

/// All routes.
pub fn router(http: HttpState) -> Router {
    let limits = http.app.config.limits;
    let api = Router::new()
        .route("/games", get(games::list))
        .route("/guest", post(me::guest))
        .route("/me", get(me::show).put(me::rename).delete(user_data::delete))
        .route("/me/data", get(user_data::export))
        .route("/me/keepsakes", get(user_data::keepsakes))
        .route("/me/keepsakes/{name}", put(user_data::keep))
        .route("/account", post(account::create))
        .route("/account/login", post(account::login))
        .route("/account/logout", post(account::logout))
        .route("/account/password", put(account::password))
        .route("/tables", get(tables::list).post(tables::create))
        .route("/tables/{id}", get(tables::show))
        .route("/tables/{id}/view", get(tables::view_at))
        .route("/tables/{id}/seats/{seat}", post(tables::sit).delete(tables::stand))
        .route("/tables/{id}/actions", post(play::act))
        .route("/tables/{id}/undo", post(play::undo))
        .route("/tables/{id}/redo", post(play::redo))
        .route("/tables/{id}/resign", post(play::resign))
        .route("/tables/{id}/rematch", post(play::rematch))
        .route("/tables/{id}/export", get(services::export))
        .route("/tables/{id}/socket", get(socket::open))
        .route("/artifacts/{hash}", get(artifacts::show))
        .route("/operations", get(ops::report))
        .layer(DefaultBodyLimit::max(limits.body));
    let services = Router::new()
        .route("/tables/{id}/services/{service}", post(services::at_table))
        .route("/{game}/{service}", post(services::alone))
        .layer(DefaultBodyLimit::max(limits.service_body));
    let limited = Router::new()
        .nest("/api/v1", api.merge(services).fallback(ops::unknown))
        .layer(axum::middleware::from_fn_with_state(http.clone(), middleware::admit));
    Router::new()
        .merge(limited)
        .route("/api", get(page::api_page))
        .route("/api/", get(page::api_page))
        .route("/api/browse.js", get(page::api_script))
        .route("/api/browse.css", get(page::api_style))
        .route("/api/openapi.json", get(openapi::show))
        .route("/healthz", get(ops::health))
        .route("/readyz", get(ops::ready))
        .route("/metrics", get(ops::metrics))
        .fallback(get(page::page))
        .layer(axum::middleware::from_fn_with_state(http.clone(), middleware::finish))
        .layer(CompressionLayer::new())
        .with_state(http)
}
