//! The position a player decides from.

use super::meaning::PersonProfile;
use crate::rules::{CardSide, Clue};

/// One card as the player sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub word: String,
    pub side: CardSide,
    /// Not yet turned.
    pub open: bool,
}

/// One turn, finished or running.
#[derive(Clone, Debug, PartialEq)]
pub struct PastTurn {
    /// Whether the player's own side gave the clue.
    pub own: bool,
    pub clue: Clue,
    /// Cards touched, in order, with their sides.
    pub guesses: Vec<(usize, CardSide)>,
    /// Cards the clue was meant for, where the player knows them (its own clues).
    pub meant: Vec<usize>,
}

/// The cards and the turns so far; when the player is to guess, the last turn is the running one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardPosition {
    pub cards: Vec<Card>,
    pub turns: Vec<PastTurn>,
    /// Own agents not yet found.
    pub own_left: usize,
    /// Enemy agents not yet found.
    pub enemy_left: usize,
    pub assassins_left: usize,
    /// What is remembered of the person the player plays with.
    pub person: PersonProfile,
}

impl BoardPosition {
    /// A position with all sides known: what a spymaster sees.
    pub fn of_key(cards: Vec<Card>, turns: Vec<PastTurn>) -> BoardPosition {
        let left = |side: CardSide| cards.iter().filter(|c| c.open && c.side == side).count();
        let (own_left, enemy_left, assassins_left) =
            (left(CardSide::Own), left(CardSide::Enemy), left(CardSide::Assassin));
        BoardPosition { cards, turns, own_left, enemy_left, assassins_left, person: PersonProfile::default() }
    }

    /// Indices of the open cards.
    pub fn open(&self) -> Vec<usize> {
        (0..self.cards.len()).filter(|&i| self.cards[i].open).collect()
    }

    /// Words of the open cards.
    pub fn open_words(&self) -> Vec<&str> {
        self.cards.iter().filter(|c| c.open).map(|c| c.word.as_str()).collect()
    }

    /// Whether a clue was given before, ignoring case.
    pub fn said(&self, clue: &str) -> bool {
        self.turns.iter().any(|t| t.clue.word.eq_ignore_ascii_case(clue) || t.clue.word.to_lowercase() == clue)
    }

    /// The same position as an operative sees it: sides and meanings hidden.
    pub fn hidden(&self) -> BoardPosition {
        let mut seen = self.clone();
        for card in seen.cards.iter_mut().filter(|c| c.open) {
            card.side = CardSide::Unknown;
        }
        for turn in &mut seen.turns {
            turn.meant.clear();
        }
        seen
    }
}
