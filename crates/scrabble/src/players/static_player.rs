//! The static player: the score, what is kept, and a learned price for what the turn does to the turns after it; an
//! exact search once the bag is empty.

use super::quick::best_exchange;
use super::{Outlook, Player, Quick, Seen, Style, endgame_turn, figures};
use crate::endgame::Limits;
use crate::movegen::Generator;
use crate::rules::{EXCHANGE_NEEDS, Play, Turn};
use crate::with_graph;

/// Plays more than this below the best are not looked at closely, in thousandths of a point.
const CLOSE: i32 = 15_000;

/// The static player with a short exact search once the bag is empty.
#[derive(Clone, Copy)]
pub struct StaticPlayer<'a> {
    pub quick: Quick<'a>,
    pub outlook: &'a Outlook,
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
        let corrected = |play: Option<&Play>, equity: i32| {
            let kept = equity as f64 / 1000.0 - play.map_or(0.0, |p| p.score as f64);
            equity as f64 + self.outlook.correction(&figures(seen.board, quick.layout, play, kept, seen.bag))
        };
        let close = plays.iter().map(|p| (p, equity(p))).filter(|(_, e)| *e >= best - CLOSE);
        let chosen = close.map(|(p, e)| (corrected(Some(p), e), p)).max_by(|a, b| a.0.total_cmp(&b.0));
        let exchange = if seen.bag >= EXCHANGE_NEEDS { best_exchange(&rack, Style::Static) } else { None };
        match (chosen, exchange) {
            (Some((value, play)), Some((_, equity))) if value >= corrected(None, equity) => Turn::Play(*play),
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
