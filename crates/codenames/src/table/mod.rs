//! Codenames at a table: settings, state, actions, views and bots behind [`::game::Game`].

mod action;
mod bots;
mod game;
mod settings;
mod state;
mod view;

pub use action::Action;
pub use bots::CodenamesBot;
pub use game::{Codenames, RULES_VERSION};
pub use settings::{Mode, Settings};
pub use state::{ClueTurn, GameOver, KeyCard, State, TurnPhase};
pub use view::{CardView, GuessView, PhaseView, SeatRole, TurnView, View};
