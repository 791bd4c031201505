//! The static player: score, leave value and positional model; a short exact search once the bag is empty.

use super::{EnginePlayer, PlayerView, endgame_turn};
use crate::engine::endgame::EndgameLimits;
use crate::engine::simulation::KnownPosition;
use crate::engine::{MoveSort, OnePlyPlayer, PositionalModel, rank_moves};
use crate::rules::PlayerMove;

/// Static evaluation with a short endgame search.
#[derive(Clone, Copy)]
pub struct StaticPlayer<'a> {
    pub one_ply: OnePlyPlayer<'a>,
    pub positional: &'a PositionalModel,
    /// Node limit of the endgame search.
    pub nodes: u64,
}

impl EnginePlayer for StaticPlayer<'_> {
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        let one_ply = OnePlyPlayer { sort: MoveSort::Equity, ..self.one_ply };
        if seen.bag == 0 {
            let limits = EndgameLimits { nodes: Some(self.nodes), ..EndgameLimits::default() };
            return endgame_turn(&one_ply, seen.board, seen.rack, &seen.unseen, seen.idle > 0, limits).0;
        }
        let position = KnownPosition {
            board: seen.board,
            rack: seen.rack,
            unseen: &seen.unseen,
            opponent_tiles: seen.opponent_tiles,
            opponent_known: &[],
            lead: seen.scores[0] - seen.scores[1],
            inference: None,
            positional: Some(self.positional),
        };
        rank_moves(&one_ply, &position, 1).into_iter().next().map_or(PlayerMove::Pass, |ranked| ranked.turn)
    }
}
