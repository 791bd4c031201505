//! Costs of wrong cards.

use crate::engine::BoardPosition;

/// Costs of wrong cards, in own cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    pub enemy: f64,
    pub bystander: f64,
    pub assassin: f64,
}

impl Costs {
    /// Costs for a spymaster: an operative's costs with the assassin's multiplied by `assassin_penalty`.
    pub fn for_spymaster(position: &BoardPosition, assassin_penalty: f64) -> Costs {
        let costs = Costs::for_operative(position);
        Costs { assassin: assassin_penalty * costs.assassin, ..costs }
    }

    /// Costs by the score: the side that is behind pays less for bystanders and takes more risk.
    pub fn for_operative(position: &BoardPosition) -> Costs {
        let (own, enemy) = (position.own_left as f64, position.enemy_left as f64);
        let ahead = ((enemy - own) / 4.0).clamp(-1.0, 1.0);
        let late = if position.enemy_left == 1 { 0.3 } else { 1.0 };
        Costs {
            enemy: 0.3,
            bystander: (0.05 + 0.02 * ahead) * late,
            assassin: (8.0 + 2.0 * ahead) * (0.5 + 0.5 * late),
        }
    }
}
