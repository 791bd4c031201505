//! [`game::Game`] for Gomoku: rules version, seats, actions, views, levels and services.

use game::{
    Bot, Game, GameInfo, HistoryEntry, Level, Outcome, RuleError, Seat, SeatPlan, SeatSet, Service, Setup, Viewer,
};

use super::render_text::render_text;
use super::{Action, Opening, Phase, Settings, State, View, bots};
use crate::players;
use crate::rules::Status;

/// Version of the rules; a stored game replays under the version that it names.
pub const RULES_VERSION: u32 = 1;

/// The game, with the trained nets that its players use.
#[derive(Clone, Default)]
pub struct Gomoku {
    pub(crate) nets: players::Nets,
}

impl Gomoku {
    /// A game without trained nets: every level plays with the pattern evaluation.
    pub fn new() -> Self {
        Self::default()
    }

    /// A game whose strongest players evaluate positions with `nets`.
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
        render_text(view)
    }

    fn levels(&self) -> Vec<Level> {
        players::levels()
    }

    fn default_level(&self) -> &'static str {
        players::DEFAULT_LEVEL
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        bots::bot(level, &self.nets)
    }

    fn services(&self) -> Vec<Service<Self>> {
        crate::services::all()
    }
}
