//! The whole truth of a table: board, racks, bag, scores, and what happened.

use super::language::Language;
use crate::rules::{Bag, Board, Layout, Play};
use game::GameRng;
use lexicon::Tile;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// What happens to a play whose words do not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Challenge {
    /// It is refused.
    #[default]
    Void,
    /// It stands unless the next player challenges; a wrong challenge costs nothing.
    Single,
    /// It stands unless the next player challenges; a wrong challenge costs the turn.
    Double,
}

/// What may be chosen when a table is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Settings {
    /// Language of words and tiles: en, cs, pl, sk.
    pub language: String,
    /// Board: standard or super.
    pub board: String,
    pub challenge: Challenge,
    /// Fewest tiles in the bag that allow an exchange.
    pub exchange_needs: u8,
    /// Rounds of passes by everybody that end the game.
    pub pass_rounds: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: "en".into(),
            board: "standard".into(),
            challenge: Challenge::Void,
            exchange_needs: 7,
            pass_rounds: 2,
        }
    }
}

/// What a seat may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Lay tiles: square and direction (`8D` across, `D8` down), and the word with `.` for tiles already there and
    /// lower case for blanks.
    Play {
        at: String,
        word: String,
    },
    /// Give tiles back and draw as many; `?` is a blank.
    Exchange {
        tiles: String,
    },
    Pass,
    /// Say that the last play has a word that does not exist.
    Challenge,
    /// Accept the last play of the game.
    Accept,
}

/// What a turn was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
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
pub(crate) struct Record {
    pub seat: u8,
    /// The rack before the turn.
    pub rack: Vec<Tile>,
    pub what: What,
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
    pub board: Board,
    pub rack: Vec<Tile>,
    pub bag: Bag,
    pub score: i32,
    pub valid: bool,
}

/// The whole truth. It cannot be sent: see [`super::View`].
#[derive(Clone)]
pub struct State {
    pub(crate) settings: Settings,
    pub(crate) language: Arc<Language>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) board: Board,
    pub(crate) racks: Vec<Vec<Tile>>,
    pub(crate) bag: Bag,
    pub(crate) scores: Vec<i32>,
    pub(crate) to_move: u8,
    pub(crate) passes: u32,
    pub(crate) records: Vec<Record>,
    pub(crate) pending: Option<Pending>,
    /// The last play emptied a rack and may still be challenged.
    pub(crate) last_call: bool,
    pub(crate) draws: Vec<(u8, Tile)>,
    pub(crate) over: Option<&'static str>,
    /// What the racks were worth in the end, per seat.
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

    /// What tiles are worth.
    pub(crate) fn worth(&self, tiles: &[Tile]) -> i32 {
        crate::rules::worth(&self.language.dictionary, tiles)
    }
}
