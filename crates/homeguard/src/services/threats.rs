//! `threats`: the damage at each cell after the enemy's next move.

use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::rules::{Faction, Order};
use crate::table::{Homeguard, SquareView};

/// The side in danger.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreatsRequest {
    /// The side in danger: 0 home, 1 away; the caller's own if absent.
    #[serde(default)]
    pub seat: Option<u8>,
}

/// One cell.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CellThreat {
    pub at: SquareView,
    /// The worst single shot: 10, 5 or 0.
    pub worst: u8,
    /// The worst shot of each of the two enemies.
    pub by: [u8; 2],
}

/// Every floor cell.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ThreatsAnswer {
    pub cells: Vec<CellThreat>,
}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "threats",
        "For every floor cell the worst shot it could take after the enemy's next move.",
        Cost::Light,
        Needs::View,
        json!({}),
        run,
    )
}

fn run(
    _: &Homeguard,
    request: ThreatsRequest,
    call: ServiceCall<'_, Homeguard>,
) -> Result<ThreatsAnswer, ServiceError> {
    let seat = request.seat.or(call.viewer.seat().map(|seat| seat.0)).unwrap_or(0);
    let side = if seat == 1 { Faction::Away } else { Faction::Home };
    let view = call.view.ok_or_else(|| ServiceError::BadRequest("threats is about a table".to_owned()))?;
    let (board, troops, _) = view.position().map_err(ServiceError::BadRequest)?;
    let enemies = (!side).soldiers();
    // cells each enemy can reach; its mate may make room, so only its own steps count
    let reach = enemies
        .map(|enemy| Order::ALL.iter().filter_map(|order| board.target(troops.at(enemy), *order)).collect::<Vec<_>>());
    let cells = board
        .map()
        .size()
        .all_floors()
        .map(|cell| {
            let by = [0, 1].map(|i| reach[i].iter().map(|from| board.damage(*from, cell).points()).max().unwrap_or(0));
            CellThreat { at: board.square(cell).into(), worst: by[0].max(by[1]), by }
        })
        .collect();
    Ok(ThreatsAnswer { cells })
}
