//! The conformance kit that every game passes: random play, replay, undo, non-interference of views, notation, golden
//! playthroughs.
//!
//! A game's test calls [`check`] with a few setups, and [`golden::assert_file`] with a playthrough per setup.
//! All checks panic with a message that names the game, the seed and the ply.

pub mod golden;
mod playthrough;
pub mod secrets;
#[cfg(test)]
mod tests;

pub use playthrough::playthrough;

use crate::{Event, Game, GameRng, Seat, SeatSet, Seed, Setup, Table, TableError, Viewer};
use rand::SeedableRng;

/// How thoroughly the kit tests.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games per settings.
    pub games: u64,
    /// Maximum length of a random game in actions. Longer games are cut off.
    pub max_plies: u32,
    /// The expensive checks (replay, indistinguishable states, notation) run every so many plies.
    pub stride: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Self { games: 8, max_plies: 400, stride: 7 }
    }
}

/// Runs the whole kit for one game with the given settings.
pub fn check<G: Game>(game: &G, settings: &[G::Settings], effort: Effort) {
    check_facts(game);
    let mut compared = 0;
    for settings in settings {
        for number in 0..effort.games {
            compared += random_game(game, settings, 0x5eed + number, effort);
        }
    }
    assert!(
        compared > 0 || !game.info().hidden,
        "{}: the game has hidden information but indistinguishable_states returns nothing",
        game.info().id
    );
}

/// Facts, levels and services are complete and unique.
fn check_facts<G: Game>(game: &G) {
    let info = game.info();
    let levels = game.levels();
    assert!(levels.len() >= 6, "{}: {} levels, at least six are required", info.id, levels.len());
    for level in &levels {
        assert!(game.bot(&level.id).is_some(), "{}: level {} has no player", info.id, level.id);
    }
    assert!(
        levels.iter().any(|level| level.id == game.default_level()),
        "{}: default level {} is not listed",
        info.id,
        game.default_level()
    );
    assert!(game.bot("no such level").is_none(), "{}: answers to a level that does not exist", info.id);
    let services = game.services();
    for (index, service) in services.iter().enumerate() {
        assert!(
            services[..index].iter().all(|other| other.name != service.name),
            "{}: two services are called {}",
            info.id,
            service.name
        );
    }
}

/// Starts a table with the smallest (even seeds) or largest (odd seeds) number of seats that the settings allow.
pub fn start<G: Game>(game: &G, settings: &G::Settings, seed: u64) -> Table<G> {
    let info = game.info();
    let plan = game.seats(settings).unwrap_or_else(|error| panic!("{}: settings refused: {error}", info.id));
    let seats = if seed.is_multiple_of(2) { plan.min } else { plan.max };
    let setup = Setup { rules_version: info.rules_version, settings: settings.clone(), seats, seed: Seed(seed) };
    Table::new(game, setup).unwrap_or_else(|error| panic!("{}: no start with seed {seed}: {error}", info.id))
}

/// Plays one random game with all checks. Returns the number of pairs of indistinguishable states that were compared.
fn random_game<G: Game>(game: &G, settings: &G::Settings, seed: u64, effort: Effort) -> usize {
    let info = game.info();
    let mut rng = GameRng::seed_from_u64(seed ^ 0xc0f0_12a1);
    let mut table = start(game, settings, seed);
    let seats = usize::from(table.setup().seats);
    let mut compared = 0;
    while !table.is_over(game) && table.ply() < effort.max_plies {
        let ply = table.ply();
        let place = format!("{} seed {seed} ply {ply}", info.id);
        let acting = table.to_act(game);
        assert!(!acting.is_empty(), "{place}: the game is not over but nobody may act");
        check_turn_order(game, &table, acting, seats, &place);
        if ply.is_multiple_of(effort.stride) {
            compared += check_views(game, &table, &mut rng, seats, &place);
            check_replay(game, &table, seats, &place);
        }
        let seat = pick(acting, &mut rng);
        let action = game
            .random_action(table.state(), seat, &mut rng)
            .unwrap_or_else(|| panic!("{place}: {seat} may act but has no action"));
        check_notation(game, &table, seat, &action, &place);
        let before = table.state().clone();
        table
            .apply(game, &Event::Action { seat, action: action.clone() })
            .unwrap_or_else(|error| panic!("{place}: {seat} was offered {action:?} but it was refused: {error}"));
        assert!(before != *table.state(), "{place}: {action:?} changed nothing");
    }
    let place = format!("{} seed {seed} at the end", info.id);
    compared += check_views(game, &table, &mut rng, seats, &place);
    check_replay(game, &table, seats, &place);
    check_undo(game, &table, seats, &place);
    compared
}

