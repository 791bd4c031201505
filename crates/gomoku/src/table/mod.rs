//! Gomoku as a game of the house: settings, state, actions, views, players and services behind [`game::Game`].

mod action;
mod draw;
mod settings;
mod state;
mod view;

pub use action::Action;
pub use settings::{Opening, Settings};
pub use state::{Phase, State};
pub use view::{ForbiddenSpot, Spot, StoneView, View};

use game::{
    Bot, Game, GameInfo, HistoryEntry, Level, Outcome, RuleError, Seat, SeatPlan, SeatSet, Service, Setup, Viewer,
};

use crate::players;
use crate::rules::Status;

/// The rules' current version.
pub const RULES_VERSION: u32 = 1;

/// The game: what it owns is what its players need.
#[derive(Clone, Default)]
pub struct Gomoku {
    pub(crate) nets: players::Nets,
}

impl Gomoku {
    /// The game without trained nets: all levels play, by patterns.
    pub fn new() -> Self {
        Self::default()
    }

    /// The game with the nets that its strongest players judge by.
    pub const fn with_nets(nets: players::Nets) -> Self {
        Self { nets }
    }
}

impl Game for Gomoku {
    type Settings = Settings;
    type State = State;
    type Action = Action;
    type View = View;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "gomoku",
            rules_version: RULES_VERSION,
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

    fn seats(&self, settings: &Settings) -> Result<SeatPlan, RuleError> {
        settings.start()?;
        let names = match settings.opening {
            Opening::Free => ["black", "white"],
            Opening::Swap2 => ["first", "second"],
        };
        Ok(SeatPlan { min: 2, max: 2, teams: Vec::new(), names: names.map(str::to_owned).to_vec() })
    }

    fn start(&self, setup: &Setup<Settings>) -> Result<State, RuleError> {
        if setup.rules_version != RULES_VERSION {
            let message = format!("rules version {} is not known; this is {RULES_VERSION}", setup.rules_version);
            return Err(RuleError::new("gomoku.rules_version", message));
        }
        if setup.seats != 2 {
            return Err(RuleError::new("gomoku.seats", format!("{} seats do not fit: two play", setup.seats)));
        }
        State::start(&setup.settings)
    }

    fn to_act(&self, state: &State) -> SeatSet {
        state.acting().map_or(SeatSet::NONE, SeatSet::only)
    }

    fn legal_actions(&self, state: &State, seat: Seat) -> Option<Vec<Action>> {
        Some(if state.acting() == Some(seat) { state.legal_actions() } else { Vec::new() })
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action) -> Result<(), RuleError> {
        state.apply(seat, *action)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::new(state, viewer)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        match (state.phase(), state.position().status()) {
            (Phase::Play, Status::Won { by, .. }) => Some(Outcome::won_by(state.seat_of(*by), 2, "five_in_a_row")),
            (Phase::Play, Status::Drawn) => Some(Outcome::draw(2, "board_full")),
            _ => None,
        }
    }

    fn history(&self, state: &State, _: Viewer) -> Vec<HistoryEntry> {
        let size = state.position().size();
        (1..)
            .zip(state.log())
            .map(|(ply, &(seat, action))| HistoryEntry { ply, seat, text: action.write(size) })
            .collect()
    }

    fn write_action(&self, state: &State, _: Seat, action: &Action) -> String {
        action.write(state.position().size())
    }

    fn read_action(&self, state: &State, _: Seat, text: &str) -> Result<Action, RuleError> {
        Action::read(text, state.position().size())
            .map_err(|error| RuleError::new("gomoku.notation", error.to_string()))
    }

    fn render_text(&self, view: &View) -> String {
        draw::draw(view)
    }

    fn levels(&self) -> Vec<Level> {
        players::levels()
    }

    fn default_level(&self) -> &'static str {
        players::DEFAULT_LEVEL
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        players::bot(level, &self.nets)
    }

    fn services(&self) -> Vec<Service<Self>> {
        crate::services::all()
    }
}
