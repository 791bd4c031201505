//! What is chosen when a table is made.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What happens to a play whose words do not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Challenge {
    /// It is refused.
    #[default]
    Void,
    /// It stands unless the next player challenges; a wrong challenge costs nothing.
    Single,
    /// It stands unless the next player challenges; a wrong challenge costs the turn.
    Double,
}

/// What may be chosen when a table is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Settings {
    /// Language of words and tiles: en, cs, pl, sk.
    pub language: String,
    /// Board: standard or super.
    pub board: String,
    pub challenge: Challenge,
    /// Fewest tiles in the bag that allow an exchange.
    pub exchange_needs: u8,
    /// Rounds of passes by everybody that end the game.
    pub pass_rounds: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: "en".into(),
            board: "standard".into(),
            challenge: Challenge::Void,
            exchange_needs: 7,
            pass_rounds: 2,
        }
    }
}