fn pick(acting: SeatSet, rng: &mut GameRng) -> Seat {
    let index = rand::RngExt::random_range(rng, 0..acting.len());
    acting.iter().nth(index).expect("the index is below the length")
}

/// Actions of seats that may not act are refused.
fn check_turn_order<G: Game>(game: &G, table: &Table<G>, acting: SeatSet, seats: usize, place: &str) {
    let first = acting.iter().next().expect("somebody may act");
    let Some(action) = game.legal_actions(table.state(), first).and_then(|mut all| all.pop()) else { return };
    for seat in Seat::all(seats).filter(|&seat| !acting.contains(seat)) {
        let refused = table.clone().apply(game, &Event::Action { seat, action: action.clone() });
        assert_eq!(refused, Err(TableError::NotToAct(seat)), "{place}: {seat} acted out of turn");
    }
}

/// Checks that states which differ only in what a viewer may not know look the same to it, byte for byte.
fn check_views<G: Game>(game: &G, table: &Table<G>, rng: &mut GameRng, seats: usize, place: &str) -> usize {
    let mut compared = 0;
    for viewer in Viewer::all(seats) {
        let seen = bytes(game, table.state(), viewer);
        for (index, alternative) in game.indistinguishable_states(table.state(), viewer, rng).iter().enumerate() {
            assert!(
                seen == bytes(game, alternative, viewer),
                "{place}: {viewer:?} can tell alternative {index} from the truth"
            );
            compared += 1;
        }
    }
    compared
}

/// Everything a viewer receives, as bytes.
fn bytes<G: Game>(game: &G, state: &G::State, viewer: Viewer) -> Vec<u8> {
    let everything =
        (game.view(state, viewer), game.history(state, viewer), game.outcome(state), render_text(game, state, viewer));
    serde_json::to_vec(&everything).expect("views can be written")
}

fn render_text<G: Game>(game: &G, state: &G::State, viewer: Viewer) -> String {
    game.render_text(&game.view(state, viewer))
}

/// Checks that replaying the actions gives the same state.
fn check_replay<G: Game>(game: &G, table: &Table<G>, seats: usize, place: &str) {
    let events: Vec<_> = table.actions().map(|(seat, action)| Event::Action { seat, action: action.clone() }).collect();
    let written = serde_json::to_string(&events).expect("events can be written");
    let read: Vec<Event<G::Action>> = serde_json::from_str(&written).expect("events can be read");
    assert!(read == events, "{place}: actions change when written and read");
    let again = Table::replay(game, table.setup().clone(), &read)
        .unwrap_or_else(|error| panic!("{place}: does not replay: {error}"));
    assert!(again.state() == table.state(), "{place}: replay gives another state");
    for viewer in Viewer::all(seats) {
        assert!(again.view(game, viewer) == table.view(game, viewer), "{place}: replay gives {viewer:?} another view");
    }
}

/// Checks that an undo restores the earlier state.
fn check_undo<G: Game>(game: &G, table: &Table<G>, seats: usize, place: &str) {
    let undo = Event::Undo { keep: table.ply() / 2 };
    let mut back = table.clone();
    if !game.info().undo {
        assert_eq!(back.apply(game, &undo), Err(TableError::NoUndo), "{place}: undo is not offered but was done");
        return;
    }
    back.apply(game, &undo).unwrap_or_else(|error| panic!("{place}: undo refused: {error}"));
    let earlier = table.state_at(game, table.ply() / 2).expect("an earlier ply exists");
    assert!(*back.state() == earlier, "{place}: undo gives another state");
    for viewer in Viewer::all(seats) {
        assert!(back.view(game, viewer) == game.view(&earlier, viewer), "{place}: undo gives another view");
    }
}

/// Checks that an action survives its notation.
fn check_notation<G: Game>(game: &G, table: &Table<G>, seat: Seat, action: &G::Action, place: &str) {
    let text = game.write_action(table.state(), seat, action);
    match game.read_action(table.state(), seat, &text) {
        Ok(read) => assert!(read == *action, "{place}: {text} was {action:?} and reads as {read:?}"),
        Err(error) => panic!("{place}: {action:?} is written {text} but cannot be read: {error}"),
    }
}
