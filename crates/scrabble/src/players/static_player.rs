//! The static player: score, leave value and positional model; a short exact search once the bag is empty.

use super::{EnginePlayer, PlayerView, endgame_turn};
use crate::engine::endgame::EndgameLimits;
use crate::engine::movegen::MoveGenerator;
use crate::engine::{MoveSort, OnePlyPlayer, PositionalModel, best_exchange, positional_features};
use crate::rules::{MIN_BAG_FOR_EXCHANGE, Play, PlayerMove};
use crate::with_graph;

/// Plays this far below the best get no positional correction, in thousandths of a point.
const CLOSE: i32 = 15_000;

/// Static evaluation with a short endgame search.
#[derive(Clone, Copy)]
pub struct StaticPlayer<'a> {
    pub one_ply: OnePlyPlayer<'a>,
    pub positional: &'a PositionalModel,
    /// Node limit of the endgame search.
    pub nodes: u64,
}

impl StaticPlayer<'_> {
    fn with_bag(&self, seen: &PlayerView<'_>) -> PlayerMove {
        let one_ply = OnePlyPlayer { sort: MoveSort::Equity, ..self.one_ply };
        let rack = one_ply.rack(seen.rack, seen.bag, seen.opponent_rack_value);
        let mut plays = Vec::new();
        with_graph!(one_ply.dictionary, graph => {
            MoveGenerator::new(graph, one_ply.dictionary.values(), one_ply.layout).all(seen.board, &rack, &mut plays);
        });
        let equity = |play: &Play| {
            let kept = rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
            play.score as i32 * 1000 + rack.keep_value(kept)
        };
        let best = plays.iter().map(equity).max().unwrap_or(i32::MIN / 2);
        let corrected = |play: Option<&Play>, equity: i32| {
            let kept = equity as f64 / 1000.0 - play.map_or(0.0, |p| p.score as f64);
            equity as f64
                + self.positional.correction(&positional_features(seen.board, one_ply.layout, play, kept, seen.bag))
        };
        let close = plays.iter().map(|p| (p, equity(p))).filter(|(_, e)| *e >= best - CLOSE);
        let chosen = close.map(|(p, e)| (corrected(Some(p), e), p)).max_by(|a, b| a.0.total_cmp(&b.0));
        let exchange = if seen.bag >= MIN_BAG_FOR_EXCHANGE { best_exchange(&rack, MoveSort::Equity) } else { None };
        match (chosen, exchange) {
            (Some((value, play)), Some((_, equity))) if value >= corrected(None, equity) => PlayerMove::Play(*play),
            (_, Some((mask, _))) => PlayerMove::Exchange(rack.kept(!mask & ((1 << rack.len()) - 1))),
            (Some((_, play)), None) => PlayerMove::Play(*play),
            (None, None) => PlayerMove::Pass,
        }
    }
}

impl EnginePlayer for StaticPlayer<'_> {
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        if seen.bag == 0 {
            let limits = EndgameLimits { nodes: Some(self.nodes), ..EndgameLimits::default() };
            return endgame_turn(&self.one_ply, seen.board, seen.rack, &seen.unseen, seen.idle > 0, limits).0;
        }
        self.with_bag(seen)
    }
}
