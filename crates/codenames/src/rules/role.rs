//! Whose a card is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One of the two teams of the classic game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Team {
    Red,
    Blue,
}

impl Team {
    /// Both teams, red first.
    pub const ALL: [Team; 2] = [Team::Red, Team::Blue];

    /// The other team.
    pub const fn other(self) -> Team {
        match self {
            Team::Red => Team::Blue,
            Team::Blue => Team::Red,
        }
    }

    /// 0 for red, 1 for blue.
    pub const fn index(self) -> usize {
        match self {
            Team::Red => 0,
            Team::Blue => 1,
        }
    }
}

/// What a card of the key is; `Agent` stands for both sides' agents in Duet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Red,
    Blue,
    Agent,
    Bystander,
    Assassin,
}

impl Role {
    /// The role of a team's agents.
    pub const fn of(team: Team) -> Role {
        match team {
            Team::Red => Role::Red,
            Team::Blue => Role::Blue,
        }
    }

    /// How the card looks to a team.
    pub fn side(self, team: Team) -> CardSide {
        match self {
            Role::Agent => CardSide::Own,
            Role::Bystander => CardSide::Bystander,
            Role::Assassin => CardSide::Assassin,
            role if role == Role::of(team) => CardSide::Own,
            _ => CardSide::Enemy,
        }
    }
}

/// A card as one side sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CardSide {
    Own,
    Enemy,
    Bystander,
    Assassin,
    #[default]
    Unknown,
}
