//! The end of a game. Only play ends early: tree simulation runs to its full depth (Šindelář 2024, section 4.9).

use super::battlefield::Battlefield;
use super::round::{Faction, Soldier, Troops};

/// Kills that win a game (Šindelář 2024, section 6.7).
pub const WINNING_KILLS: u8 = 2;

/// The setting that keeps cautious players from drawing for ever: from some round on any lead wins, a game that is
/// level after mutual kills goes on, and if nobody leads at the cap, the side nearer to the middle wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuddenDeath {
    /// From this round on, whoever leads on score when a round ends wins.
    pub from_round: u16,
}

/// Control of the middle as a second way to win: a side that holds the middle alone at the end of a round gains a
/// point, and a lead of some points wins. Whoever avoids the fight loses, so strong play decides the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MiddleControl {
    /// Lead in points that wins.
    pub lead: i16,
}

/// Chebyshev distance from the central cell within which a soldier holds the middle.
pub const MIDDLE_REACH: u8 = 2;

/// How a game at the table ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayRules {
    /// After this many rounds the score decides.
    pub round_cap: u16,
    /// An earlier decision by score, if wanted.
    pub sudden_death: Option<SuddenDeath>,
    /// A decision by control of the middle, if wanted.
    pub middle_control: Option<MiddleControl>,
}

impl PlayRules {
    /// The default of *Play now*: sudden death from round 15, a cap of 40 rounds.
    pub const SUDDEN: PlayRules =
        PlayRules { round_cap: 40, sudden_death: Some(SuddenDeath { from_round: 15 }), middle_control: None };
    /// The rules of the thesis: two kills win, with our cap of 60 rounds.
    pub const SINDELAR: PlayRules = PlayRules { round_cap: 60, sudden_death: None, middle_control: None };
    /// Two kills or a lead of six points of middle control win, with a cap of 60 rounds.
    pub const CONTROL: PlayRules =
        PlayRules { round_cap: 60, sudden_death: None, middle_control: Some(MiddleControl { lead: 6 }) };
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// A side reached two kills.
    Kills,
    /// Both reached two kills in one round and the score decided.
    ScoreAfterKills,
    /// The round cap was reached and the score decided.
    RoundCap,
    /// Sudden death: a lead after the given round.
    SuddenDeath,
    /// Sudden death without a lead: whoever held the middle.
    Middle,
    /// A lead in middle control.
    Control,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameEnd {
    /// The winner; `None` is a draw.
    pub winner: Option<Faction>,
    /// Why.
    pub reason: EndReason,
}

impl PlayRules {
    /// Whether the game is over after `rounds_played` rounds; `control` is home's lead in middle control.
    pub fn ending(&self, board: &Battlefield, troops: &Troops, rounds_played: u16, control: i16) -> Option<GameEnd> {
        let leader = match troops.score() {
            0 => None,
            score if score > 0 => Some(Faction::Home),
            _ => Some(Faction::Away),
        };
        let [home, away] = Faction::BOTH.map(|side| troops.kills(side) >= WINNING_KILLS);
        let sudden = self.sudden_death.is_some();
        match (home, away) {
            (true, false) => return Some(GameEnd { winner: Some(Faction::Home), reason: EndReason::Kills }),
            (false, true) => return Some(GameEnd { winner: Some(Faction::Away), reason: EndReason::Kills }),
            // level after mutual kills: sudden death continues until a side leads
            (true, true) if leader.is_some() || (!sudden && self.middle_control.is_none()) => {
                return Some(GameEnd { winner: leader, reason: EndReason::ScoreAfterKills });
            }
            _ => {}
        }
        if leader.is_some() && self.sudden_death.is_some_and(|sudden| rounds_played >= sudden.from_round.max(1)) {
            return Some(GameEnd { winner: leader, reason: EndReason::SuddenDeath });
        }
        if let Some(MiddleControl { lead }) = self.middle_control
            && control.abs() >= lead.max(1)
        {
            let winner = if control > 0 { Faction::Home } else { Faction::Away };
            return Some(GameEnd { winner: Some(winner), reason: EndReason::Control });
        }
        if rounds_played < self.round_cap {
            return None;
        }
        if leader.is_none() && sudden {
            return Some(GameEnd { winner: holds_the_middle(board, troops), reason: EndReason::Middle });
        }
        Some(GameEnd { winner: leader, reason: EndReason::RoundCap })
    }
}

/// Points of middle control after a round: +1 if only home has a soldier in the middle, −1 if only away has one.
pub fn middle_points(board: &Battlefield, troops: &Troops) -> i16 {
    let middle = (board.map().size().side() / 2) as u8;
    let [home, away] = Faction::BOTH.map(|side| {
        side.soldiers().iter().any(|soldier| {
            let square = board.square(troops.at(*soldier));
            square.x.abs_diff(middle).max(square.y.abs_diff(middle)) <= MIDDLE_REACH
        })
    });
    i16::from(home) - i16::from(away)
}

/// The side whose soldiers stand nearer to the middle of the board, by the sum of squared distances.
fn holds_the_middle(board: &Battlefield, troops: &Troops) -> Option<Faction> {
    let far = board.map().size().side() as i32 - 1;
    let [home, away] = Faction::BOTH.map(|side| -> i32 {
        let off = |soldier: &Soldier| {
            let square = board.square(troops.at(*soldier));
            // doubled coordinates keep the middle whole
            (2 * i32::from(square.x) - far).pow(2) + (2 * i32::from(square.y) - far).pow(2)
        };
        side.soldiers().iter().map(off).sum()
    });
    match home.cmp(&away) {
        std::cmp::Ordering::Less => Some(Faction::Home),
        std::cmp::Ordering::Greater => Some(Faction::Away),
        std::cmp::Ordering::Equal => None,
    }
}
