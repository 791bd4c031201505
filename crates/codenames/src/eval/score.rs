//! The study's score of clues (6.2): what people marked for a clue, summed.

use crate::rules::CardSide;

/// What one person marked for one clue in a prepared position.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    pub sides: Vec<CardSide>,
    /// Enemy words not yet revealed before the turn.
    pub enemy_left: usize,
}

/// The score of one turn: own +1, enemy −1, bystander 0; with the assassin exactly minus the enemy words left.
/// `None` for the mean over no turns.
pub fn clue_score(turns: &[Marked]) -> Option<f64> {
    let one = |turn: &Marked| {
        if turn.sides.contains(&CardSide::Assassin) {
            return -(turn.enemy_left as f64);
        }
        turn.sides
            .iter()
            .map(|side| match side {
                CardSide::Own => 1.0,
                CardSide::Enemy => -1.0,
                _ => 0.0,
            })
            .sum()
    };
    (!turns.is_empty()).then(|| turns.iter().map(one).sum::<f64>() / turns.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_the_study() {
        let marked = |sides: &[CardSide]| Marked { sides: sides.to_vec(), enemy_left: 7 };
        let turns = [
            marked(&[CardSide::Own, CardSide::Own, CardSide::Bystander]),
            marked(&[CardSide::Own, CardSide::Enemy]),
            marked(&[CardSide::Own, CardSide::Assassin]),
        ];
        assert_eq!(clue_score(&turns), Some((2.0 + 0.0 - 7.0) / 3.0));
        assert_eq!(clue_score(&[]), None);
    }
}
