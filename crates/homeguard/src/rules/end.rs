//! When a game ends. Only play ends: tree simulation goes on to its full depth (study 4.9).

use super::round::{Side, Troops};

/// Kills that win a game (study 6.7).
pub const WINNING_KILLS: u8 = 2;

/// The setting that keeps cautious players from drawing for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuddenDeath {
    /// From this round on, whoever leads on score when a round ends wins.
    pub from_round: u16,
}

/// How a game at the table ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayRules {
    /// After this many rounds the score decides.
    pub round_cap: u16,
    /// An earlier decision by score, if wanted.
    pub sudden_death: Option<SuddenDeath>,
}

impl PlayRules {
    /// The study's rules: two kills win, and our cap of 60 rounds.
    pub const STUDY: PlayRules = PlayRules { round_cap: 60, sudden_death: None };
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A side reached two kills.
    Kills,
    /// Both reached two kills in one round and the score decided.
    ScoreAfterKills,
    /// The round cap was reached and the score decided.
    RoundCap,
    /// Sudden death: a lead after the given round.
    SuddenDeath,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// The winner, or nobody.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

impl PlayRules {
    /// Whether the game is over after `rounds_played` rounds.
    pub fn ending(&self, troops: &Troops, rounds_played: u16) -> Option<Ending> {
        let leader = match troops.score() {
            0 => None,
            score if score > 0 => Some(Side::Home),
            _ => Some(Side::Away),
        };
        let [home, away] = Side::BOTH.map(|side| troops.kills(side) >= WINNING_KILLS);
        match (home, away) {
            (true, true) => Some(Ending { winner: leader, reason: Reason::ScoreAfterKills }),
            (true, false) => Some(Ending { winner: Some(Side::Home), reason: Reason::Kills }),
            (false, true) => Some(Ending { winner: Some(Side::Away), reason: Reason::Kills }),
            (false, false) => {
                let sudden = self
                    .sudden_death
                    .is_some_and(|s| rounds_played >= s.from_round && leader.is_some() && rounds_played > 0);
                if sudden {
                    Some(Ending { winner: leader, reason: Reason::SuddenDeath })
                } else if rounds_played >= self.round_cap {
                    Some(Ending { winner: leader, reason: Reason::RoundCap })
                } else {
                    None
                }
            }
        }
    }
}
