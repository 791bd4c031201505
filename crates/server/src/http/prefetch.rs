//! Service requests that are likely to follow an answer, answered in idle time.

use crate::app_state::AppState;
use crate::prefetch_cache::PrefetchKey;
use catalog::{ErasedGame, ServiceInfo, ServiceRequest};
use game::{Control, Needs, Viewer};
use serde_json::Value;
use std::sync::Arc;

/// The longest request that is prefetched, in bytes: answers stay in memory, and they may repeat the request.
const LONGEST: usize = 16 << 10;

/// Whether the answers of another service are likely to be followed by this one.
pub fn is_follow_up(game: &dyn ErasedGame, service: &ServiceInfo) -> bool {
    game.services().iter().any(|before| before.next.is_some_and(|next| next.service == service.name))
}

/// The key of a request whose answer may be prefetched. It covers the whole request: a caller that does not know the
/// request does not find the answer.
pub fn key(game: &dyn ErasedGame, service: &str, request: &Value) -> Option<PrefetchKey> {
    let request = request.to_string();
    (request.len() <= LONGEST).then(|| PrefetchKey::of(&[game.info().id, service, &request]))
}

/// Prefetches the request that is likely to follow an answer.
pub fn prefetch(app: &Arc<AppState>, game: &Arc<dyn ErasedGame>, service: &ServiceInfo, answer: &Value) {
    let Some(next) = service.next else { return };
    let known = game.services().iter().any(|info| info.name == next.service && info.needs == Needs::Nothing);
    let body = (next.request)(answer);
    let Some(key) = key(&**game, next.service, &body).filter(|_| known) else { return };
    let game = Arc::clone(game);
    app.answers.compute(&app.pool, key, move || {
        let request = ServiceRequest { name: next.service, body, view: None, viewer: Viewer::Spectator, seed: 0 };
        game.call(request, &Control::new()).ok()
    });
}
