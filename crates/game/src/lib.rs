//! The interface that every game of Parlour implements, and the tables on which games are played.
//!
//! A game is a value that implements [`Game`]. It owns data (lexicons, packs, weights) and no game in progress. A game
//! in progress is a [`Table`]: a [`Setup`] plus the events that happened, replayed. Only a [`Game::View`], made for one
//! [`Viewer`], leaves the process: a state does not implement `Serialize`.
//!
//! A complete game (one-pile Nim: take one to three matches, whoever takes the last one wins) and a table of it:
//!
//! ```
//! use game::*;
//! # use serde::{Deserialize, Serialize};
//! # use utoipa::ToSchema;
//!
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
//! struct Pile { matches: u8 }
//! impl Default for Pile { fn default() -> Self { Self { matches: 5 } } }
//!
//! #[derive(Clone, PartialEq)]
//! struct Nim { left: u8, taken: Vec<u8> }
//!
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
//! struct Take(u8);
//!
//! #[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
//! struct Seen { left: u8 }
//!
//! struct NimGame;
//!
//! impl Game for NimGame {
//!     type Settings = Pile;
//!     type State = Nim;
//!     type Action = Take;
//!     type View = Seen;
//!     // info, seats, levels and bot: facts about the game and its computer players
//! #   fn info(&self) -> GameInfo {
//! #       GameInfo { id: "nim", rules_version: 1, min_seats: 2, max_seats: 2, hidden: false, chance: false,
//! #           simultaneous: false, turns: true, undo: true, join_during_play: false }
//! #   }
//! #   fn seats(&self, _: &Pile) -> Result<SeatPlan, RuleError> {
//! #       Ok(SeatPlan { min: 2, max: 2, teams: vec![], names: vec!["first".into(), "second".into()] })
//! #   }
//! #   fn levels(&self) -> Vec<Level> { Vec::new() }
//! #   fn default_level(&self) -> &'static str { "" }
//! #   fn bot(&self, _: &str) -> Option<Box<dyn Bot<Self>>> { None }
//!     fn start(&self, setup: &Setup<Pile>) -> Result<Nim, RuleError> {
//!         Ok(Nim { left: setup.settings.matches, taken: Vec::new() })
//!     }
//!     fn to_act(&self, state: &Nim) -> SeatSet {
//!         if state.left == 0 { SeatSet::NONE } else { SeatSet::only(Seat(state.taken.len() as u8 % 2)) }
//!     }
//!     fn legal_actions(&self, state: &Nim, _: Seat) -> Option<Vec<Take>> {
//!         Some((1..=state.left.min(3)).map(Take).collect())
//!     }
//!     fn apply(&self, state: &mut Nim, _: Seat, &Take(count): &Take) -> Result<(), RuleError> {
//!         if count == 0 || count > state.left.min(3) {
//!             return Err(RuleError::new("nim.count", format!("take 1 to {} matches", state.left.min(3))));
//!         }
//!         state.left -= count;
//!         state.taken.push(count);
//!         Ok(())
//!     }
//!     fn view(&self, state: &Nim, _: Viewer) -> Seen {
//!         Seen { left: state.left }
//!     }
//!     fn outcome(&self, state: &Nim) -> Option<Outcome> {
//!         let winner = Seat(1 - state.taken.len() as u8 % 2);
//!         (state.left == 0).then(|| Outcome::won_by(winner, 2, "last_match"))
//!     }
//!     // history, write_action, read_action and render_text: the game as text
//! #   fn history(&self, _: &Nim, _: Viewer) -> Vec<HistoryEntry> { Vec::new() }
//! #   fn write_action(&self, _: &Nim, _: Seat, action: &Take) -> String { action.0.to_string() }
//! #   fn read_action(&self, _: &Nim, _: Seat, text: &str) -> Result<Take, RuleError> {
//! #       text.parse().map(Take).map_err(|_| RuleError::new("nim.form", "type a number"))
//! #   }
//! #   fn render_text(&self, view: &Seen) -> String { format!("{} left", view.left) }
//! }
//!
//! let setup = Setup { rules_version: 1, settings: Pile::default(), seats: 2, seed: Seed(1) };
//! let mut table = Table::new(&NimGame, setup).unwrap();
//! for (seat, count) in [(0, 3), (1, 2)] {
//!     table.apply(&NimGame, &Event::Action { seat: Seat(seat), action: Take(count) }).unwrap();
//! }
//! assert_eq!(table.ending(&NimGame), Some(Ending::Outcome(Outcome::won_by(Seat(1), 2, "last_match"))));
//! ```
//!
//! Entry points, in reading order:
//! - [`Seat`], [`SeatSet`], [`Viewer`]: who sits where and who looks.
//! - [`Game`]: settings, state, actions, views, outcome, notation, levels, services.
//! - [`PlayerSpec`]: a player by name and options, as every interface accepts it.
//! - [`Bot`]: a player that gets a view and a [`Budget`], never a state.
//! - [`Service`]: a typed request beside the table (analysis, hint, clue check, map proposal).
//! - [`Table`]: the pure reducer of events that server, arena and tests share.
//! - [`conformance`]: the tests that every game passes.

mod bot;
mod budget;
mod cancellation;
pub mod conformance;
mod error;
mod language_cache;
pub mod limits;
mod outcome;
mod player_spec;
mod rng;
mod rules;
mod seat;
mod service;
mod table;

pub use bot::{Bot, BotError, Choice, Level, Thought};
pub use budget::{Budget, Control, Progress};
pub use cancellation::{cancelled, current_control};
pub use error::RuleError;
pub use language_cache::LanguageCache;
pub use outcome::{Outcome, SeatResult};
pub use player_spec::{PlayerSpec, PlayerSpecError};
pub use rng::{GameRng, Seed};
pub use rules::{Game, GameInfo, HistoryEntry, SeatPlan, Setup};
pub use seat::{Seat, SeatSet, Viewer};
pub use service::{Cost, Needs, Next, Service, ServiceCall, ServiceError, TypeSchema};
pub use table::{Ending, Event, Table, TableError};
