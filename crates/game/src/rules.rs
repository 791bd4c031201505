//! The trait every game implements.

use crate::{Bot, GameRng, Level, Outcome, RuleError, Seat, SeatResult, SeatSet, Seed, Service, Viewer};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use utoipa::ToSchema;

/// Facts about a game that hold for all its tables.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameInfo {
    /// Stable id, lower case, e.g. `gomoku`.
    #[schema(value_type = String)]
    pub id: &'static str,
    /// The rules' current version; a stored game replays under the version it was started with.
    pub rules_version: u32,
    /// Fewest and most seats over all settings.
    pub min_seats: u8,
    pub max_seats: u8,
    /// Whether some seat may not know something.
    pub hidden: bool,
    /// Whether chance takes part.
    pub chance: bool,
    /// Whether several seats may act at once.
    pub simultaneous: bool,
    /// Whether play goes in turns at all (a crossword solved together does not).
    pub turns: bool,
    /// Whether actions may be taken back by agreement.
    pub undo: bool,
    /// Whether seats may be taken after the start.
    pub join_during_play: bool,
}

/// How many places a table with certain settings has, and who plays with whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatPlan {
    /// Fewest seats that must be taken to start.
    pub min: u8,
    /// Most seats.
    pub max: u8,
    /// Team of each seat (0-based); everybody alone where empty.
    pub teams: Vec<u8>,
    /// What each seat is called, as stable ids that the page translates (`black`, `red_spymaster`).
    pub names: Vec<String>,
}

/// Everything that decides a game besides the actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup<S> {
    pub rules_version: u32,
    pub settings: S,
    /// How many seats play.
    pub seats: u8,
    pub seed: Seed,
}

/// One line of the move list as a viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    /// How many actions had been applied after this one: `view?at=ply` shows that moment.
    pub ply: u32,
    pub seat: Seat,
    /// The action in the game's notation, with nothing in it that the viewer may not know.
    pub text: String,
}

/// A game: rules, views, notation, players and services. The value owns data (lexicons, weights), never a game in progress.
pub trait Game: Send + Sync + Sized + 'static {
    /// What may be chosen when a table is made. `Default` is what *Play now* uses.
    type Settings: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// The whole truth. Must not implement `Serialize`. Carries its own generator where chance takes part.
    type State: Clone + PartialEq + Send + Sync;
    /// What a seat may do.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What one viewer may know, with the full history visible to it: enough for a bot to play from.
    type View: Clone + Debug + PartialEq + Serialize + ToSchema + Send + Sync;

    /// Facts that hold for all tables.
    fn info(&self) -> GameInfo;

    /// Checks settings and says how many seats they make.
    fn seats(&self, settings: &Self::Settings) -> Result<SeatPlan, RuleError>;

    /// The settings as everybody may see them: without what they hide, such as a solution.
    fn public_settings(&self, settings: &Self::Settings) -> Self::Settings {
        settings.clone()
    }

    /// The state before the first action. Refuses settings, seat counts and rules versions that it cannot play.
    fn start(&self, setup: &Setup<Self::Settings>) -> Result<Self::State, RuleError>;

    /// Called when a seat is taken during play, in games that allow it.
    fn join(&self, _state: &mut Self::State, seat: Seat) -> Result<(), RuleError> {
        Err(RuleError::new("game.no_joining", format!("{seat} cannot be taken after the start of this game")))
    }

    /// Who may act now; nobody exactly when the game is over.
    fn to_act(&self, state: &Self::State) -> SeatSet;

    /// Every action `seat` may take now, or `None` where they cannot be listed (a clue in one's own words).
    fn legal_actions(&self, state: &Self::State, seat: Seat) -> Option<Vec<Self::Action>>;

    /// Some action `seat` may take now, for random play; must be overridden where actions cannot be listed.
    fn random_action(&self, state: &Self::State, seat: Seat, rng: &mut GameRng) -> Option<Self::Action> {
        let mut actions = self.legal_actions(state, seat)?;
        if actions.is_empty() {
            return None;
        }
        let index = rand::RngExt::random_range(rng, 0..actions.len());
        Some(actions.swap_remove(index))
    }

    /// Carries out an action, or refuses it and leaves the state as it was.
    fn apply(&self, state: &mut Self::State, seat: Seat, action: &Self::Action) -> Result<(), RuleError>;

    /// What `viewer` may know.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;

    /// The end, once it is reached.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The end when `loser` gives up or runs out of time: by default its team loses and all others win.
    fn forfeit(&self, state: &Self::State, plan: &SeatPlan, loser: Seat, reason: &str) -> Outcome {
        let _ = state;
        let team = |seat: Seat| plan.teams.get(seat.index()).copied().unwrap_or(seat.0);
        let results = Seat::all(plan.max.into())
            .map(|seat| if team(seat) == team(loser) { SeatResult::Lost } else { SeatResult::Won })
            .collect();
        Outcome { results, scores: Vec::new(), reason: reason.to_owned() }
    }

    /// The move list as `viewer` may see it.
    fn history(&self, state: &Self::State, viewer: Viewer) -> Vec<HistoryEntry>;

    /// An action in the game's notation.
    fn write_action(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> String;

    /// Reads what [`Game::write_action`] writes (and what people type).
    fn read_action(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Action, RuleError>;

    /// A view as plain text, for terminals and golden playthroughs.
    fn render_text(&self, view: &Self::View) -> String;

    /// States that differ from `state` only in what `viewer` may not know. The conformance kit checks that `viewer`
    /// cannot distinguish them.
    fn indistinguishable_states(&self, _state: &Self::State, _viewer: Viewer, _rng: &mut GameRng) -> Vec<Self::State> {
        Vec::new()
    }

    /// The computer's strengths, weakest first; at least six.
    fn levels(&self) -> Vec<Level>;

    /// The level that *Play now* uses.
    fn default_level(&self) -> &'static str;

    /// A player of the given level.
    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>>;

    /// Whether the server computes a bot's first decision while the table still waits for players.
    fn prefetches_first_move(&self) -> bool {
        false
    }

    /// Typed requests beside the table.
    fn services(&self) -> Vec<Service<Self>> {
        Vec::new()
    }
}
