//! Dealing words and keys.

use super::{Role, Team};
use game::GameRng;
use rand::seq::SliceRandom;

/// Cards on a board.
pub const BOARD: usize = 25;

/// Takes 25 different words of a list.
pub fn deal_words(list: &[String], rng: &mut GameRng) -> Vec<String> {
    let mut words = list.to_vec();
    words.shuffle(rng);
    words.truncate(BOARD);
    words
}

/// The classic key: nine agents of the starting team, eight of the other, seven bystanders, one assassin.
pub fn deal_classic(starts: Team, rng: &mut GameRng) -> Vec<Role> {
    let mut roles = vec![Role::of(starts); 9];
    roles.extend([Role::of(starts.other()); 8]);
    roles.extend([Role::Bystander; 7]);
    roles.push(Role::Assassin);
    roles.shuffle(rng);
    roles
}

/// What the two sides of a Duet key show for every card.
pub type DuetKey = [Vec<Role>; 2];

/// The Duet key: each side shows nine agents and three assassins; fifteen agents in all.
///
/// Of one side's nine agents three are agents on the other side too, five are bystanders there and one is an
/// assassin there; of its three assassins one is an assassin on both sides (rules of Codenames Duet).
pub fn deal_duet(rng: &mut GameRng) -> DuetKey {
    use Role::{Agent as A, Assassin as X, Bystander as B};
    let mut pairs = vec![(A, A); 3];
    pairs.extend([(A, B); 5]);
    pairs.extend([(B, A); 5]);
    pairs.extend([(A, X), (X, A), (X, X), (X, B), (B, X)]);
    pairs.extend([(B, B); 7]);
    pairs.shuffle(rng);
    [pairs.iter().map(|p| p.0).collect(), pairs.iter().map(|p| p.1).collect()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_printed_counts() {
        let mut rng = game::Seed(7).rng(1);
        let key = deal_classic(Team::Blue, &mut rng);
        let count = |role| key.iter().filter(|r| **r == role).count();
        assert_eq!([count(Role::Blue), count(Role::Red), count(Role::Bystander), count(Role::Assassin)], [9, 8, 7, 1]);
        let duet = deal_duet(&mut rng);
        for side in &duet {
            assert_eq!(side.len(), BOARD);
            assert_eq!(side.iter().filter(|r| **r == Role::Agent).count(), 9);
            assert_eq!(side.iter().filter(|r| **r == Role::Assassin).count(), 3);
        }
        let agents = (0..BOARD).filter(|&i| duet[0][i] == Role::Agent || duet[1][i] == Role::Agent).count();
        assert_eq!(agents, 15);
    }
}
