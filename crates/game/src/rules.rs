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
    /// Smallest and largest number of seats over all settings.
    pub min_seats: u8,
    pub max_seats: u8,
    /// Whether the state holds information that some seat must not see.
    pub hidden: bool,
    /// Whether the game has random events.
    pub chance: bool,
    /// Whether several seats may act at the same time.
    pub simultaneous: bool,
    /// Whether seats take turns. False for a crossword that is solved together.
    pub turns: bool,
    /// Whether players may take actions back by agreement.
    pub undo: bool,
    /// Whether a player may join after the start.
    pub join_during_play: bool,
}

/// The seats of a table with given settings: their number, teams and names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatPlan {
    /// Smallest number of occupied seats with which the game starts.
    pub min: u8,
    /// Largest number of seats.
    pub max: u8,
    /// Team of each seat, counted from 0. Empty: every seat plays alone.
    pub teams: Vec<u8>,
    /// Name of each seat: a stable id that the page translates (`black`, `red_spymaster`).
    pub names: Vec<String>,
}

/// Everything besides the actions that determines a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup<S> {
    pub rules_version: u32,
    pub settings: S,
    /// Number of seats that play.
    pub seats: u8,
    pub seed: Seed,
}

/// One line of the move list, as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    /// Number of actions up to and including this one. `view?at=ply` shows the position after it.
    pub ply: u32,
    pub seat: Seat,
    /// The action in the game's notation, without information that is hidden from the viewer.
    pub text: String,
}

/// A game: rules, views, notation, players and services. The value owns data (lexicons, weights) and no game in progress.
pub trait Game: Send + Sync + Sized + 'static {
    /// The options of a new table. `Default` is what *Play now* uses.
    type Settings: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// The complete state, hidden information included. Must not implement `Serialize`. Carries its own random
    /// generator where the game has random events.
    type State: Clone + PartialEq + Send + Sync;
    /// A move of a seat.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What one viewer may know, with the full history visible to it. A bot decides from this alone.
    type View: Clone + Debug + PartialEq + Serialize + ToSchema + Send + Sync;

    /// Facts that hold for all tables of the game.
    fn info(&self) -> GameInfo;

    /// Validates settings and returns the seats they imply.
    fn seats(&self, settings: &Self::Settings) -> Result<SeatPlan, RuleError>;

    /// The settings without secrets such as a solution. Everybody may see them.
    fn public_settings(&self, settings: &Self::Settings) -> Self::Settings {
        settings.clone()
    }

    /// The state before the first action. Refuses unsupported settings, seat counts and rules versions.
    fn start(&self, setup: &Setup<Self::Settings>) -> Result<Self::State, RuleError>;

    /// Adds a player during play. Only games with `join_during_play` implement it.
    fn join(&self, _state: &mut Self::State, seat: Seat) -> Result<(), RuleError> {
        Err(RuleError::new("game.no_joining", format!("{seat} cannot be taken after the start of this game")))
    }

    /// The seats that may act now. Empty exactly when the game is over.
    fn to_act(&self, state: &Self::State) -> SeatSet;

    /// Every legal action of `seat`, or `None` where they cannot be enumerated (a free-text clue).
    fn legal_actions(&self, state: &Self::State, seat: Seat) -> Option<Vec<Self::Action>>;

    /// A random legal action of `seat`. Games whose actions cannot be enumerated override it.
    fn random_action(&self, state: &Self::State, seat: Seat, rng: &mut GameRng) -> Option<Self::Action> {
        let mut actions = self.legal_actions(state, seat)?;
        if actions.is_empty() {
            return None;
        }
        let index = rand::RngExt::random_range(rng, 0..actions.len());
        Some(actions.swap_remove(index))
    }

    /// Applies an action, or refuses it and leaves the state unchanged.
    fn apply(&self, state: &mut Self::State, seat: Seat, action: &Self::Action) -> Result<(), RuleError>;

    /// What `viewer` may know.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;

    /// The outcome, once the game is over.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The outcome when `loser` resigns or runs out of time. By default its team loses and all others win.
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

    /// Parses what [`Game::write_action`] writes and what people type.
    fn read_action(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Action, RuleError>;

    /// A view as plain text, for terminals and golden playthroughs.
    fn render_text(&self, view: &Self::View) -> String;

    /// States that differ from `state` only in what `viewer` may not know. The conformance kit checks that `viewer`
    /// cannot distinguish them.
    fn indistinguishable_states(&self, _state: &Self::State, _viewer: Viewer, _rng: &mut GameRng) -> Vec<Self::State> {
        Vec::new()
    }

    /// The levels of the computer player, weakest first, at least six.
    fn levels(&self) -> Vec<Level>;

    /// The level that *Play now* uses.
    fn default_level(&self) -> &'static str;

    /// A computer player of the given level.
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
