//! Playthroughs (Lanctot et al. 2019, OpenSpiel): a game as text, with every view and legal action, for review.

use super::{pick, start};
use crate::{Event, Game, GameRng, Viewer};
use rand::SeedableRng;
use std::fmt::Write;

/// Plays a seeded random game of at most `plies` actions and returns every viewer's view of it as text.
pub fn playthrough<G: Game>(game: &G, settings: &G::Settings, seed: u64, plies: u32) -> String {
    let info = game.info();
    let mut rng = GameRng::seed_from_u64(seed);
    let mut table = start(game, settings, seed);
    let seats = usize::from(table.setup().seats);
    let mut text = String::new();
    let settings = serde_json::to_string(settings).expect("settings can be written");
    let _ = writeln!(text, "game {} rules {} seats {seats} seed {seed}", info.id, info.rules_version);
    let _ = writeln!(text, "settings {settings}");
    loop {
        let _ = writeln!(text, "\n== ply {}", table.ply());
        for viewer in Viewer::all(seats) {
            let _ = writeln!(text, "-- {viewer:?}\n{}", game.render_text(&table.view(game, viewer)).trim_end());
        }
        if table.is_over(game) || table.ply() >= plies {
            break;
        }
        let acting = table.to_act(game);
        for seat in acting.iter() {
            if let Some(actions) = game.legal_actions(table.state(), seat) {
                let shown: Vec<_> =
                    actions.iter().take(12).map(|action| game.write_action(table.state(), seat, action)).collect();
                let more = if actions.len() > shown.len() { " …" } else { "" };
                let _ = writeln!(text, "{seat} may ({}): {}{more}", actions.len(), shown.join(" "));
            }
        }
        let seat = pick(acting, &mut rng);
        let action = game.random_action(table.state(), seat, &mut rng).expect("who may act has an action");
        let _ = writeln!(text, "> {seat}: {}", game.write_action(table.state(), seat, &action));
        table.apply(game, &Event::Action { seat, action }).expect("offered actions are legal");
    }
    if let Some(outcome) = game.outcome(table.state()) {
        let _ = writeln!(text, "\noutcome {}", serde_json::to_string(&outcome).expect("outcomes can be written"));
    }
    text
}
