//! Noughts and crosses: no chance, nothing hidden. From rules version 2 on the first cross must not take the centre.

use super::level;
use game::{
    Bot, BotError, Budget, Choice, Control, Cost, Game, GameInfo, HistoryEntry, Level, Needs, Outcome, Progress,
    RuleError, Seat, SeatPlan, SeatSet, Service, ServiceCall, ServiceError, Setup, Thought, Viewer,
};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The game; `newest` is the newest rules version this "program" knows.
pub struct Noughts {
    pub newest: u32,
}

/// Whether a line of three loses instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoughtsSettings {
    #[serde(default)]
    pub misere: bool,
}

#[derive(Clone, PartialEq)]
pub struct NoughtsState {
    rules_version: u32,
    misere: bool,
    cells: [Option<u8>; 9],
    played: Vec<u8>,
}

/// A cell, 0 to 8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoughtsAction {
    pub cell: u8,
}

/// The board and the cells in order of play.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct NoughtsView {
    pub cells: Vec<Option<u8>>,
    pub played: Vec<u8>,
}

/// How long to work.
#[derive(Deserialize, ToSchema)]
pub struct WorkRequest {
    pub ms: u64,
}

/// How long it took.
#[derive(Serialize, ToSchema)]
pub struct WorkAnswer {
    pub stopped: bool,
}

/// Nothing to say.
#[derive(Deserialize, ToSchema)]
pub struct NoughtsHintRequest {}

/// A free cell.
#[derive(Serialize, ToSchema)]
pub struct NoughtsHintAnswer {
    pub cell: Option<u8>,
}

/// Asks for the game in a form of its own.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NoughtsExportRequest {
    format: String,
}

/// The cells in the order in which they were played.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoughtsExportAnswer {
    played: Vec<u8>,
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn winner(state: &NoughtsState) -> Option<u8> {
    LINES.iter().find_map(|line| {
        let first = state.cells[line[0]]?;
        line.iter().all(|&cell| state.cells[cell] == Some(first)).then_some(first)
    })
}

struct Player {
    slow: bool,
}

