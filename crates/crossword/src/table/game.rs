//! The crossword as a [`Game`].

use super::bots::{LEVELS, Partner};
use super::hints::hint;
use super::languages::LanguageResourceCache;
use super::library::PuzzleLibrary;
use super::render_text::render_text;
use super::settings::Settings;
use super::state::State;
use super::{Action, Scope, SolvingSession, View};
use crate::formats::ipuz;
use crate::rules::{CellKind, Puzzle};
use game::{
    Bot, Budget, Game, GameInfo, GameRng, HistoryEntry, Level, Outcome, RuleError, Seat, SeatPlan, SeatResult, SeatSet,
    Service, Setup, Viewer,
};
use rand::RngExt;
use std::sync::Arc;
use std::time::Duration;

/// Version of the rules a stored game replays under.
const RULES_VERSION: u32 = 1;
/// Maximum number of seats.
const SEATS: u8 = 8;
/// Maximum length of a table's ipuz text in bytes.
pub const MAX_FILE: usize = 200_000;

/// The game with its puzzles and languages.
pub struct Crossword {
    pub(crate) library: PuzzleLibrary,
    pub(crate) languages: LanguageResourceCache,
}

impl Crossword {
    /// The game with shipped puzzles and the languages it may use.
    pub fn new(library: PuzzleLibrary, languages: LanguageResourceCache) -> Self {
        Self { library, languages }
    }

    fn puzzle(&self, settings: &Settings) -> Result<Arc<Puzzle>, RuleError> {
        let Some(text) = &settings.file else {
            let shipped = self.library.get(&settings.puzzle).ok_or_else(|| {
                let known = self.library.iter().next().map_or("none here", |first| first.id.as_str());
                let message = format!("there is no shipped puzzle {:?}; the first is {known}", settings.puzzle);
                RuleError::new("crossword.no_puzzle", message)
            })?;
            return Ok(Arc::clone(&shipped.puzzle));
        };
        if text.len() > MAX_FILE {
            let message = format!("the puzzle has {} bytes, a table takes at most {MAX_FILE}", text.len());
            return Err(RuleError::new("crossword.too_large", message));
        }
        let puzzle = ipuz::read(text).map_err(|fault| RuleError::new("crossword.file", fault.to_string()))?;
        if puzzle.entries.is_empty() {
            return Err(RuleError::new("crossword.empty", "the puzzle has no entries to solve"));
        }
        Ok(Arc::new(puzzle))
    }
}

