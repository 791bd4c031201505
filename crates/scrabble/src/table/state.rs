//! The complete state of a table: board, racks, bag, scores and the turns so far.

use super::language::GameLanguage;
use super::settings::Settings;
use crate::rules::{Bag, Layout, Play, TileBoard};
use game::GameRng;
use lexicon::Tile;
use std::sync::Arc;

/// What a turn was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TurnKind {
    Play {
        play: Play,
        words: Vec<Vec<Tile>>,
    },
    Exchange {
        tiles: Vec<Tile>,
    },
    Pass,
    /// A challenge and whether it was right.
    Challenge {
        right: bool,
        against: u8,
    },
    Accept,
}

/// One turn that was made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TurnRecord {
    pub seat: u8,
    /// The rack before the turn.
    pub rack: Vec<Tile>,
    pub kind: TurnKind,
    pub score: i32,
    pub total: i32,
    /// Taken back after a challenge.
    pub undone: bool,
}

/// A play that may still be challenged.
#[derive(Clone, PartialEq)]
pub(crate) struct Pending {
    pub seat: u8,
    pub record: usize,
    pub board: TileBoard,
    pub rack: Vec<Tile>,
    pub bag: Bag,
    pub score: i32,
    pub valid: bool,
}

/// The complete state. It is not serialisable: see [`super::View`].
#[derive(Clone)]
pub struct State {
    pub(crate) settings: Settings,
    pub(crate) language: Arc<GameLanguage>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) board: TileBoard,
    pub(crate) racks: Vec<Vec<Tile>>,
    pub(crate) bag: Bag,
    pub(crate) scores: Vec<i32>,
    pub(crate) to_move: u8,
    pub(crate) passes: u32,
    pub(crate) records: Vec<TurnRecord>,
    pub(crate) pending: Option<Pending>,
    /// The last play emptied a rack and may still be challenged.
    pub(crate) last_call: bool,
    pub(crate) draws: Vec<(u8, Tile)>,
    pub(crate) over: Option<&'static str>,
    /// What the leftover racks gave or cost at the end, per seat.
    pub(crate) adjustments: Vec<i32>,
    pub(crate) rng: GameRng,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings
            && self.board == other.board
            && self.racks == other.racks
            && self.bag == other.bag
            && self.scores == other.scores
            && self.to_move == other.to_move
            && self.passes == other.passes
            && self.records == other.records
            && self.pending == other.pending
            && self.last_call == other.last_call
            && self.draws == other.draws
            && self.over == other.over
            && self.adjustments == other.adjustments
            && self.rng == other.rng
    }
}

impl State {
    pub(crate) fn seats(&self) -> usize {
        self.racks.len()
    }

    /// Sum of the tile values.
    pub(crate) fn rack_value(&self, tiles: &[Tile]) -> i32 {
        crate::rules::rack_value(&self.language.dictionary, tiles)
    }
}
