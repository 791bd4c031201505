//! First decisions of bots, prefetched while the table still waits for players.

use super::bots::{bot_seed, level_budget};
use super::state::{Occupant, TableState};
use crate::app_state::AppState;
use crate::log_record::SeatPlayer;
use crate::prefetch_cache::PrefetchKey;
use game::{Budget, Control, Seat, SeatSet, Setup, Viewer};
use serde_json::json;
use std::sync::Arc;

/// Whether a table waits with bots whose first decisions can be prefetched.
pub fn should_prefetch(state: &TableState) -> bool {
    state.table.is_none()
        && state.game.prefetches_first_move()
        && !state.game.info().join_during_play
        && state.bots() != SeatSet::NONE
}

/// Prefetches the first decisions of the bots at a waiting table in idle time. Open seats are expected to be taken by
/// people.
pub fn prefetch(app: &Arc<AppState>, state: &TableState) {
    if !should_prefetch(state) {
        return;
    }
    for seat in state.bots().iter() {
        let Some(Occupant { who: SeatPlayer::Bot { level }, .. }) = state.occupant(seat) else { continue };
        let budget = level_budget(state, level);
        if !matches!(budget, Budget::Nodes(_)) {
            continue;
        }
        let people = state.possible_human_teammates(seat);
        let setup = Setup {
            rules_version: state.rules_version,
            settings: state.settings.clone(),
            seats: state.terms.size,
            seed: state.seed,
        };
        let (game, level, seed) = (Arc::clone(&state.game), level.clone(), bot_seed(state, seat));
        app.decisions.compute(&app.pool, key(state, seat, &level, people), move || {
            let table = game.open(&setup, &[]).ok()?;
            if !table.to_act().contains(seat) {
                return None;
            }
            let mut bot = game.bot(&level)?;
            bot.set_human_partners(people);
            bot.choose(seat, &table.view_for(Viewer::Seat(seat)), budget, seed, &Control::new()).ok()
        });
    }
}

/// The prefetched decision of a bot that is to act, if it is the first of the game.
pub fn prefetched(
    app: &AppState,
    state: &TableState,
    seat: Seat,
    level: &str,
    people: SeatSet,
) -> Option<catalog::BotDecision> {
    let fits = state.ply() == 0
        && state.game.prefetches_first_move()
        && matches!(level_budget(state, level), Budget::Nodes(_));
    if !fits {
        return None;
    }
    app.decisions.get(&key(state, seat, level, people))
}

/// Everything the first decision depends on: the bot's view follows from settings and seed, which leave the server
/// for nobody.
fn key(state: &TableState, seat: Seat, level: &str, people: SeatSet) -> PrefetchKey {
    let people: Vec<Seat> = people.iter().collect();
    let what = json!([state.game.info().id, state.rules_version, state.terms.size, state.seed.0, seat, level, people]);
    PrefetchKey::of(&[&what.to_string(), &state.settings.to_string()])
}
