//! `aim`: targets, damage, lines of fire and cover from a cell.

use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::rules::{Cover, Faction, FireLine, Soldier};
use crate::table::{Homeguard, SquareView};

/// Where from.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AimRequest {
    /// A floor cell.
    pub from: SquareView,
    /// The side that would stand there: 0 home, 1 away; the caller's own if absent.
    #[serde(default)]
    pub seat: Option<u8>,
}

/// A cover on a line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CoverOnLine {
    pub at: SquareView,
    /// `rock` or `tree`.
    pub cover: String,
    /// False for a rock right in front of the shooter.
    pub counts: bool,
}

/// One line of fire.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AimLine {
    /// The other soldier's number, 0 to 3.
    pub soldier: u8,
    pub from: SquareView,
    pub to: SquareView,
    pub damage: u8,
    pub in_range: bool,
    pub passes: Vec<SquareView>,
    pub covers: Vec<CoverOnLine>,
    /// True for the enemy that would be shot at.
    pub chosen: bool,
}

/// Lines in both directions, at the enemies' present cells.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AimAnswer {
    pub outgoing: Vec<AimLine>,
    pub incoming: Vec<AimLine>,
}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "aim",
        "From a cell: the target, the damage, the line of fire, and the return fire.",
        Cost::Light,
        Needs::View,
        json!({ "from": { "x": 4, "y": 4 } }),
        run,
    )
}

fn run(_: &Homeguard, request: AimRequest, call: ServiceCall<'_, Homeguard>) -> Result<AimAnswer, ServiceError> {
    let seat = request.seat.or(call.viewer.seat().map(|seat| seat.0)).unwrap_or(0);
    let side = if seat == 1 { Faction::Away } else { Faction::Home };
    let view = call.view.ok_or_else(|| ServiceError::BadRequest("aim is about a table".to_owned()))?;
    let (board, troops, _) = view.position().map_err(ServiceError::BadRequest)?;
    let SquareView { x, y } = request.from;
    let from = board.map().size().floor_at(request.from.into()).ok_or_else(|| {
        ServiceError::BadRequest(format!("({x}, {y}) is not a floor cell: column and row must have an even sum"))
    })?;
    let enemies = (!side).soldiers();
    let damage = enemies.map(|enemy| board.damage(from, troops.at(enemy)).points());
    // the greater damage, ties to enemy number one
    let chosen = (damage[0].max(damage[1]) > 0).then_some(usize::from(damage[1] > damage[0]));
    let outgoing = (0..2).map(|i| line(&board.fire_line(from, troops.at(enemies[i])), enemies[i], chosen == Some(i)));
    let incoming = enemies.iter().map(|enemy| line(&board.fire_line(troops.at(*enemy), from), *enemy, false));
    Ok(AimAnswer { outgoing: outgoing.collect(), incoming: incoming.collect() })
}

fn line(line: &FireLine, soldier: Soldier, chosen: bool) -> AimLine {
    AimLine {
        soldier: soldier.index() as u8,
        from: line.from.into(),
        to: line.to.into(),
        damage: line.damage.points(),
        in_range: line.in_range,
        passes: line.passes.iter().map(|square| SquareView::from(*square)).collect(),
        covers: line
            .obstacles
            .iter()
            .map(|o| CoverOnLine {
                at: o.square.into(),
                cover: if o.cover == Cover::Long { "tree" } else { "rock" }.to_owned(),
                counts: o.counts,
            })
            .collect(),
        chosen,
    }
}
