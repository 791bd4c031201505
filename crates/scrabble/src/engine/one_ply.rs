//! One-ply evaluation: the best move by score (greedy) or by equity, score plus leave value (static).

use crate::engine::movegen::{AnchorCache, Best, LeaveValues, MAX_RACK, MoveGenerator, NoLeaves, Rack};
use crate::rules::{Dictionary, LaneSet, Layout, MIN_BAG_FOR_EXCHANGE, PlayerMove, TileBoard};
use crate::{LeaveModel, with_graph};
use lexicon::{Tile, WalkArc};

/// What moves are sorted by, as in Quackle and MAGPIE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSort {
    /// Only the score.
    Score,
    /// Score plus leave value.
    Equity,
}

/// Takes the move of highest score or equity from one move generation.
#[derive(Clone, Copy)]
pub struct OnePlyPlayer<'a> {
    pub dictionary: &'a Dictionary,
    pub layout: &'a Layout,
    pub leaves: &'a LeaveModel,
    pub sort: MoveSort,
}

/// Leave values once the bag is empty: a kept tile costs twice its value (lost here, gained by the opponent) plus ten
/// points for the turn; going out gains twice the value of the opponent's rack.
pub(crate) struct EndLeaves<'v> {
    pub values: &'v [i32; 64],
    /// Sum of the opponent's tile values.
    pub other: i32,
}

impl LeaveValues for EndLeaves<'_> {
    fn fill(&self, slots: &[Tile], table: &mut [i32; 1 << MAX_RACK]) {
        for (mask, value) in table[..1 << slots.len()].iter_mut().enumerate() {
            let kept: i32 =
                (0..slots.len()).filter(|i| mask >> i & 1 == 1).map(|i| self.values[slots[i] as usize]).sum();
            *value = if mask == 0 { self.other * 2000 } else { -kept * 2000 - 10_000 };
        }
    }
}

impl OnePlyPlayer<'_> {
    /// The rack with leave values for a bag of `bag` tiles; `unseen` is the sum of the unseen tile values.
    pub fn rack(&self, rack: &[Tile], bag: usize, unseen: i32) -> Rack {
        match self.sort {
            MoveSort::Score => Rack::new(rack, &NoLeaves),
            MoveSort::Equity if bag > 0 => Rack::new(rack, self.leaves),
            MoveSort::Equity => Rack::new(rack, &EndLeaves { values: self.dictionary.values(), other: unseen }),
        }
    }

    /// The best move.
    pub fn choose(&self, board: &TileBoard, rack: &[Tile], bag: usize, unseen: i32) -> PlayerMove {
        with_graph!(self.dictionary, graph => {
            let generator = MoveGenerator::new(graph, self.dictionary.values(), self.layout);
            self.choose_with(&generator, board, rack, bag, unseen).0
        })
    }

    /// Same with a shared generator; also returns the move's equity.
    pub fn choose_with<A: WalkArc>(
        &self,
        generator: &MoveGenerator<'_, A>,
        board: &TileBoard,
        rack: &[Tile],
        bag: usize,
        unseen: i32,
    ) -> (PlayerMove, i32) {
        let prepared = self.rack(rack, bag, unseen);
        self.choose_cached(generator, board, LaneSet::ALL, &mut generator.cache(&prepared), bag)
    }

    /// Same with results cached from boards that share all but the `changed` lanes.
    pub fn choose_cached<A: WalkArc>(
        &self,
        generator: &MoveGenerator<'_, A>,
        board: &TileBoard,
        changed: LaneSet,
        cache: &mut AnchorCache<'_>,
        bag: usize,
    ) -> (PlayerMove, i32) {
        let rack = cache.rack();
        let full = (1 << rack.len()) - 1;
        let exchange = if bag >= MIN_BAG_FOR_EXCHANGE { best_exchange(rack, self.sort) } else { None };
        // with an empty bag any play beats the floor
        let floor = exchange.map_or(i32::MIN / 8, |(_, equity)| equity);
        match (generator.best_cached(board, changed, cache, floor), exchange) {
            (Some(Best { play, equity, .. }), _) => (PlayerMove::Play(play), equity),
            (None, Some((mask, equity))) => (PlayerMove::Exchange(rack.kept(!mask & full)), equity),
            (None, None) => (PlayerMove::Pass, rack.keep_value(full)),
        }
    }
}

/// The best leave of an exchange of at least one tile: greedy exchanges the whole rack.
fn best_exchange(rack: &Rack, sort: MoveSort) -> Option<(usize, i32)> {
    if rack.is_empty() {
        return None;
    }
    let full = (1usize << rack.len()) - 1;
    match sort {
        MoveSort::Score => Some((0, 0)),
        MoveSort::Equity => (0..full).map(|mask| (mask, rack.keep_value(mask))).max_by_key(|&(mask, v)| (v, mask)),
    }
}
