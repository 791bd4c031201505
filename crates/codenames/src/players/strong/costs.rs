//! What wrong cards cost.

use crate::players::Situation;

/// What wrong cards cost, in own cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    pub enemy: f64,
    pub bystander: f64,
    pub assassin: f64,
}

impl Costs {
    /// What a giver reckons with who fears the assassin so many times more than a guesser does.
    pub fn of_giver(situation: &Situation, dread: f64) -> Costs {
        let costs = Costs::of(situation);
        Costs { assassin: dread * costs.assassin, ..costs }
    }

    /// Costs that depend on the score: who is behind fears bystanders less and dares more.
    pub fn of(situation: &Situation) -> Costs {
        let (own, enemy) = (situation.own_left as f64, situation.enemy_left as f64);
        let ahead = ((enemy - own) / 4.0).clamp(-1.0, 1.0);
        let late = if situation.enemy_left == 1 { 0.3 } else { 1.0 };
        Costs {
            enemy: 0.3,
            bystander: (0.05 + 0.02 * ahead) * late,
            assassin: (8.0 + 2.0 * ahead) * (0.5 + 0.5 * late),
        }
    }
}
