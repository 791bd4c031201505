//! Answers of services that will probably be asked for, made in idle time.

use crate::ahead::Key;
use crate::house::House;
use catalog::{ErasedGame, ServiceInfo, ServiceRequest};
use game::{Control, Needs, Viewer};
use serde_json::Value;
use std::sync::Arc;

/// The longest request that is answered ahead, in bytes: answers are kept, and they may repeat what was asked.
const LONGEST: usize = 16 << 10;

/// Whether some other service leads to this one.
pub fn awaited(game: &dyn ErasedGame, service: &ServiceInfo) -> bool {
    game.services().iter().any(|before| before.next.is_some_and(|next| next.service == service.name))
}

/// The key of a request whose answer may be made ahead. It holds the whole request: who does not know that does not
/// come upon the answer.
pub fn key(game: &dyn ErasedGame, service: &str, request: &Value) -> Option<Key> {
    let request = request.to_string();
    (request.len() <= LONGEST).then(|| Key::of(&[game.info().id, service, &request]))
}

/// Has the request that probably follows an answer answered in idle time.
pub fn foresee(house: &Arc<House>, game: &Arc<dyn ErasedGame>, service: &ServiceInfo, answer: &Value) {
    let Some(next) = service.next else { return };
    let known = game.services().iter().any(|info| info.name == next.service && info.needs == Needs::Nothing);
    let body = (next.request)(answer);
    let Some(key) = key(&**game, next.service, &body).filter(|_| known) else { return };
    let game = Arc::clone(game);
    house.answers.make(&house.pool, key, move || {
        let request = ServiceRequest { name: next.service, body, view: None, viewer: Viewer::Spectator, seed: 0 };
        game.call(request, &Control::new()).ok()
    });
}
