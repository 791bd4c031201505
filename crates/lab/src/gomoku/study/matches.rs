//! Matches of the study's players against players of the house: paired openings, colours swapped.

use serde::{Deserialize, Serialize};

use super::games::{Actor, Start, opening, play};
use crate::gomoku::duel::Tally;

/// Who is played against. The study's programs are not at hand; these stand for a weak, a middling and a strong one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    Heuristic,
    Foundation,
    Pattern,
}

impl Opponent {
    pub const ALL: [Self; 3] = [Self::Heuristic, Self::Foundation, Self::Pattern];

    /// How it is called in tables.
    pub fn label(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::Foundation => "foundation 300 nodes",
            Self::Pattern => "pattern 500 nodes",
        }
    }

    fn actor(self) -> Option<Actor> {
        match self {
            Self::Heuristic => Actor::named("heuristic", 0),
            Self::Foundation => Actor::named("foundation", 300),
            Self::Pattern => Actor::named("pattern", 500),
        }
    }
}

/// A match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scored {
    pub player: String,
    pub opponent: String,
    pub games: u32,
    /// Share of points of the player, and its standard error.
    pub score: f64,
    pub error: f64,
}

/// Plays `games` games, two from each opening.
pub fn match_against(name: &str, mut player: Actor, opponent: Opponent, games: usize, seed: u64) -> Scored {
    let mut other = opponent.actor().expect("opponents have known names");
    let mut tally = Tally::default();
    for pair in 0..games.div_ceil(2) as u64 {
        let stones = opening(Start::Random, seed ^ 0x6d61_7463 ^ pair << 16);
        let points = |result: u8| f64::from(result) / 2.0;
        let first = points(play([&mut player, &mut other], &stones, seed ^ pair).result);
        let second = 1.0 - points(play([&mut other, &mut player], &stones, seed ^ pair).result);
        tally.add(first + second);
    }
    let opponent = opponent.label().to_owned();
    Scored { player: name.to_owned(), opponent, games: tally.games(), score: tally.score(), error: tally.error() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_worth_half_the_points_against_itself() {
        let heuristic = Actor::named("heuristic", 0).expect("a known name");
        let scored = match_against("heuristic", heuristic, Opponent::Heuristic, 4, 3);
        assert_eq!((scored.games, scored.score), (4, 0.5));
        assert_eq!(scored.opponent, "heuristic");
    }
}
