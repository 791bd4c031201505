//! The type-erased interface of games, tables and bots.

use game::{
    BotError, Budget, Control, Cost, Ending, Event, GameInfo, HistoryEntry, Level, Needs, Next, RuleError, Seat,
    SeatPlan, SeatSet, ServiceError, Setup, TableError, Thought, TypeSchema, Viewer,
};
use serde::Serialize;
use serde_json::Value;
use std::any::Any;

/// A type-erased view, for a bot or a service of the same game.
pub type AnyView = Box<dyn Any + Send + Sync>;

/// Why a game refuses an action or settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The JSON has the wrong form.
    #[error("{0}")]
    BadForm(String),
    /// Out of turn, game over, no such seat, or against the rules.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<RuleError> for ActionError {
    fn from(error: RuleError) -> Self {
        Self::Table(TableError::Rule(error))
    }
}

/// A legal action with its notation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalAction {
    pub action: Value,
    pub text: String,
}

/// A bot's decision.
#[derive(Clone, Debug, PartialEq)]
pub struct BotDecision {
    pub action: Value,
    pub thought: Thought,
}

/// Description of a service.
pub struct ServiceInfo {
    pub name: &'static str,
    pub summary: &'static str,
    pub cost: Cost,
    pub needs: Needs,
    pub request: TypeSchema,
    pub answer: TypeSchema,
    pub example: Value,
    /// The request that probably follows its answer.
    pub next: Option<Next>,
}

/// One call of a service.
pub struct ServiceRequest<'a> {
    pub name: &'a str,
    pub body: Value,
    /// The caller's view, from [`ErasedTable::view_for`].
    pub view: Option<&'a AnyView>,
    pub viewer: Viewer,
    pub seed: u64,
}

/// A type-erased game.
pub trait ErasedGame: Send + Sync {
    /// Facts that hold for all tables.
    fn info(&self) -> GameInfo;
    /// The bot levels, weakest first.
    fn levels(&self) -> Vec<Level>;
    /// The level that *Play now* uses.
    fn default_level(&self) -> &'static str;
    /// The settings that *Play now* uses.
    fn default_settings(&self) -> Value;
    /// Schema of settings.
    fn settings_schema(&self) -> TypeSchema;
    /// Schema of actions.
    fn action_schema(&self) -> TypeSchema;
    /// Schema of views.
    fn view_schema(&self) -> TypeSchema;
    /// Validated settings with defaults filled in, and the seats they imply.
    fn settings(&self, given: &Value) -> Result<(Value, SeatPlan), ActionError>;
    /// Settings without secrets.
    fn public_settings(&self, settings: &Value) -> Value;
    /// A table with all events of a log applied.
    fn open(&self, setup: &Setup<Value>, events: &[Event<Value>]) -> Result<Box<dyn ErasedTable>, ActionError>;
    /// A player of the given level.
    fn bot(&self, level: &str) -> Option<Box<dyn ErasedBot>>;
    /// Whether the server computes a bot's first decision while the table waits for players.
    fn prefetches_first_move(&self) -> bool;
    /// Typed requests beside the table.
    fn services(&self) -> &[ServiceInfo];
    /// Answers a request; blocking.
    fn call(&self, request: ServiceRequest<'_>, control: &Control) -> Result<Value, ServiceError>;
}

/// A type-erased game in progress. It exposes views, never the state.
pub trait ErasedTable: Send + Sync {
    /// Applies an event and returns it in canonical form, or refuses it and leaves the table unchanged.
    fn apply(&mut self, event: &Event<Value>) -> Result<Event<Value>, ActionError>;
    /// The canonical form of an action, for comparison.
    fn canonical(&self, action: &Value) -> Result<Value, ActionError>;
    /// Reads an action that a person typed.
    fn read_action(&self, seat: Seat, text: &str) -> Result<Value, ActionError>;
    /// The seats that may act now; empty once the game is over.
    fn to_act(&self) -> SeatSet;
    /// The seats that could act after `ply` actions.
    fn to_act_at(&self, ply: u32) -> Result<SeatSet, ActionError>;
    /// Number of actions that were not undone.
    fn ply(&self) -> u32;
    /// Action number `ply` (from 0) with its seat.
    fn action_at(&self, ply: u32) -> Option<(Seat, Value)>;
    /// The seats of the actions, in order.
    fn actors(&self) -> Vec<Seat>;
    /// The ending, if the game is over.
    fn ending(&self) -> Option<Ending>;
    /// Whether the game itself has reached its end: nobody resigned, ran out of time or left.
    fn is_decided(&self) -> bool;
    /// Seats, teams and names.
    fn plan(&self) -> &SeatPlan;
    /// What `viewer` may know.
    fn view(&self, viewer: Viewer) -> Value;
    /// What `viewer` knew after `ply` actions.
    fn view_at(&self, ply: u32, viewer: Viewer) -> Result<Value, ActionError>;
    /// The move list as `viewer` may see it.
    fn history(&self, viewer: Viewer) -> Vec<HistoryEntry>;
    /// The legal actions of `seat`, if there are at most `limit`.
    fn legal(&self, seat: Seat, limit: usize) -> Option<Vec<LegalAction>>;
    /// A random legal action of `seat`.
    fn random_action(&self, seat: Seat, seed: u64) -> Option<Value>;
    /// The view of `viewer`, for a bot or a service of this game.
    fn view_for(&self, viewer: Viewer) -> AnyView;
    /// The view as plain text.
    fn render_text(&self, viewer: Viewer) -> String;
}

/// A type-erased bot.
pub trait ErasedBot: Send {
    /// Sets which other seats of its own side are taken by people.
    fn set_human_partners(&mut self, people: SeatSet);

    /// Chooses an action for `seat` from the seat's own view; blocking.
    fn choose(
        &mut self,
        seat: Seat,
        view: &AnyView,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<BotDecision, BotError>;
}
