//! The kit tried on a tiny game with hidden coins, and on broken variants of it that it must catch.

use super::{Effort, check};
use crate::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Two seats hide a coin each and take turns to call the other's coin or pass; three calls end it.
#[derive(Default)]
struct Coins {
    leaks: bool,
    forgets: bool,
}

#[derive(Clone, PartialEq)]
struct State {
    coins: [bool; 2],
    calls: Vec<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
struct Settings {}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
struct View {
    mine: Option<bool>,
    calls: Vec<bool>,
    slip: Option<bool>,
}

struct Caller;

impl Bot<Coins> for Caller {
    fn choose(
        &mut self,
        _: &Coins,
        _: Seat,
        view: &View,
        _: Budget,
        _: u64,
        _: &Control,
    ) -> Result<Choice<bool>, BotError> {
        Ok(Choice { action: view.mine.unwrap_or(false), thought: Thought::default() })
    }
}

impl Game for Coins {
    type Settings = Settings;
    type State = State;
    type Action = bool;
    type View = View;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "coins",
            rules_version: 1,
            min_seats: 2,
            max_seats: 2,
            hidden: true,
            chance: true,
            simultaneous: false,
            turns: true,
            undo: true,
            join_during_play: false,
        }
    }

    fn seats(&self, _: &Settings) -> Result<SeatPlan, RuleError> {
        Ok(SeatPlan { min: 2, max: 2, teams: Vec::new(), names: vec!["first".into(), "second".into()] })
    }

    fn start(&self, setup: &Setup<Settings>) -> Result<State, RuleError> {
        use rand::RngExt;
        let mut rng = setup.seed.rng(0);
        Ok(State { coins: [rng.random(), rng.random()], calls: Vec::new() })
    }

    fn to_act(&self, state: &State) -> SeatSet {
        if state.calls.len() == 3 { SeatSet::NONE } else { SeatSet::only(Seat((state.calls.len() % 2) as u8)) }
    }

    fn legal_actions(&self, _: &State, _: Seat) -> Option<Vec<bool>> {
        Some(vec![false, true])
    }

    fn apply(&self, state: &mut State, _: Seat, action: &bool) -> Result<(), RuleError> {
        state.calls.push(*action && !self.forgets);
        Ok(())
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View {
            mine: viewer.seat().map(|seat| state.coins[seat.index()]),
            calls: state.calls.clone(),
            slip: self.leaks.then_some(state.coins[1]),
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.calls.len() == 3).then(|| Outcome::draw(2, "three_calls"))
    }

    fn history(&self, state: &State, _: Viewer) -> Vec<HistoryEntry> {
        let entry = |(index, call): (usize, &bool)| HistoryEntry {
            ply: index as u32 + 1,
            seat: Seat((index % 2) as u8),
            text: call.to_string(),
        };
        state.calls.iter().enumerate().map(entry).collect()
    }

    fn write_action(&self, _: &State, _: Seat, action: &bool) -> String {
        (*action && !self.forgets).to_string()
    }

    fn read_action(&self, _: &State, _: Seat, text: &str) -> Result<bool, RuleError> {
        text.parse().map_err(|_| RuleError::new("coins.call", format!("{text} is not true or false")))
    }

    fn render_text(&self, view: &View) -> String {
        format!("{view:?}")
    }

    fn indistinguishable_states(&self, state: &State, viewer: Viewer, _: &mut GameRng) -> Vec<State> {
        let hidden = Seat::all(2).filter(|&seat| viewer != Viewer::Seat(seat));
        let flip = |seat: Seat| {
            let mut twin = state.clone();
            twin.coins[seat.index()] ^= true;
            twin
        };
        hidden.map(flip).collect()
    }

    fn levels(&self) -> Vec<Level> {
        let level = |number: u32| Level {
            id: format!("l{number}"),
            name: format!("Level {number}"),
            description: String::new(),
            budget: Budget::Nodes(1),
        };
        (0..6).map(level).collect()
    }

    fn default_level(&self) -> &'static str {
        "l0"
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        level.starts_with('l').then(|| Box::new(Caller) as Box<dyn Bot<Self>>)
    }
}

#[test]
fn an_honest_game_passes() {
    check(&Coins::default(), &[Settings {}], Effort::default());
}

#[test]
#[should_panic(expected = "can tell alternative")]
fn a_leak_is_caught() {
    check(&Coins { leaks: true, forgets: false }, &[Settings {}], Effort { stride: 1, ..Effort::default() });
}

#[test]
#[should_panic(expected = "reads as")]
fn broken_notation_is_caught() {
    check(&Coins { leaks: false, forgets: true }, &[Settings {}], Effort::default());
}

#[test]
fn events_are_refused_with_a_reason_and_change_nothing() {
    let game = Coins::default();
    let mut table = super::start(&game, &Settings {}, 4);
    let out_of_turn = Event::Action { seat: Seat(1), action: true };
    assert_eq!(table.apply(&game, &out_of_turn), Err(TableError::NotToAct(Seat(1))));
    assert_eq!(table.apply(&game, &Event::Undo { keep: 1 }), Err(TableError::UndoTooFar { keep: 1, have: 0 }));
    assert_eq!(table.apply(&game, &Event::Resign { seat: Seat(7) }), Err(TableError::NoSuchSeat(Seat(7))));
    assert_eq!(table.ply(), 0);
    table.apply(&game, &Event::Resign { seat: Seat(0) }).expect("one may resign");
    assert_eq!(table.apply(&game, &Event::Action { seat: Seat(0), action: true }), Err(TableError::Over));
    let Some(Ending::Outcome(outcome)) = table.ending(&game) else { panic!("resignation ends the game") };
    assert_eq!(outcome.results, [SeatResult::Lost, SeatResult::Won]);
}

#[test]
fn undo_reopens_a_finished_game() {
    let game = Coins::default();
    let mut table = super::start(&game, &Settings {}, 4);
    for ply in 0..3 {
        table.apply(&game, &Event::Action { seat: Seat(ply % 2), action: true }).expect("legal");
    }
    assert!(table.is_over(&game));
    table.apply(&game, &Event::Undo { keep: 2 }).expect("undo is offered");
    assert_eq!(table.to_act(&game), SeatSet::only(Seat(0)));
    assert_eq!(table.state_at(&game, 1).expect("ply 1 exists").calls, [true]);
}
