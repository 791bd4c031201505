//! Whole games between two teams of computers.

use crate::table::{Codenames, Mode, Settings};
use game::{Budget, Control, Ending, Event, Game, Seat, SeatResult, Seed, Setup, Table, Viewer};
use serde::Serialize;

/// One finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// Whether the first level's side won; in Duet whether both did.
    pub won: bool,
    /// Clues given by everybody.
    pub clues: usize,
    /// The rules' name for the end.
    pub reason: String,
}

/// Many games; the levels change colours from game to game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SelfPlayReport {
    pub games: usize,
    /// Games won by the first level (in Duet by both together).
    pub wins: usize,
    pub share: f64,
    /// Wilson's 95 % interval of `share`.
    pub interval95: [f64; 2],
    pub mean_clues: f64,
    /// Share of the games that an assassin ended.
    pub assassin_rate: f64,
}

/// Plays one game; `levels` are those of red and blue, in Duet of the two partners.
pub fn play_game(game: &Codenames, settings: &Settings, levels: [&str; 2], seed: u64) -> Result<SelfPlayGame, String> {
    let plan = game.seats(settings).map_err(|e| e.to_string())?;
    let version = game.info().rules_version;
    let setup = Setup { rules_version: version, settings: settings.clone(), seats: plan.max, seed: Seed(seed) };
    let mut table = Table::new(game, setup).map_err(|e| e.to_string())?;
    let mut bots = Vec::new();
    for level in levels {
        bots.push(game.bot(level).ok_or_else(|| format!("there is no level called {level:?}"))?);
    }
    let duet = settings.mode == Mode::Duet;
    let side = |seat: Seat| if duet { seat.index() } else { usize::from(plan.teams[seat.index()]) };
    let mut clues = 0;
    while let Some(seat) = table.to_act(game).iter().next() {
        let view = table.view(game, Viewer::Seat(seat));
        clues += usize::from(view.phase == crate::table::PhaseView::Clue);
        let choice = bots[side(seat)].choose(game, seat, &view, Budget::Nodes(1), seed, &Control::new());
        let action = choice.map_err(|e| e.to_string())?.action;
        table.apply(game, &Event::Action { seat, action }).map_err(|e| e.to_string())?;
    }
    match table.ending(game) {
        Some(Ending::Outcome(outcome)) => {
            Ok(SelfPlayGame { won: outcome.results.first() == Some(&SeatResult::Won), clues, reason: outcome.reason })
        }
        _ => Err("the game ended without a result".to_owned()),
    }
}

/// Plays games between two levels, colours changing, and sums them up.
pub fn selfplay(
    game: &Codenames,
    settings: &Settings,
    levels: [&str; 2],
    seeds: impl Iterator<Item = u64>,
    mut heard: impl FnMut(u64, &SelfPlayGame),
) -> Result<SelfPlayReport, String> {
    let (mut games, mut wins, mut clues, mut assassins) = (0usize, 0usize, 0usize, 0usize);
    for seed in seeds {
        let swapped = settings.mode == Mode::Classic && games % 2 == 1;
        let sides = if swapped { [levels[1], levels[0]] } else { levels };
        let mut played = play_game(game, settings, sides, seed)?;
        played.won ^= swapped;
        heard(seed, &played);
        games += 1;
        wins += usize::from(played.won);
        clues += played.clues;
        assassins += usize::from(played.reason.contains("assassin"));
    }
    let n = games.max(1) as f64;
    let share = wins as f64 / n;
    Ok(SelfPlayReport {
        games,
        wins,
        share,
        interval95: numerics::wilson_interval(share, n, 0.95),
        mean_clues: clues as f64 / n,
        assassin_rate: assassins as f64 / n,
    })
}
