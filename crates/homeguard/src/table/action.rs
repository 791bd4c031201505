//! The action of a seat: one order for each of its soldiers.

use game::RuleError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::Order;

/// An order by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderName {
    Stay,
    NorthWest,
    NorthEast,
    SouthWest,
    SouthEast,
    Portal,
}

impl From<Order> for OrderName {
    fn from(order: Order) -> Self {
        match order {
            Order::Stay => OrderName::Stay,
            Order::NorthWest => OrderName::NorthWest,
            Order::NorthEast => OrderName::NorthEast,
            Order::SouthWest => OrderName::SouthWest,
            Order::SouthEast => OrderName::SouthEast,
            Order::Portal => OrderName::Portal,
        }
    }
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Self {
        match name {
            OrderName::Stay => Order::Stay,
            OrderName::NorthWest => Order::NorthWest,
            OrderName::NorthEast => Order::NorthEast,
            OrderName::SouthWest => Order::SouthWest,
            OrderName::SouthEast => Order::SouthEast,
            OrderName::Portal => Order::Portal,
        }
    }
}

impl OrderName {
    /// Short form for move lists.
    pub fn short(self) -> &'static str {
        match self {
            OrderName::Stay => "-",
            OrderName::NorthWest => "nw",
            OrderName::NorthEast => "ne",
            OrderName::SouthWest => "sw",
            OrderName::SouthEast => "se",
            OrderName::Portal => "p",
        }
    }

    fn read(word: &str) -> Result<Self, RuleError> {
        Ok(match word.to_lowercase().as_str() {
            "-" | "s" | "stay" => OrderName::Stay,
            "nw" | "north_west" => OrderName::NorthWest,
            "ne" | "north_east" => OrderName::NorthEast,
            "sw" | "south_west" => OrderName::SouthWest,
            "se" | "south_east" => OrderName::SouthEast,
            "p" | "portal" => OrderName::Portal,
            other => {
                let message = format!("'{other}' is no order: use stay, nw, ne, sw, se or portal");
                return Err(RuleError::new("homeguard.no_order", message));
            }
        })
    }
}

/// The orders a seat commits for its first and second soldier; hidden until both seats have committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Action {
    pub orders: [OrderName; 2],
}

impl Action {
    /// An action from orders.
    pub fn of(orders: [Order; 2]) -> Self {
        Action { orders: orders.map(OrderName::from) }
    }

    /// The orders themselves.
    pub fn orders(&self) -> [Order; 2] {
        self.orders.map(Order::from)
    }

    /// `se -`: the orders of both soldiers.
    pub fn write(&self) -> String {
        format!("{} {}", self.orders[0].short(), self.orders[1].short())
    }

    /// Reads the output of [`Action::write`], and the long names.
    pub fn read(text: &str) -> Result<Self, RuleError> {
        let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            [a, b] => Ok(Action { orders: [OrderName::read(a)?, OrderName::read(b)?] }),
            _ => Err(RuleError::new(
                "homeguard.two_orders",
                format!("'{text}' is not two orders: one for each soldier is needed, such as 'se stay'"),
            )),
        }
    }
}
