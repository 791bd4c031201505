//! The doors: routes, and what every request passes on its way in and out.

mod account;
mod artifacts;
mod body;
mod early;
mod games;
mod guard;
mod identity;
mod me;
mod my_data;
pub mod openapi;
mod operator;
mod ops;
pub mod page;
mod play;
mod services;
mod socket;
mod tables;

use crate::counts::Counts;
use crate::house::House;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post, put};
use std::sync::Arc;
use tower_http::compression::CompressionLayer;

pub use guard::Guard;
pub use identity::Guests;
pub use my_data::Exports;

/// What every handler gets.
#[derive(Clone)]
pub struct App {
    pub house: Arc<House>,
    pub guests: Arc<Guests>,
    pub guard: Arc<Guard>,
    pub openapi: Arc<str>,
    /// Sockets by address.
    pub sockets: Arc<Counts>,
    pub light: Arc<tokio::sync::Semaphore>,
    /// Passwords hashed at once: each takes 19 MiB for a moment.
    pub signing: Arc<tokio::sync::Semaphore>,
    /// Exports of user data being written.
    pub exports: Arc<Exports>,
    pub metrics: metrics_exporter_prometheus::PrometheusHandle,
}

/// All routes.
pub fn router(app: App) -> Router {
    let limits = app.house.config.limits;
    let api = Router::new()
        .route("/games", get(games::list))
        .route("/guest", post(me::guest))
        .route("/me", get(me::show).put(me::rename).delete(my_data::delete))
        .route("/me/data", get(my_data::export))
        .route("/me/keepsakes", get(my_data::keepsakes))
        .route("/me/keepsakes/{name}", put(my_data::keep))
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
        .route("/operations", get(ops::look))
        .layer(DefaultBodyLimit::max(limits.body));
    let services = Router::new()
        .route("/tables/{id}/services/{service}", post(services::at_table))
        .route("/{game}/{service}", post(services::alone))
        .layer(DefaultBodyLimit::max(limits.service_body));
    let guarded = Router::new()
        .nest("/api/v1", api.merge(services).fallback(ops::unknown))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::guard));
    Router::new()
        .merge(guarded)
        .route("/api", get(page::api_page))
        .route("/api/", get(page::api_page))
        .route("/api/browse.js", get(page::api_script))
        .route("/api/browse.css", get(page::api_style))
        .route("/api/openapi.json", get(openapi::show))
        .route("/healthz", get(ops::health))
        .route("/readyz", get(ops::ready))
        .route("/metrics", get(ops::metrics))
        .fallback(get(page::page))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::answer))
        .layer(CompressionLayer::new())
        .with_state(app)
}