impl Bot<Noughts> for Player {
    fn choose(
        &mut self,
        _: &Noughts,
        _: Seat,
        view: &NoughtsView,
        _: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<Choice<NoughtsAction>, BotError> {
        let begun = Instant::now();
        while self.slow && !control.stopped() && begun.elapsed() < Duration::from_secs(20) {
            control.report(Progress { done: 0.5, note: "thinking".into(), detail: serde_json::Value::Null });
            std::thread::sleep(Duration::from_millis(5));
        }
        let free: Vec<u8> = (0..9).filter(|&cell| view.cells[usize::from(cell)].is_none()).collect();
        let open: Vec<u8> = free.iter().copied().filter(|&cell| cell != 4 || !view.played.is_empty()).collect();
        let cell = open.get(seed as usize % open.len().max(1)).copied().ok_or(BotError::NotToAct(Seat(0)))?;
        Ok(Choice {
            action: NoughtsAction { cell },
            thought: Thought { note: format!("cell {cell}"), win_probability: Some(0.5), ..Thought::default() },
        })
    }
}

impl Game for Noughts {
    type Settings = NoughtsSettings;
    type State = NoughtsState;
    type Action = NoughtsAction;
    type View = NoughtsView;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "noughts",
            rules_version: self.newest,
            min_seats: 2,
            max_seats: 2,
            hidden: false,
            chance: false,
            simultaneous: false,
            turns: true,
            undo: true,
            join_during_play: false,
        }
    }

    fn seats(&self, _: &NoughtsSettings) -> Result<SeatPlan, RuleError> {
        Ok(SeatPlan { min: 2, max: 2, teams: Vec::new(), names: vec!["cross".into(), "nought".into()] })
    }

    fn start(&self, setup: &Setup<NoughtsSettings>) -> Result<NoughtsState, RuleError> {
        if setup.rules_version == 0 || setup.rules_version > self.newest {
            return Err(RuleError::new(
                "game.rules_version",
                format!("rules version {} is not known: the newest is {}", setup.rules_version, self.newest),
            ));
        }
        Ok(NoughtsState {
            rules_version: setup.rules_version,
            misere: setup.settings.misere,
            cells: [None; 9],
            played: Vec::new(),
        })
    }

    fn to_act(&self, state: &NoughtsState) -> SeatSet {
        match self.outcome(state) {
            Some(_) => SeatSet::NONE,
            None => SeatSet::only(Seat((state.played.len() % 2) as u8)),
        }
    }

    fn legal_actions(&self, state: &NoughtsState, _: Seat) -> Option<Vec<NoughtsAction>> {
        let legal = |cell: &u8| {
            state.cells[usize::from(*cell)].is_none()
                && !(*cell == 4 && state.played.is_empty() && state.rules_version >= 2)
        };
        Some((0..9).filter(legal).map(|cell| NoughtsAction { cell }).collect())
    }

    fn apply(&self, state: &mut NoughtsState, seat: Seat, action: &NoughtsAction) -> Result<(), RuleError> {
        let cell = usize::from(action.cell);
        match state.cells.get(cell) {
            None => return Err(RuleError::new("noughts.cell", format!("there is no cell {cell}: cells are 0 to 8"))),
            Some(Some(_)) => return Err(RuleError::new("noughts.occupied", format!("cell {cell} is taken"))),
            Some(None) => {}
        }
        if state.rules_version >= 2 && cell == 4 && state.played.is_empty() {
            return Err(RuleError::new("noughts.centre", "the first cross must not take the centre"));
        }
        state.cells[cell] = Some(seat.0);
        state.played.push(action.cell);
        Ok(())
    }

    fn view(&self, state: &NoughtsState, _: Viewer) -> NoughtsView {
        NoughtsView { cells: state.cells.to_vec(), played: state.played.clone() }
    }

    fn outcome(&self, state: &NoughtsState) -> Option<Outcome> {
        if let Some(seat) = winner(state) {
            let winner = if state.misere { 1 - seat } else { seat };
            return Some(Outcome::won_by(Seat(winner), 2, "three_in_a_row"));
        }
        (state.played.len() == 9).then(|| Outcome::draw(2, "full"))
    }

    fn history(&self, state: &NoughtsState, _: Viewer) -> Vec<HistoryEntry> {
        let entry = |(index, cell): (usize, &u8)| HistoryEntry {
            ply: index as u32 + 1,
            seat: Seat((index % 2) as u8),
            text: cell.to_string(),
        };
        state.played.iter().enumerate().map(entry).collect()
    }

    fn write_action(&self, _: &NoughtsState, _: Seat, action: &NoughtsAction) -> String {
        action.cell.to_string()
    }

    fn read_action(&self, _: &NoughtsState, _: Seat, text: &str) -> Result<NoughtsAction, RuleError> {
        let cell = text.trim().parse().map_err(|_| RuleError::new("noughts.text", format!("{text} is not a cell")))?;
        Ok(NoughtsAction { cell })
    }

    fn render_text(&self, view: &NoughtsView) -> String {
        let sign = |cell: &Option<u8>| match cell {
            None => '.',
            Some(0) => 'x',
            Some(_) => 'o',
        };
        view.cells.chunks(3).map(|row| row.iter().map(sign).collect::<String>() + "\n").collect()
    }

    fn levels(&self) -> Vec<Level> {
        ["first", "second", "third", "fourth", "fifth", "slow"].map(level).into()
    }

    fn default_level(&self) -> &'static str {
        "first"
    }

    fn bot(&self, id: &str) -> Option<Box<dyn Bot<Self>>> {
        let level = self.levels().into_iter().find(|level| level.id == id)?;
        Some(Box::new(Player { slow: level.id == "slow" }))
    }

    fn services(&self) -> Vec<Service<Self>> {
        let hint = |_: &Self, _: NoughtsHintRequest, call: ServiceCall<'_, Self>| {
            let cells = call.view.map(|view| view.cells.clone()).unwrap_or_default();
            Ok(NoughtsHintAnswer { cell: cells.iter().position(Option::is_none).map(|cell| cell as u8) })
        };
        let work = |_: &Self, request: WorkRequest, call: ServiceCall<'_, Self>| {
            if request.ms > 60_000 {
                return Err(ServiceError::BadRequest("work: ms is at most 60000".into()));
            }
            let begun = Instant::now();
            let whole = Duration::from_millis(request.ms);
            while begun.elapsed() < whole && !call.control.stopped() {
                let done = begun.elapsed().as_secs_f64() / whole.as_secs_f64();
                call.control.report(Progress { done, note: "working".into(), detail: serde_json::Value::Null });
                std::thread::sleep(Duration::from_millis(5).min(whole));
            }
            Ok(WorkAnswer { stopped: call.control.stopped() })
        };
        let export =
            |_: &Self, request: NoughtsExportRequest, call: ServiceCall<'_, Self>| match request.format.as_str() {
                "cells" => {
                    Ok(NoughtsExportAnswer { played: call.view.map(|view| view.played.clone()).unwrap_or_default() })
                }
                other => Err(ServiceError::BadRequest(format!("format {other}: noughts are written as cells"))),
            };
        vec![
            Service::new("hint", "Names a free cell.", Cost::Light, Needs::View, serde_json::json!({}), hint),
            Service::new("work", "Works for a while.", Cost::Heavy, Needs::Nothing, serde_json::json!({"ms": 1}), work),
            Service::new(
                "ponder",
                "Works for a while about a table.",
                Cost::Heavy,
                Needs::View,
                serde_json::json!({"ms": 1}),
                work,
            ),
            Service::new(
                "export",
                "The cells in the order in which they were played.",
                Cost::Light,
                Needs::View,
                serde_json::json!({"format": "cells"}),
                export,
            ),
        ]
    }
}
