//! Gomoku at a table: settings, state, actions, views and bots behind [`::game::Game`].

mod action;
mod bots;
mod game;
mod render_text;
mod settings;
mod state;
mod view;

pub use action::Action;
pub use bots::LevelBot;
pub use game::{Gomoku, RULES_VERSION};
pub use settings::{Opening, Settings};
pub use state::{Phase, State};
pub use view::{ForbiddenSpot, Spot, StoneView, View};
