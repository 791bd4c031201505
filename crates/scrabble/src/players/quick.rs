//! Players that decide from one move generation: greedy (the score) and static (the score and what is kept).

use crate::movegen::{Best, Generator, Known, LeaveValues, MAX_RACK, NoLeaves, Rack};
use crate::rules::{Board, Dictionary, EXCHANGE_NEEDS, LaneSet, Layout, Turn};
use crate::{LeaveModel, with_graph};
use lexicon::{Tile, WalkArc};

/// What a quick player looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Only the score.
    Greedy,
    /// Score plus the worth of the tiles kept.
    Static,
}

/// A player that takes the play of highest equity.
#[derive(Clone, Copy)]
pub struct Quick<'a> {
    pub dictionary: &'a Dictionary,
    pub layout: &'a Layout,
    pub leaves: &'a LeaveModel,
    pub style: Style,
}

/// Leave values when the bag is empty: tiles kept count double against us (their value is lost and won by the
/// other), a little more because turns are lost; going out wins twice what the other holds.
pub(crate) struct EndLeaves<'v> {
    pub values: &'v [i32; 64],
    /// What the other player's tiles are worth.
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

impl Quick<'_> {
    /// The rack with the leave values this player uses when `bag` tiles are left and the unseen tiles are worth `unseen`.
    pub fn rack(&self, rack: &[Tile], bag: usize, unseen: i32) -> Rack {
        match self.style {
            Style::Greedy => Rack::new(rack, &NoLeaves),
            Style::Static if bag > 0 => Rack::new(rack, self.leaves),
            Style::Static => Rack::new(rack, &EndLeaves { values: self.dictionary.values(), other: unseen }),
        }
    }

    /// The turn this player takes.
    pub fn choose(&self, board: &Board, rack: &[Tile], bag: usize, unseen: i32) -> Turn {
        with_graph!(self.dictionary, graph => {
            let generator = Generator::new(graph, self.dictionary.values(), self.layout);
            self.choose_with(&generator, board, rack, bag, unseen).0
        })
    }

    /// The same with a generator that is used again and again; also the turn's equity.
    pub fn choose_with<A: WalkArc>(
        &self,
        generator: &Generator<'_, A>,
        board: &Board,
        rack: &[Tile],
        bag: usize,
        unseen: i32,
    ) -> (Turn, i32) {
        let prepared = self.rack(rack, bag, unseen);
        self.choose_known(generator, board, LaneSet::ALL, &mut generator.known(&prepared), bag)
    }

    /// The same for a rack of which something is known from boards that have all but the `changed` lanes in common.
    pub fn choose_known<A: WalkArc>(
        &self,
        generator: &Generator<'_, A>,
        board: &Board,
        changed: LaneSet,
        known: &mut Known<'_>,
        bag: usize,
    ) -> (Turn, i32) {
        let rack = known.rack();
        let full = (1 << rack.len()) - 1;
        let exchange = if bag >= EXCHANGE_NEEDS { best_exchange(rack, self.style) } else { None };
        // a pass is worth keeping everything; any play is tried when the bag is empty
        let floor = exchange.map_or(i32::MIN / 8, |(_, equity)| equity);
        match (generator.best_known(board, changed, known, floor), exchange) {
            (Some(Best { play, equity, .. }), _) => (Turn::Play(play), equity),
            (None, Some((mask, equity))) => (Turn::Exchange(rack.kept(!mask & full)), equity),
            (None, None) => (Turn::Pass, rack.keep_value(full)),
        }
    }
}

/// The tiles worth keeping in an exchange of at least one tile: greedy gives everything back.
pub(crate) fn best_exchange(rack: &Rack, style: Style) -> Option<(usize, i32)> {
    if rack.is_empty() {
        return None;
    }
    let full = (1usize << rack.len()) - 1;
    match style {
        Style::Greedy => Some((0, 0)),
        Style::Static => (0..full).map(|mask| (mask, rack.keep_value(mask))).max_by_key(|&(mask, v)| (v, mask)),
    }
}
