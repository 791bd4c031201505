//! The one ranking of moves: hints, bots, reports, `best` and the candidates of simulations all use it.
//!
//! Equity is score plus leave value, corrected by the positional model while tiles are left to draw. Every play and
//! every distinct exchange is ranked by the same estimator.

use super::one_ply::OnePlyPlayer;
use super::positional::positional_features;
use super::simulation::KnownPosition;
use crate::engine::movegen::{MoveGenerator, Rack};
use crate::rules::{MIN_BAG_FOR_EXCHANGE, Play, PlayerMove, rack_value};
use crate::with_graph;
use lexicon::Tile;

/// A move with its score and equity.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedTurn {
    pub turn: PlayerMove,
    pub score: i32,
    /// Thousandths of a point.
    pub equity: i32,
}

impl RankedTurn {
    /// Equity in points.
    pub fn points(&self) -> f64 {
        self.equity as f64 / 1000.0
    }
}

/// The moves of a position by equity, best first, at most `most`; a pass where nothing else is legal.
pub fn rank_moves(player: &OnePlyPlayer<'_>, position: &KnownPosition<'_>, most: usize) -> Vec<RankedTurn> {
    let rack = prepared_rack(player, position);
    let mut plays = Vec::new();
    with_graph!(player.dictionary, graph => {
        MoveGenerator::new(graph, player.dictionary.values(), player.layout).all(position.board, &rack, &mut plays);
    });
    let equity = |play: Option<&Play>, kept: usize| {
        let score = play.map_or(0, |p| i32::from(p.score));
        positional_equity(player, position, play, score, score * 1000 + rack.keep_value(kept))
    };
    let mut order: Vec<(i32, usize)> = plays
        .iter()
        .enumerate()
        .map(|(i, play)| (equity(Some(play), rack.remaining(play.rack_tiles()).expect("plays use rack tiles")), i))
        .collect();
    order.sort_unstable_by_key(|&(equity, i)| (std::cmp::Reverse(equity), i));
    order.truncate(most);
    let ranked = |(equity, i): (i32, usize)| {
        let play = plays[i];
        RankedTurn { turn: PlayerMove::Play(play), score: play.score.into(), equity }
    };
    let mut turns: Vec<RankedTurn> = order.into_iter().map(ranked).collect();
    let full = (1usize << rack.len()) - 1;
    if position.bag() >= MIN_BAG_FOR_EXCHANGE {
        let mut exchanges = exchanges(&rack);
        exchanges.sort_by_cached_key(|(kept, tiles)| (std::cmp::Reverse(rack.keep_value(*kept)), tiles.clone()));
        exchanges.truncate(most);
        turns.extend(exchanges.into_iter().map(|(kept, tiles)| RankedTurn {
            turn: PlayerMove::Exchange(tiles),
            score: 0,
            equity: equity(None, kept),
        }));
    } else if turns.is_empty() {
        turns.push(RankedTurn { turn: PlayerMove::Pass, score: 0, equity: rack.keep_value(full) });
    }
    turns.sort_by_key(|t| std::cmp::Reverse(t.equity));
    turns.truncate(most);
    turns
}

/// The equity of any move of the position as [`rank_moves`] computes it, whether or not its words exist; `None` if the
/// rack lacks the tiles.
pub fn move_equity(
    player: &OnePlyPlayer<'_>,
    position: &KnownPosition<'_>,
    turn: &PlayerMove,
    score: i32,
) -> Option<f64> {
    let rack = prepared_rack(player, position);
    let (play, used): (Option<&Play>, Vec<Tile>) = match turn {
        PlayerMove::Play(play) => (Some(play), play.rack_tiles().collect()),
        PlayerMove::Exchange(tiles) => (None, tiles.clone()),
        PlayerMove::Pass => (None, Vec::new()),
    };
    let kept = rack.remaining(used.into_iter())?;
    let equity = positional_equity(player, position, play, score, score * 1000 + rack.keep_value(kept));
    Some(equity as f64 / 1000.0)
}

fn prepared_rack(player: &OnePlyPlayer<'_>, position: &KnownPosition<'_>) -> Rack {
    player.rack(position.rack, position.bag(), rack_value(player.dictionary, position.unseen))
}

/// Every distinct exchange: the slots kept and the tiles given back. Equal tiles are given from the lowest slot up.
fn exchanges(rack: &Rack) -> Vec<(usize, Vec<Tile>)> {
    let full = (1usize << rack.len()) - 1;
    let exchange = |kept: usize| {
        let tiles = rack.kept(full & !kept);
        (rack.remaining(tiles.iter().copied()) == Some(kept)).then_some((kept, tiles))
    };
    (0..full).filter_map(exchange).collect()
}

/// Static equity corrected by the positional model; unchanged without a model or once the bag is empty.
fn positional_equity(
    player: &OnePlyPlayer<'_>,
    position: &KnownPosition<'_>,
    play: Option<&Play>,
    score: i32,
    equity: i32,
) -> i32 {
    let bag = position.bag();
    let Some(positional) = position.positional.filter(|_| bag > 0) else {
        return equity;
    };
    let leave = equity as f64 / 1000.0 - score as f64;
    let features = positional_features(position.board, player.layout, play, leave, bag);
    equity + positional.correction(&features).round() as i32
}
