//! Bodies of requests and answers, as the OpenAPI document describes them.

use game::{Outcome, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A refusal.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    pub error: ErrorDetail,
}

/// What was wrong.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorDetail {
    /// Stable and short, for programs and translations, e.g. `table.not_your_turn`.
    pub code: String,
    /// A complete English sentence.
    pub message: String,
}

/// A game of this installation.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameSummary {
    pub id: String,
    pub rules_version: u32,
    pub min_seats: u8,
    pub max_seats: u8,
    /// Whether some seat may not know something.
    pub hidden: bool,
    /// Whether actions may be taken back.
    pub undo: bool,
    /// Whether play goes in turns.
    pub turns: bool,
    /// Whether several seats may act at once.
    pub simultaneous: bool,
    /// Whether seats may be taken after the start.
    pub join_during_play: bool,
    /// The computer's strengths, weakest first.
    pub levels: Vec<LevelSummary>,
    pub default_level: String,
    #[schema(value_type = Object)]
    pub default_settings: Value,
    /// JSON schema of the settings.
    #[schema(value_type = Object)]
    pub settings_schema: Value,
    pub services: Vec<ServiceSummary>,
}

/// A strength of the computer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LevelSummary {
    pub id: String,
    pub name: String,
    pub description: String,
}

/// A typed request beside the table.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServiceSummary {
    pub name: String,
    pub summary: String,
    /// `light` or `heavy`.
    pub cost: String,
    /// `nothing` or `view`.
    pub needs: String,
    /// A request that works when pasted.
    #[schema(value_type = Object)]
    pub example: Value,
}

/// Who calls.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    pub guest: GuestSummary,
    /// The name I sign in with, if I have an account.
    pub account: Option<String>,
    /// How strong I am, by game.
    pub ratings: Vec<RatingSummary>,
    /// My games: those not over first.
    pub tables: Vec<TableSummary>,
}

/// A guest as others see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GuestSummary {
    pub id: String,
    pub name: String,
}

/// How strong somebody is in one game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RatingSummary {
    pub game: String,
    /// Glicko-2, 1500 at the beginning.
    pub rating: f64,
    /// Standard deviation of the rating: the true strength is within twice this in 19 of 20 cases.
    pub deviation: f64,
    /// Rated games.
    pub games: i64,
}

/// A name and a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// 3 to 32 letters, digits, dots, dashes or underlines; upper and lower case are alike.
    pub login: String,
    /// 8 to 200 characters.
    pub password: String,
}

/// A new password in place of the old one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    pub old: String,
    /// 8 to 200 characters.
    pub new: String,
}

/// Says that everything about me shall be deleted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteAccount {
    /// My password, if I have an account.
    #[serde(default)]
    pub password: Option<String>,
}

/// Something to keep for me.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserDataBody {
    /// Any text up to 200 kB; the page keeps JSON here.
    pub body: String,
}

/// Another name for me.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameRequest {
    /// 1 to 40 characters.
    pub name: String,
}

/// A table as lists show it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableSummary {
    pub id: String,
    pub game: String,
    /// `waiting`, `running` or `over`.
    pub state: String,
    pub seats: Vec<SeatView>,
    pub ply: u32,
    pub to_act: Vec<Seat>,
    /// Whether a seat of mine may act now.
    pub my_turn: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    pub created_ms: i64,
    pub updated_ms: i64,
}

/// How a new table is made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    pub game: String,
    /// What is left out is the game's default.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub settings: Value,
    /// One line per seat; left out: me against the computer at its default level.
    #[serde(default)]
    pub seats: Vec<SeatRequest>,
    #[serde(default)]
    pub clock: Option<ClockTerms>,
    #[serde(default)]
    pub options: TableOptions,
    /// Actions to play at once, for games that were imported; all seats' actions in order.
    #[serde(default)]
    pub moves: Vec<MoveRequest>,
}

/// Who shall sit on a seat.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRequest {
    pub kind: SeatRequestKind,
    /// For bots; the default level where left out.
    #[serde(default)]
    pub level: Option<String>,
}

/// Who shall sit on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatRequestKind {
    /// The caller.
    Me,
    /// Whoever comes.
    Open,
    /// The computer.
    Bot,
}

/// The time everybody has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockTerms {
    /// For each action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_move_ms: Option<u64>,
    /// For the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_game_ms: Option<u64>,
    /// Added to the time for the whole game after each action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
}

/// What is agreed besides rules and clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableOptions {
    /// Whether hints and analysis may be asked for while the game runs.
    #[serde(default = "yes")]
    pub help: bool,
    /// Whether only those with the link find the table.
    #[serde(default)]
    pub private: bool,
    /// Whether the result counts for ratings: then nobody is helped and nothing is taken back.
    #[serde(default)]
    pub rated: bool,
}

const fn yes() -> bool {
    true
}

impl Default for TableOptions {
    fn default() -> Self {
        Self { help: true, private: false, rated: false }
    }
}

