//! The view of one seat or of a spectator.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::action::{Action, OrderName};
use super::state::{Finished, State};
use crate::formats::MapJson;
use crate::rules::{
    Battlefield, EndReason, Faction, GridSquare, Map, MiddleControl, PlayRules, Soldier, SuddenDeath, Troops,
};

/// A square: column and row from the upper left, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SquareView {
    pub x: u8,
    pub y: u8,
}

impl From<GridSquare> for SquareView {
    fn from(square: GridSquare) -> Self {
        SquareView { x: square.x, y: square.y }
    }
}

impl From<SquareView> for GridSquare {
    fn from(place: SquareView) -> Self {
        GridSquare { x: place.x, y: place.y }
    }
}

/// One soldier. Numbers 0 and 1 are home, 2 and 3 away; that is also the order of initiative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SoldierView {
    pub number: u8,
    /// Seat it fights for: 0 home, 1 away.
    pub seat: u8,
    pub at: SquareView,
    pub hp: u8,
}

/// The result of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoveView {
    pub soldier: u8,
    pub order: OrderName,
    pub from: SquareView,
    pub to: SquareView,
    /// It stayed because another soldier was in the way.
    pub blocked: bool,
}

/// One shot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShotView {
    pub shooter: u8,
    pub target: u8,
    pub damage: u8,
}

/// A soldier that fell and came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FallView {
    pub soldier: u8,
    pub at: SquareView,
    pub back_at: SquareView,
}

/// A finished round: movement, then fire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RoundView {
    pub number: u16,
    pub moves: Vec<MoveView>,
    pub shots: Vec<ShotView>,
    pub falls: Vec<FallView>,
    /// The soldiers when the round was over.
    pub after: Vec<SoldierView>,
    pub kills: [u8; 2],
    /// Home's advantage when the round was over.
    pub score: i16,
}

/// The view of one seat: everything but the other side's orders of the current round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct View {
    pub map: MapJson,
    pub soldiers: Vec<SoldierView>,
    pub kills: [u8; 2],
    /// Home's advantage: damage dealt less damage taken.
    pub score: i16,
    /// Rounds played.
    pub round: u16,
    pub round_cap: u16,
    /// From this round on any lead wins; absent under the rules of the thesis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sudden_death_from: Option<u16>,
    /// Home's lead in middle control: rounds that it held the middle alone, less those of away.
    #[serde(default)]
    pub control: i16,
    /// Lead in middle control that wins; absent under other rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_to_win: Option<i16>,
    /// Which seats have given their orders of this round.
    pub committed: [bool; 2],
    /// The viewer's own orders of this round, once given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_orders: Option<[OrderName; 2]>,
    /// Finished rounds, oldest first.
    pub rounds: Vec<RoundView>,
    /// The winner's seat and the reason, once the game is over; a draw has no winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<EndView>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndView {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<u8>,
    pub reason: String,
}

/// The stable name of a reason.
pub(crate) fn reason_name(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Kills => "two_kills",
        EndReason::ScoreAfterKills => "score_after_kills",
        EndReason::RoundCap => "round_cap",
        EndReason::SuddenDeath => "sudden_death",
        EndReason::Middle => "middle",
        EndReason::Control => "control",
    }
}

fn soldiers(board: &Battlefield, troops: &Troops) -> Vec<SoldierView> {
    Soldier::ALL
        .into_iter()
        .map(|soldier| SoldierView {
            number: soldier.index() as u8,
            seat: soldier.side().index() as u8,
            at: board.square(troops.at(soldier)).into(),
            hp: troops.hp(soldier),
        })
        .collect()
}

fn round_view(board: &Battlefield, index: usize, finished: &Finished) -> RoundView {
    let place = |floor| SquareView::from(board.square(floor));
    let round = &finished.round;
    RoundView {
        number: index as u16 + 1,
        moves: round
            .moves
            .iter()
            .map(|m| MoveView {
                soldier: m.soldier.index() as u8,
                order: m.order.into(),
                from: place(m.from),
                to: place(m.to),
                blocked: m.blocked,
            })
            .collect(),
        shots: round
            .shots
            .iter()
            .map(|s| ShotView {
                shooter: s.shooter.index() as u8,
                target: s.target.index() as u8,
                damage: s.damage.points(),
            })
            .collect(),
        falls: round
            .falls
            .iter()
            .map(|f| FallView { soldier: f.soldier.index() as u8, at: place(f.at), back_at: place(f.back_at) })
            .collect(),
        after: soldiers(board, &finished.after),
        kills: finished.after.kills,
        score: finished.after.score(),
    }
}

impl View {
    /// The view of one side, or of a spectator.
    pub(crate) fn of(state: &State, side: Option<Faction>) -> Self {
        let board = &state.board;
        View {
            map: MapJson::from(board.map()),
            soldiers: soldiers(board, &state.troops),
            kills: state.troops.kills,
            score: state.troops.score(),
            round: state.rounds(),
            round_cap: state.rules.round_cap,
            sudden_death_from: state.rules.sudden_death.map(|s| s.from_round),
            control: state.control,
            control_to_win: state.rules.middle_control.map(|control| control.lead),
            committed: state.committed.map(|action| action.is_some()),
            own_orders: side.and_then(|side| state.committed[side.index()]).map(|action: Action| action.orders),
            rounds: state.finished.iter().enumerate().map(|(i, f)| round_view(board, i, f)).collect(),
            ended: state.ending.map(|ending| EndView {
                winner: ending.winner.map(|side| side.index() as u8),
                reason: reason_name(ending.reason).to_owned(),
            }),
        }
    }

    /// The board, the troops and the rules that the view shows, or why it shows none.
    pub(crate) fn position(&self) -> Result<(Battlefield, Troops, PlayRules), String> {
        let map = Map::try_from(&self.map).map_err(|error| error.to_string())?;
        let size = map.size();
        let board = Battlefield::new(map);
        let mut troops = Troops::start(&board);
        if self.soldiers.len() != troops.at.len() {
            return Err(format!("the view shows {} soldiers instead of four", self.soldiers.len()));
        }
        for (i, soldier) in self.soldiers.iter().enumerate() {
            let floor = size.floor_at(soldier.at.into()).ok_or("a soldier stands on a cover site")?;
            troops.at[i] = floor.0;
            troops.hp[i] = soldier.hp;
        }
        troops.kills = self.kills;
        troops.score = self.score;
        let rules = PlayRules {
            round_cap: self.round_cap,
            sudden_death: self.sudden_death_from.map(|from_round| SuddenDeath { from_round }),
            middle_control: self.control_to_win.map(|lead| MiddleControl { lead }),
        };
        Ok((board, troops, rules))
    }
}
