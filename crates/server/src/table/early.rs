//! First decisions of bots, made while the table still waits for players.

use super::bots::{bot_seed, level_budget};
use super::room::{Room, Sitter};
use crate::ahead::Key;
use crate::house::House;
use crate::record::Who;
use game::{Budget, Control, Seat, SeatSet, Setup, Viewer};
use serde_json::json;
use std::sync::Arc;

/// Whether a table waits with bots whose first decisions can be made ahead.
pub fn foresees(room: &Room) -> bool {
    room.table.is_none()
        && room.game.prefetches_first_move()
        && !room.game.info().join_during_play
        && room.bots() != SeatSet::NONE
}

/// Has the first decisions of the bots at a waiting table made in idle time. Empty seats are taken to become people's.
pub fn foresee(house: &Arc<House>, room: &Room) {
    if !foresees(room) {
        return;
    }
    for seat in room.bots().iter() {
        let Some(Sitter { who: Who::Bot { level }, .. }) = room.sitter(seat) else { continue };
        let budget = level_budget(room, level);
        if !matches!(budget, Budget::Nodes(_)) {
            continue;
        }
        let people = room.people_or_nobody_beside(seat);
        let setup = Setup {
            rules_version: room.rules_version,
            settings: room.settings.clone(),
            seats: room.terms.size,
            seed: room.seed,
        };
        let (game, level, seed) = (Arc::clone(&room.game), level.clone(), bot_seed(room, seat));
        house.decisions.make(&house.pool, key(room, seat, &level, people), move || {
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

/// The decision that was made ahead for a bot that is to act, if it is the first of the game.
pub fn foreseen(house: &House, room: &Room, seat: Seat, level: &str, people: SeatSet) -> Option<catalog::BotDecision> {
    let fits =
        room.ply() == 0 && room.game.prefetches_first_move() && matches!(level_budget(room, level), Budget::Nodes(_));
    if !fits {
        return None;
    }
    house.decisions.get(&key(room, seat, level, people))
}

/// Everything the first decision follows from: what the bot sees is made from settings and seed, which nobody else is
/// told.
fn key(room: &Room, seat: Seat, level: &str, people: SeatSet) -> Key {
    let people: Vec<Seat> = people.iter().collect();
    let what = json!([room.game.info().id, room.rules_version, room.terms.size, room.seed.0, seat, level, people]);
    Key::of(&[&what.to_string(), &room.settings.to_string()])
}
