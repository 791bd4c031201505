//! Services: light ones are answered at once, heavy ones on the worker pool. Work stops when its caller is gone.

use super::HttpState;
use super::body::{Json as Body, Params};
use super::identity::Identity;
use super::middleware::RemoteAddress;
use super::prefetch;
use crate::error::{ApiError, ApiResult};
use crate::ids;
use crate::pool::{PoolTask, TaskClass};
use crate::table::{Caller, TableCommand};
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

/// How often progress is sent.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// How long a service may work before it is stopped with what it has so far.
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

/// Calls a service that is about a table; it gets the caller's own view.
pub async fn at_table(
    State(http): State<HttpState>,
    Path((id, service)): Path<(String, String)>,
    identity: Identity,
    RemoteAddress(address): RemoteAddress,
    Params(params): Params<ServiceParams>,
    Body(body): Body<Value>,
) -> ApiResult<Json<Value>> {
    let owner = identity.owner(address);
    answer(&http, &id, &service, Client { caller: identity.caller(), owner }, params, body).await.map(Json)
}

/// The record of a game in one of its own formats, with what the caller may see.
#[utoipa::path(get, path = "/api/v1/tables/{id}/export", tag = "tables", params(("id" = String, Path), ExportParams),
    responses((status = 200, body = Object)))]
pub async fn export(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
    RemoteAddress(address): RemoteAddress,
    Params(params): Params<ExportParams>,
) -> ApiResult<Json<Value>> {
    let body = json!({ "format": params.format });
    let params = ServiceParams { seat: params.seat, id: None };
    let owner = identity.owner(address);
    answer(&http, &id, "export", Client { caller: identity.caller(), owner }, params, body).await.map(Json)
}

/// Who calls a service, and on whose account it runs.
struct Client {
    caller: Caller,
    owner: Arc<str>,
}

async fn answer(
    http: &HttpState,
    id: &str,
    name: &str,
    client: Client,
    params: ServiceParams,
    body: Value,
) -> ApiResult<Value> {
    let Client { caller, owner } = client;
    let (of, seat) = (caller.clone(), params.seat.map(Seat));
    let context = |reply| TableCommand::ServiceContext { caller: of, seat, reply };
    let table = http.app.tables.request(&http.app, id, context).await?;
    let info = find(&*table.game, name)?;
    if table.running && !table.help && name != "export" && info.needs == Needs::View {
        return Err(ApiError::forbidden("table.no_help", "at this table nobody is helped while the game runs"));
    }
    let sender = http.app.tables.table(&http.app, id).await?;
    let (service, progress_id) = (name.to_owned(), params.id);
    let last: Mutex<Option<Instant>> = Mutex::new(None);
    let control = Control::with_listener(move |progress| {
        let mut last = last.lock().expect("no panic while held");
        if last.is_none_or(|at| at.elapsed() >= PROGRESS_EVERY) {
            *last = Some(Instant::now());
            let (caller, service, id) = (caller.clone(), service.clone(), progress_id.clone());
            let _ = sender.try_send(TableCommand::ServiceProgress { caller, service, id, progress });
        }
    });
    let view = (info.needs == Needs::View).then_some(table.view);
    let call = Call { game: &table.game, info, view, viewer: table.viewer, body, owner };
    run(http, call, control).await
}

/// Calls a service whose request says everything.
pub async fn alone(
    State(http): State<HttpState>,
    Path((game, service)): Path<(String, String)>,
    identity: Identity,
    RemoteAddress(address): RemoteAddress,
    Body(body): Body<Value>,
) -> ApiResult<Json<Value>> {
    let game = http.app.catalog.game(&game).cloned();
    let game = game.ok_or_else(|| ApiError::not_found("request.path", "there is no such address in this API"))?;
    let info = find(&*game, &service)?;
    if info.needs == Needs::View {
        let message = format!("{service} is about a table: POST /api/v1/tables/{{id}}/services/{service}");
        return Err(ApiError::bad_form(message));
    }
    let key = prefetch::is_follow_up(&*game, info).then(|| prefetch::key(&*game, info.name, &body)).flatten();
    if let Some(answer) = key.and_then(|key| http.app.answers.get(&key)) {
        return Ok(Json(answer));
    }
    let owner = identity.owner(address);
    let call = Call { game: &game, info, view: None, viewer: Viewer::Spectator, body, owner };
    let answer = run(&http, call, Control::new()).await?;
    prefetch::prefetch(&http.app, &game, info, &answer);
    Ok(Json(answer))
}

fn find<'g>(game: &'g dyn ErasedGame, name: &str) -> ApiResult<&'g ServiceInfo> {
    let missing = || ApiError::not_found("service.unknown", format!("{} has no service {name}", game.info().id));
    game.services().iter().find(|service| service.name == name).ok_or_else(missing)
}

/// Stops the work when the connection of its caller closes.
struct StopOnDrop(Control);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// One call of a service.
struct Call<'a> {
    game: &'a Arc<dyn ErasedGame>,
    info: &'a ServiceInfo,
    view: Option<AnyView>,
    viewer: Viewer,
    body: Value,
    /// The guest or address on whose account it runs.
    owner: Arc<str>,
}

async fn run(http: &HttpState, call: Call<'_>, control: Control) -> ApiResult<Value> {
    let Call { game, info, view, viewer, body, owner } = call;
    let (reply, answer) = oneshot::channel();
    let _stop = StopOnDrop(control.clone());
    let (game, service, working) = (Arc::clone(game), info.name, control.clone());
    let work = move || {
        let call = || {
            let request = ServiceRequest { name: service, body, view: view.as_ref(), viewer, seed: ids::random_u64() };
            game.call(request, &working)
        };
        let answer = catch_unwind(AssertUnwindSafe(call))
            .unwrap_or_else(|_| Err(ServiceError::Unavailable(format!("{service} failed on this request"))));
        let _ = reply.send(answer);
    };
    let busy = || ApiError::busy("limits.services", "too many requests of this kind are running: try again");
    let begun = Instant::now();
    match info.cost {
        Cost::Light => {
            let permit = Arc::clone(&http.light).try_acquire_owned().map_err(|_| busy())?;
            tokio::task::spawn_blocking(move || {
                work();
                drop(permit);
            });
        }
        Cost::Heavy => {
            let task = PoolTask { class: TaskClass::Service, owner, control: control.clone(), work: Box::new(work) };
            http.app.pool.submit(task).map_err(|_| busy())?;
        }
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
