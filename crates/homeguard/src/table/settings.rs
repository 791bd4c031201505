//! Settings of a table.

use game::{RuleError, Seed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::preference::plain_map;
use crate::formats::MapJson;
use crate::rules::{Map, PlayRules, Size};

/// Settings of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The map; a random one of `size` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<MapJson>,
    /// Side of a random map: 7, 9, 11, 13 or 15.
    pub size: u8,
    /// From round 15 any lead wins, and after 40 rounds the middle decides; otherwise the rules of the thesis hold.
    /// Counts only without `rules`.
    pub sudden_death: bool,
    /// How the game ends; absent in tables of version 0.1, where `sudden_death` decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<EndRules>,
}

/// The rules for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndRules {
    /// Two kills, or a lead of six rounds in which a side holds the middle alone.
    Control,
    /// Two kills, any lead from round 15 on, after 40 rounds the side nearer to the middle.
    SuddenDeath,
    /// The rules of the thesis: two kills, after 60 rounds the score.
    Thesis,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { map: None, size: 11, sudden_death: true, rules: None }
    }
}

impl Settings {
    /// Checks the settings and gives the map they mean.
    pub(crate) fn map(&self, seed: Seed) -> Result<Map, RuleError> {
        match &self.map {
            Some(json) => {
                Map::try_from(json).map_err(|error| RuleError::new("homeguard.map", format!("the map: {error}")))
            }
            None => {
                let size = Size::new(usize::from(self.size))
                    .map_err(|error| RuleError::new("homeguard.size", error.to_string()))?;
                Ok(plain_map(size, &mut seed.rng(1)))
            }
        }
    }

    /// How the game ends.
    pub(crate) fn rules(&self) -> PlayRules {
        match self.rules {
            Some(EndRules::Control) => PlayRules::CONTROL,
            Some(EndRules::SuddenDeath) => PlayRules::SUDDEN,
            Some(EndRules::Thesis) => PlayRules::SINDELAR,
            None if self.sudden_death => PlayRules::SUDDEN,
            None => PlayRules::SINDELAR,
        }
    }
}