impl Game for Crossword {
    type Settings = Settings;
    type State = State;
    type Action = Action;
    type View = View;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "crossword",
            rules_version: RULES_VERSION,
            min_seats: 1,
            max_seats: SEATS,
            hidden: true,
            chance: false,
            simultaneous: true,
            turns: false,
            undo: false,
            join_during_play: true,
        }
    }

    fn seats(&self, settings: &Settings) -> Result<SeatPlan, RuleError> {
        self.puzzle(settings)?;
        let names = (1..=SEATS).map(|number| format!("solver_{number}")).collect();
        Ok(SeatPlan { min: 1, max: SEATS, teams: vec![0; SEATS.into()], names })
    }

    /// A file may hold the solution, so the public settings omit its text.
    fn public_settings(&self, settings: &Settings) -> Settings {
        Settings { file: settings.file.as_ref().map(|_| String::new()), ..settings.clone() }
    }

    fn start(&self, setup: &Setup<Settings>) -> Result<State, RuleError> {
        if setup.rules_version != RULES_VERSION {
            let message = format!("rules version {} is not known here: use {RULES_VERSION}", setup.rules_version);
            return Err(RuleError::new("crossword.rules_version", message));
        }
        let solve = SolvingSession::new(self.puzzle(&setup.settings)?);
        Ok(State { solve, seats: SeatSet::first(setup.seats.into()), log: Vec::new() })
    }

    fn join(&self, state: &mut State, seat: Seat) -> Result<(), RuleError> {
        if state.seats.contains(seat) {
            return Err(RuleError::new("crossword.seated", format!("{seat} solves already")));
        }
        state.seats = state.seats.with(seat);
        Ok(())
    }

    fn to_act(&self, state: &State) -> SeatSet {
        if state.solve.is_over() { SeatSet::NONE } else { state.seats }
    }

    /// Any letter can be written into any cell: too many actions to list.
    fn legal_actions(&self, _state: &State, _seat: Seat) -> Option<Vec<Action>> {
        None
    }

    /// Mostly a random letter; sometimes a check or a reveal.
    fn random_action(&self, state: &State, seat: Seat, rng: &mut GameRng) -> Option<Action> {
        let puzzle = state.solve.puzzle();
        let cells = puzzle.grid.cells();
        for _ in 0..10_000 {
            let cell = rng.random_range(0..cells.len());
            let action = match rng.random_range(0..12u8) {
                0 => Action::Erase { cell },
                1 => Action::Check { scope: Scope::Letter { cell } },
                2 => Action::Check { scope: Scope::Word { entry: rng.random_range(0..puzzle.entries.len()) } },
                3 => Action::Reveal { scope: Scope::Letter { cell } },
                kind => {
                    let letters = char::from(b'A' + rng.random_range(0..26u8)).to_string();
                    Action::Write { cell, letters, pencil: kind == 4 }
                }
            };
            if state.solve.clone().apply(seat.0, &action).is_ok() {
                return Some(action);
            }
        }
        None
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action) -> Result<(), RuleError> {
        state.solve.apply(seat.0, action).map_err(|refusal| {
            let (code, message) = refusal.told();
            RuleError::new(code, message)
        })?;
        state.log.push((seat, action.clone()));
        Ok(())
    }

    fn view(&self, state: &State, _viewer: Viewer) -> View {
        let mut view = View::of(&state.solve);
        view.seats = state.seats.iter().map(|seat| seat.0).collect();
        let puzzle = state.solve.puzzle();
        let language = state.solve.hints().next().and_then(|_| self.languages.by_tag(&puzzle.meta.language).ok());
        view.hints = state
            .solve
            .hints()
            .map(|(entry, step)| {
                let answer = puzzle.answer(&puzzle.entries[entry]).unwrap_or_default();
                let known = puzzle.entries[entry].cells.iter().map(|&cell| view.cells[cell].letters.as_deref());
                hint(language.as_deref(), &puzzle.entries[entry], entry, step, &answer, &known.collect::<Vec<_>>())
            })
            .collect();
        view
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if !state.solve.is_over() {
            return None;
        }
        let (result, reason) = if state.solve.is_given_up() {
            (SeatResult::Drew, "shown")
        } else if state.solve.is_solved() {
            (SeatResult::Won, "solved")
        } else {
            (SeatResult::Won, "finished")
        };
        Some(Outcome { results: vec![result; SEATS.into()], scores: Vec::new(), reason: reason.to_owned() })
    }

    fn history(&self, state: &State, _viewer: Viewer) -> Vec<HistoryEntry> {
        let entry = |(index, (seat, action)): (usize, &(Seat, Action))| HistoryEntry {
            ply: index as u32 + 1,
            seat: *seat,
            text: action.notation(),
        };
        state.log.iter().enumerate().map(entry).collect()
    }

    fn write_action(&self, _state: &State, _seat: Seat, action: &Action) -> String {
        action.notation()
    }

    fn read_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, RuleError> {
        Action::parse(text).ok_or_else(|| {
            let message =
                format!("{text:?} should be 12=A, 12~A, 12=, check 12, check word 3, reveal grid or hint 3 nudge");
            RuleError::new("crossword.notation", message)
        })
    }

    fn render_text(&self, view: &View) -> String {
        render_text(view)
    }

    /// The same grid with another solution letter in an empty cell that no hint covers.
    fn indistinguishable_states(&self, state: &State, _viewer: Viewer, rng: &mut GameRng) -> Vec<State> {
        let puzzle = state.solve.puzzle();
        let hinted = |cell: usize| state.solve.hints().any(|(entry, _)| puzzle.entries[entry].cells.contains(&cell));
        let squares = state.solve.squares();
        let empty: Vec<usize> = (0..squares.len())
            .filter(|&cell| puzzle.grid.cell(cell).kind == CellKind::Open && squares[cell].letters.is_none())
            .filter(|&cell| puzzle.grid.cell(cell).solution.is_some() && !hinted(cell))
            .collect();
        if empty.is_empty() {
            return Vec::new();
        }
        let cell = empty[rng.random_range(0..empty.len())];
        let mut other = puzzle.clone();
        let was = other.grid.cell(cell).solution.clone();
        let letter = if was.as_deref() == Some("Q") { "Z" } else { "Q" };
        other.grid.cell_mut(cell).solution = Some(letter.to_owned());
        vec![State { solve: state.solve.with_puzzle(other), ..state.clone() }]
    }

    fn levels(&self) -> Vec<Level> {
        LEVELS
            .iter()
            .map(|level| Level {
                id: level.id.to_owned(),
                name: level.name.to_owned(),
                description: level.description.to_owned(),
                budget: Budget::Time(Duration::from_secs(4)),
            })
            .collect()
    }

    fn default_level(&self) -> &'static str {
        "companion"
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        let level = LEVELS.iter().find(|known| known.id == level)?;
        Some(Box::new(Partner::new(level)))
    }

    fn services(&self) -> Vec<Service<Self>> {
        crate::services::all()
    }
}
