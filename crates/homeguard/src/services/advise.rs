//! `advise`: orders for one soldier or both.

use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::engine::search::{RoundContext, guaranteed};
use crate::players::SkillLevel;
use crate::rules::{Faction, Order};
use crate::table::{Homeguard, OrderName};

/// The orders to complete.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdviseRequest {
    /// Order of the first soldier, if it is settled.
    #[serde(default)]
    pub first: Option<OrderName>,
    /// Order of the second soldier, if it is settled.
    #[serde(default)]
    pub second: Option<OrderName>,
    /// Strength of the adviser.
    #[serde(default = "usual")]
    pub level: String,
}

fn usual() -> String {
    "major".to_owned()
}

/// Advice.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AdviseAnswer {
    pub orders: [OrderName; 2],
    /// Worst-case gain of these orders in this round, in hit points.
    pub guaranteed: i16,
}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "advise",
        "Orders for the soldiers that have none yet, fitting those that are settled.",
        Cost::Light,
        Needs::View,
        json!({ "second": "stay", "level": "maximin" }),
        run,
    )
}

fn run(_: &Homeguard, request: AdviseRequest, call: ServiceCall<'_, Homeguard>) -> Result<AdviseAnswer, ServiceError> {
    let level = SkillLevel::find(&request.level)
        .ok_or_else(|| ServiceError::BadRequest(format!("there is no level '{}'", request.level)))?;
    let side = match call.viewer.seat() {
        Some(seat) if seat.0 == 1 => Faction::Away,
        _ => Faction::Home,
    };
    let view = call.view.ok_or_else(|| ServiceError::BadRequest("advise is about a table".to_owned()))?;
    let (board, troops, rules) = view.position().map_err(ServiceError::BadRequest)?;
    let settled = [request.first.map(Order::from), request.second.map(Order::from)];
    let fits = |pair: &[Order; 2]| settled.iter().zip(pair).all(|(want, order)| want.is_none_or(|w| w == *order));
    let stop = call.control.stop_flag();
    let context = RoundContext {
        board: &board,
        troops: &troops,
        side,
        rules: &rules,
        rounds_played: view.round,
        control: view.control,
    };
    let played = level.play(&context, level.budget, call.seed, Some(&stop));
    let orders = if fits(&played.orders) {
        Some(played.orders)
    } else {
        // the likeliest fitting pair of its mixed strategy, else the one that guarantees most
        played.strategy.iter().map(|(pair, _)| *pair).find(&fits).or_else(|| {
            let pairs = troops.order_pairs(&board, side);
            pairs.into_iter().filter(&fits).max_by_key(|pair| guaranteed(&board, &troops, side, *pair))
        })
    };
    let orders = orders
        .ok_or_else(|| ServiceError::BadRequest("no legal pair of orders contains the settled one".to_owned()))?;
    Ok(AdviseAnswer { orders: orders.map(OrderName::from), guaranteed: guaranteed(&board, &troops, side, orders) })
}
