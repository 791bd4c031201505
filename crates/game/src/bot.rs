//! Computer players.

use crate::{Budget, Control, Game, Seat, SeatSet};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A playing strength that a person can choose.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Level {
    /// Stable id, e.g. `beginner`; the page translates it as `<game>.level.<id>`.
    pub id: String,
    /// English name.
    pub name: String,
    /// One English sentence on how it plays.
    pub description: String,
    /// Its budget for one decision at a table without a clock.
    #[serde(skip)]
    pub budget: Budget,
}

/// The computer's reasoning behind a decision, for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Thought {
    /// One line, e.g. `H9 makes a four-three`.
    pub note: String,
    /// Winning probability from the mover's point of view, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_probability: Option<f64>,
    /// Data for pictures. Each game defines its form.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    #[schema(value_type = Object)]
    pub detail: serde_json::Value,
}

/// A decision and its explanation.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<A> {
    pub action: A,
    pub thought: Thought,
}

/// Why a player could not decide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotError {
    #[error("it is not {0}'s turn")]
    NotToAct(Seat),
    #[error("{0}")]
    Other(String),
}

/// A computer player: a function of (view with its full visible history, budget, seed).
///
/// What it keeps between calls is only a cache: the same view, node budget and seed give the same choice after a
/// restart or an undo.
pub trait Bot<G: Game>: Send {
    /// Sets which other seats of its own side are taken by people. Called before a decision. By default the player
    /// assumes that its partners may be people or bots.
    fn set_human_partners(&mut self, _people: SeatSet) {}

    /// Chooses an action for `seat`, which may act now according to the view.
    fn choose(
        &mut self,
        game: &G,
        seat: Seat,
        view: &G::View,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<Choice<G::Action>, BotError>;
}
