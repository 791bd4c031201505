//! The interface of an engine player.

use crate::rules::{PlayerMove, TileBoard};
use lexicon::Tile;

/// What the player to move in a two-player game may know.
pub struct PlayerView<'s> {
    pub board: &'s TileBoard,
    pub rack: &'s [Tile],
    /// Tiles in the bag.
    pub bag: usize,
    /// Tiles on the opponent's rack.
    pub opponent_tiles: usize,
    /// Bag and opponent's rack together, sorted.
    pub unseen: Vec<Tile>,
    /// Sum of the opponent's tile values; used only when the bag is empty and the rack therefore known.
    pub opponent_rack_value: i32,
    /// Own score, then the opponent's.
    pub scores: [i32; 2],
    /// Consecutive passes.
    pub idle: u8,
    /// The opponent's last move.
    pub last: Option<&'s PlayerMove>,
    /// Seed of every random choice.
    pub seed: u64,
}

/// A player of the two-player game.
pub trait EnginePlayer {
    /// Chooses a move.
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove;
}

impl EnginePlayer for crate::engine::OnePlyPlayer<'_> {
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        crate::engine::OnePlyPlayer::choose(self, seen.board, seen.rack, seen.bag, seen.opponent_rack_value)
    }
}
