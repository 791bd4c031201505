//! What a player goes by.

use crate::meaning::Person;
use crate::rules::{Clue, Side};

/// One card as the player sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub word: String,
    pub side: Side,
    /// Not yet turned.
    pub open: bool,
}

/// One turn, finished or running.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// Whether the player's own side gave the clue.
    pub own: bool,
    pub clue: Clue,
    /// Cards touched, in order, with what they turned out to be.
    pub guesses: Vec<(usize, Side)>,
    /// Cards the clue was meant for, where the player knows (its own clues).
    pub meant: Vec<usize>,
}

/// The cards and the turns so far; the last turn is the running one when the player is to guess.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Situation {
    pub cards: Vec<Card>,
    pub turns: Vec<Past>,
    /// Agents not yet found, own and the enemy's.
    pub own_left: usize,
    pub enemy_left: usize,
    pub assassins_left: usize,
    /// The person the player plays with, as far as it is remembered.
    pub person: Person,
}

impl Situation {
    /// A situation with all sides known: what a giver sees.
    pub fn of_key(cards: Vec<Card>, turns: Vec<Past>) -> Situation {
        let left = |side: Side| cards.iter().filter(|c| c.open && c.side == side).count();
        let (own_left, enemy_left, assassins_left) = (left(Side::Own), left(Side::Enemy), left(Side::Assassin));
        Situation { cards, turns, own_left, enemy_left, assassins_left, person: Person::default() }
    }

    /// Places of the cards not yet turned.
    pub fn open(&self) -> Vec<usize> {
        (0..self.cards.len()).filter(|&i| self.cards[i].open).collect()
    }

    /// Words of the cards not yet turned.
    pub fn open_words(&self) -> Vec<&str> {
        self.cards.iter().filter(|c| c.open).map(|c| c.word.as_str()).collect()
    }

    /// Whether a clue was given before, in any spelling of case.
    pub fn said(&self, clue: &str) -> bool {
        self.turns.iter().any(|t| t.clue.word.eq_ignore_ascii_case(clue) || t.clue.word.to_lowercase() == clue)
    }

    /// The sides hidden, as a guesser sees the same table.
    pub fn hidden(&self) -> Situation {
        let mut seen = self.clone();
        for card in seen.cards.iter_mut().filter(|c| c.open) {
            card.side = Side::Unknown;
        }
        for turn in &mut seen.turns {
            turn.meant.clear();
        }
        seen
    }
}
