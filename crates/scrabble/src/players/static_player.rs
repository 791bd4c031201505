//! The static player: the score, what is kept, less what the play opens to the other; and a short exact search once
//! the bag is empty.

use super::quick::best_exchange;
use super::weighted::opened;
use super::{Player, Quick, Seen, Style, endgame_turn};
use crate::endgame::Limits;
use crate::movegen::Generator;
use crate::rules::{EXCHANGE_NEEDS, Play, Turn};
use crate::with_graph;

/// What a unit of premium squares opened to the other costs, in thousandths of a point; fitted by matches against
/// greedy (docs/results/scrabble.md).
const OPENED: f64 = 450.0;

/// Plays more than this below the best are not looked at closely, in thousandths of a point.
const CLOSE: i32 = 15_000;

/// The static player with a short exact search once the bag is empty.
#[derive(Clone, Copy)]
pub struct StaticPlayer<'a> {
    pub quick: Quick<'a>,
    /// Nodes of the endgame search.
    pub nodes: u64,
}

impl StaticPlayer<'_> {
    fn with_bag(&self, seen: &Seen<'_>) -> Turn {
        let quick = Quick { style: Style::Static, ..self.quick };
        let rack = quick.rack(seen.rack, seen.bag, seen.other_worth);
        let mut plays = Vec::new();
        with_graph!(quick.dictionary, graph => {
            Generator::new(graph, quick.dictionary.values(), quick.layout).all(seen.board, &rack, &mut plays);
        });
        let equity = |play: &Play| {
            let kept = rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
            play.score as i32 * 1000 + rack.keep_value(kept)
        };
        let best = plays.iter().map(equity).max().unwrap_or(i32::MIN / 2);
        let close = plays.iter().map(|p| (p, equity(p))).filter(|(_, e)| *e >= best - CLOSE);
        let corrected = close.map(|(p, e)| (e as f64 - OPENED * opened(seen.board, quick.layout, p), p));
        let chosen = corrected.max_by(|a, b| a.0.total_cmp(&b.0));
        let exchange = if seen.bag >= EXCHANGE_NEEDS { best_exchange(&rack, Style::Static) } else { None };
        match (chosen, exchange) {
            (Some((value, play)), Some((_, equity))) if value >= equity as f64 => Turn::Play(*play),
            (_, Some((mask, _))) => Turn::Exchange(rack.kept(!mask & ((1 << rack.len()) - 1))),
            (Some((_, play)), None) => Turn::Play(*play),
            (None, None) => Turn::Pass,
        }
    }
}

impl Player for StaticPlayer<'_> {
    fn choose(&mut self, seen: &Seen<'_>) -> Turn {
        if seen.bag == 0 {
            let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
            return endgame_turn(&self.quick, seen.board, seen.rack, &seen.unseen, seen.idle > 0, limits).0;
        }
        self.with_bag(seen)
    }
}