/// An action as data or in the game's notation.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    #[serde(default)]
    #[schema(value_type = Object)]
    pub action: Option<Value>,
    #[serde(default)]
    pub text: Option<String>,
    /// Whose action it is; left out: whoever is to act.
    #[serde(default)]
    pub seat: Option<Seat>,
}

/// A new table and the secrets of the seats that were taken with it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableCreated {
    pub table: TableView,
    pub seat_tokens: Vec<SeatToken>,
}

/// The secret of a seat, shown once; `Authorization: Bearer <token>` acts for the seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatToken {
    pub seat: Seat,
    pub token: String,
}

/// A seat as the caller sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeatView {
    pub seat: Seat,
    /// Stable id of what the seat is called, e.g. `black`.
    pub name_id: String,
    pub team: u8,
    /// `open`, `person` or `bot`.
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Whether it is the caller's.
    pub me: bool,
    /// Whether a page of its owner is open (always for bots).
    pub connected: bool,
}

/// What a person is called.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerName {
    pub name: String,
}

/// A table as one viewer may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableView {
    pub id: String,
    pub game: String,
    pub rules_version: u32,
    #[schema(value_type = Object)]
    pub settings: Value,
    pub options: TableOptions,
    /// `waiting`, `running` or `over`.
    pub state: String,
    pub seats: Vec<SeatView>,
    /// The seat this view is made for; null for spectators.
    pub viewer: Option<Seat>,
    /// Grows with everything that happens at the table.
    pub seq: i64,
    /// How many actions stand.
    pub ply: u32,
    pub to_act: Vec<Seat>,
    /// The game's own view; null while the table waits.
    #[schema(value_type = Object)]
    pub view: Value,
    pub history: Vec<game::HistoryEntry>,
    /// What the viewer may do now, where it can be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<LegalMove>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What the computer thought, as far as the viewer may know it.
    pub thoughts: Vec<BotThought>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<BotThinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo_offer: Option<UndoOffer>,
    /// Whether something taken back may be played again.
    pub can_redo: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch: Option<Rematch>,
    pub invite_url: String,
    /// Whether the link works only on this machine.
    pub local_only: bool,
}

/// Something the viewer may do.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMove {
    #[schema(value_type = Object)]
    pub action: Value,
    pub text: String,
}

/// The clocks.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockView {
    pub terms: ClockTerms,
    pub seats: Vec<ClockSeat>,
    pub running: Vec<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_move_left_ms: Option<u64>,
}

/// One clock.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockSeat {
    /// Left for the whole game, if that is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
    /// Left for this action, if that is limited and the clock runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_left_ms: Option<u64>,
}

/// What the computer thought before an action.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BotThought {
    pub ply: u32,
    pub seat: Seat,
    #[serde(flatten)]
    pub thought: game::Thought,
}

/// A bot that is thinking.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BotThinking {
    pub seat: Seat,
    /// 0 to 1.
    pub done: f64,
    pub note: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Object)]
    pub detail: Value,
}

/// CurrentGuest asks to take something back.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UndoOffer {
    pub by: Seat,
    pub keep: u32,
}

/// The next game of the same players.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Rematch {
    pub id: String,
}

/// What a viewer saw at an earlier moment.
#[derive(Debug, Serialize, ToSchema)]
pub struct ViewAt {
    pub ply: u32,
    #[schema(value_type = Object)]
    pub view: Value,
}

/// A seat that was taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct Seated {
    pub seat: Seat,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// An action to take.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionRequest {
    /// The action as data; either this or `text`.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub action: Option<Value>,
    /// The action in the game's notation.
    #[serde(default)]
    pub text: Option<String>,
    /// Which of my seats acts; left out: the one whose turn it is.
    #[serde(default)]
    pub seat: Option<Seat>,
    /// How many actions stood when I decided. Makes a repeated request safe: if the same action of the same seat
    /// already stands there, it is acknowledged again and not played twice.
    #[serde(default)]
    pub expect_ply: Option<u32>,
    /// Comes back in the acknowledgement; for sockets.
    #[serde(default)]
    pub id: Option<String>,
}

/// An action stands in the log.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Acknowledged {
    pub seq: i64,
    pub ply: u32,
}

/// A request to take something back, or the answer to one.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoRequest {
    /// How many actions shall stand; left out: back to before my last one.
    #[serde(default)]
    pub keep: Option<u32>,
    /// Answers the offer of somebody else.
    #[serde(default)]
    pub accept: Option<bool>,
    #[serde(default)]
    pub seat: Option<Seat>,
}

/// Which of my seats something is about.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatChoice {
    #[serde(default)]
    pub seat: Option<Seat>,
}

/// What happened while a socket was away, one line per sequence number.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MissedEvent {
    pub seq: i64,
    /// `action`, `join`, `undo`, `resign`, `flag`, `abandon`, `seated`, `stood`, `started`, `offer`, `answer`, `rematch`.
    pub what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
}
