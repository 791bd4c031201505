//! Typed requests beside the table: light ones answered at once, heavy ones in the bounded pool.

use super::App;
use super::body::{Json as Body, Params};
use super::early;
use super::identity::Visitor;
use crate::error::{Answer, ApiError};
use crate::ids;
use crate::table::{Ask, Caller};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use catalog::{AnyView, ErasedGame, ServiceInfo, ServiceRequest};
use game::{Control, Cost, Needs, Seat, ServiceError, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use utoipa::IntoParams;

/// How often progress is passed on.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// How long a service may work before it is stopped with what it has.
const HEAVY_LIMIT: Duration = Duration::from_secs(300);
const LIGHT_LIMIT: Duration = Duration::from_secs(10);

/// How to call a service at a table.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ServiceParams {
    /// One of my seats, where I have several.
    pub seat: Option<u8>,
    /// Comes back in `progress` messages on my socket.
    pub id: Option<String>,
}

/// The form to export in.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ExportParams {
    pub format: String,
    pub seat: Option<u8>,
}

/// Asks a service that is about a table; it gets the caller's own view.
pub async fn at_table(
    State(app): State<App>,
    Path((id, service)): Path<(String, String)>,
    visitor: Visitor,
    Params(params): Params<ServiceParams>,
    Body(body): Body<Value>,
) -> Answer<Json<Value>> {
    answer(&app, &id, &service, visitor.caller(), params, body).await.map(Json)
}

/// A game's record in one of its own formats, with what the caller may see.
#[utoipa::path(get, path = "/api/v1/tables/{id}/export", tag = "tables", params(("id" = String, Path), ExportParams),
    responses((status = 200, body = Object)))]
pub async fn export(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    Params(params): Params<ExportParams>,
) -> Answer<Json<Value>> {
    let body = json!({ "format": params.format });
    let params = ServiceParams { seat: params.seat, id: None };
    answer(&app, &id, "export", visitor.caller(), params, body).await.map(Json)
}

async fn answer(app: &App, id: &str, name: &str, caller: Caller, params: ServiceParams, body: Value) -> Answer<Value> {
    let (asking, seat) = (caller.clone(), params.seat.map(Seat));
    let table = app.house.hub.ask(&app.house, id, |reply| Ask::ForService { caller: asking, seat, reply }).await?;
    let info = find(&*table.game, name)?;
    if table.running && !table.help && name != "export" && info.needs == Needs::View {
        return Err(ApiError::forbidden("table.no_help", "at this table nobody is helped while the game runs"));
    }
    let sender = app.house.hub.table(&app.house, id).await?;
    let (service, progress_id) = (name.to_owned(), params.id);
    let last: Mutex<Option<Instant>> = Mutex::new(None);
    let control = Control::with_listener(move |progress| {
        let mut last = last.lock().expect("no panic while held");
        if last.is_none_or(|at| at.elapsed() >= PROGRESS_EVERY) {
            *last = Some(Instant::now());
            let (caller, service, id) = (caller.clone(), service.clone(), progress_id.clone());
            let _ = sender.try_send(Ask::ServiceProgress { caller, service, id, progress });
        }
    });
    let view = (info.needs == Needs::View).then_some(table.view);
    run(app, &table.game, info, (view, table.viewer), body, control).await
}

/// Asks a service whose request says everything.
pub async fn alone(
    State(app): State<App>,
    Path((game, service)): Path<(String, String)>,
    Body(body): Body<Value>,
) -> Answer<Json<Value>> {
    let game = app.house.catalog.game(&game).cloned();
    let game = game.ok_or_else(|| ApiError::not_found("request.path", "there is no such address in this API"))?;
    let info = find(&*game, &service)?;
    if info.needs == Needs::View {
        let message = format!("{service} is about a table: POST /api/v1/tables/{{id}}/services/{service}");
        return Err(ApiError::bad_form(message));
    }
    let key = early::awaited(&*game, info).then(|| early::key(&*game, info.name, &body)).flatten();
    if let Some(answer) = key.and_then(|key| app.house.answers.get(&key)) {
        return Ok(Json(answer));
    }
    let answer = run(&app, &game, info, (None, Viewer::Spectator), body, Control::new()).await?;
    early::foresee(&app.house, &game, info, &answer);
    Ok(Json(answer))
}

fn find<'g>(game: &'g dyn ErasedGame, name: &str) -> Answer<&'g ServiceInfo> {
    let missing = || ApiError::not_found("service.unknown", format!("{} has no service {name}", game.info().id));
    game.services().iter().find(|service| service.name == name).ok_or_else(missing)
}

/// Stops the work when the caller goes away.
struct StopOnDrop(Control);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

async fn run(
    app: &App,
    game: &Arc<dyn ErasedGame>,
    info: &ServiceInfo,
    (view, viewer): (Option<AnyView>, Viewer),
    body: Value,
    control: Control,
) -> Answer<Value> {
    let (reply, answer) = oneshot::channel();
    let _guard = StopOnDrop(control.clone());
    let (game, service, working) = (Arc::clone(game), info.name, control.clone());
    let work = move || {
        // Whoever asked may have gone while the work waited for its turn.
        if working.stopped() {
            return;
        }
        let call = || {
            let request = ServiceRequest { name: service, body, view: view.as_ref(), viewer, seed: ids::random_u64() };
            game.call(request, &working)
        };
        let answer = catch_unwind(AssertUnwindSafe(call))
            .unwrap_or_else(|_| Err(ServiceError::Unavailable(format!("{service} failed on this request"))));
        let _ = reply.send(answer);
    };
    let busy = || ApiError::busy("limits.services", "too many requests of this kind are being worked on: try again");
    let begun = Instant::now();
    match info.cost {
        Cost::Light => {
            let permit = Arc::clone(&app.light).try_acquire_owned().map_err(|_| busy())?;
            tokio::task::spawn_blocking(move || {
                work();
                drop(permit);
            });
        }
        Cost::Heavy => app.house.pool.serve(work).map_err(|_| busy())?,
    }
    let timeout = tokio::time::sleep(if info.cost == Cost::Heavy { HEAVY_LIMIT } else { LIGHT_LIMIT });
    tokio::pin!(timeout, answer);
    let answer = tokio::select! {
        answer = &mut answer => answer,
        () = &mut timeout => {
            control.stop();
            answer.await
        }
    };
    metrics::histogram!("parlour_service_seconds", "service" => info.name).record(begun.elapsed());
    let failed = |_| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "service.stopped", "the server is stopping");
    Ok(answer.map_err(failed)??)
}
