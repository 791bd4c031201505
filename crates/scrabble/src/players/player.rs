//! What every engine player sees and answers.

use crate::rules::{Board, Turn};
use lexicon::Tile;

/// Everything a player may know when it is to move in a two-player game.
pub struct Seen<'s> {
    pub board: &'s Board,
    pub rack: &'s [Tile],
    /// Tiles in the bag.
    pub bag: usize,
    /// Tiles on the other rack.
    pub other_rack: usize,
    /// Bag and other rack together, in order.
    pub unseen: Vec<Tile>,
    /// What the other rack is worth; used only when the bag is empty, when it is known.
    pub other_worth: i32,
    /// Own score, then the other's.
    pub scores: [i32; 2],
    /// Turns in a row without a play.
    pub idle: u8,
    /// The other's last turn.
    pub last: Option<&'s Turn>,
    /// For whatever is random.
    pub seed: u64,
}

/// A player of the two-player game.
pub trait Player {
    /// Decides a turn.
    fn choose(&mut self, seen: &Seen<'_>) -> Turn;
}

impl Player for super::Quick<'_> {
    fn choose(&mut self, seen: &Seen<'_>) -> Turn {
        super::Quick::choose(self, seen.board, seen.rack, seen.bag, seen.other_worth)
    }
}
