//! The interface that every game has once its types are hidden.

use game::{
    BotError, Budget, Control, Cost, Ending, Event, GameInfo, HistoryEntry, Level, Needs, Next, RuleError, Seat,
    SeatPlan, SeatSet, ServiceError, Setup, TableError, Thought, TypeSchema, Viewer,
};
use serde::Serialize;
use serde_json::Value;
use std::any::Any;

/// A view with its type hidden, on its way to a bot or a service of the same game.
pub type AnyView = Box<dyn Any + Send + Sync>;

/// Why a game does not take what it was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The JSON is not of the game's form.
    #[error("{0}")]
    BadForm(String),
    /// Out of turn, over, no such seat, or against the rules.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<RuleError> for ActionError {
    fn from(error: RuleError) -> Self {
        Self::Table(TableError::Rule(error))
    }
}

/// Something a seat may do, with its notation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalAction {
    pub action: Value,
    pub text: String,
}

/// What a bot decided.
#[derive(Clone, Debug, PartialEq)]
pub struct BotDecision {
    pub action: Value,
    pub thought: Thought,
}

/// A service without its function.
pub struct ServiceInfo {
    pub name: &'static str,
    pub summary: &'static str,
    pub cost: Cost,
    pub needs: Needs,
    pub request: TypeSchema,
    pub answer: TypeSchema,
    pub example: Value,
    /// What its answer is probably followed by.
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

/// A game with its types hidden.
pub trait ErasedGame: Send + Sync {
    /// Facts that hold for all tables.
    fn info(&self) -> GameInfo;
    /// The computer's strengths, weakest first.
    fn levels(&self) -> Vec<Level>;
    /// The level that *Play now* uses.
    fn default_level(&self) -> &'static str;
    /// The settings that *Play now* uses.
    fn default_settings(&self) -> Value;
    /// The form of settings.
    fn settings_schema(&self) -> TypeSchema;
    /// The form of actions.
    fn action_schema(&self) -> TypeSchema;
    /// The form of views.
    fn view_schema(&self) -> TypeSchema;
    /// Settings in their full form, with defaults for what is left out, checked; and the seats they make.
    fn settings(&self, given: &Value) -> Result<(Value, SeatPlan), ActionError>;
    /// Settings as everybody may see them: without what they hide.
    fn public_settings(&self, settings: &Value) -> Value;
    /// A table with all events of a log applied.
    fn open(&self, setup: &Setup<Value>, events: &[Event<Value>]) -> Result<Box<dyn ErasedTable>, ActionError>;
    /// A player of the given level.
    fn bot(&self, level: &str) -> Option<Box<dyn ErasedBot>>;
    /// Whether a computer's first decision is worth being made while its table still waits for players.
    fn prefetches_first_move(&self) -> bool;
    /// Typed requests beside the table.
    fn services(&self) -> &[ServiceInfo];
    /// Answers a request; blocks for as long as it takes.
    fn call(&self, request: ServiceRequest<'_>, control: &Control) -> Result<Value, ServiceError>;
}

/// A game in progress with its types hidden. Nothing here gives the state away: only views come out.
pub trait ErasedTable: Send + Sync {
    /// Carries out an event and returns it in its full form, or refuses it and leaves the table as it was.
    fn apply(&mut self, event: &Event<Value>) -> Result<Event<Value>, ActionError>;
    /// An action in its full form, for comparing.
    fn canonical(&self, action: &Value) -> Result<Value, ActionError>;
    /// Reads an action that a person typed.
    fn read_action(&self, seat: Seat, text: &str) -> Result<Value, ActionError>;
    /// Who may act now; nobody once the table is closed.
    fn to_act(&self) -> SeatSet;
    /// How many actions stand.
    fn ply(&self) -> u32;
    /// The action number `ply` (from 0) that stands, and who did it.
    fn action_at(&self, ply: u32) -> Option<(Seat, Value)>;
    /// Who did the actions that stand, in order.
    fn actors(&self) -> Vec<Seat>;
    /// How it ended, if it did.
    fn ending(&self) -> Option<Ending>;
    /// Seats, teams and names.
    fn plan(&self) -> &SeatPlan;
    /// What `viewer` may know.
    fn view(&self, viewer: Viewer) -> Value;
    /// What `viewer` knew after `ply` actions.
    fn view_at(&self, ply: u32, viewer: Viewer) -> Result<Value, ActionError>;
    /// The move list as `viewer` may see it.
    fn history(&self, viewer: Viewer) -> Vec<HistoryEntry>;
    /// What `seat` may do now, where that can be listed in at most `limit` lines.
    fn legal(&self, seat: Seat, limit: usize) -> Option<Vec<LegalAction>>;
    /// Some action `seat` may take now.
    fn random_action(&self, seat: Seat, seed: u64) -> Option<Value>;
    /// What `viewer` may know, for a bot or a service of this game.
    fn view_for(&self, viewer: Viewer) -> AnyView;
    /// The view as plain text.
    fn render_text(&self, viewer: Viewer) -> String;
}

/// A player with its types hidden.
pub trait ErasedBot: Send {
    /// Tells it in which other seats of its own side people sit.
    fn set_human_partners(&mut self, people: SeatSet);

    /// Decides for `seat` from the seat's own view; blocks for as long as it thinks.
    fn choose(
        &mut self,
        seat: Seat,
        view: &AnyView,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<BotDecision, BotError>;
}
