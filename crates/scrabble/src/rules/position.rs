//! A game between two players as engines see it: board, racks, bag, scores, whose turn.

use super::bag::{Bag, full_set};
use super::board::{BLANK, TileBoard};
use super::dictionary::Dictionary;
use super::layout::Layout;
use super::play::Play;
use crate::engine::movegen::MAX_RACK;
use crate::with_graph;
use lexicon::Tile;
use rand::RngExt;

/// What a player does in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerMove {
    Play(Play),
    /// These tiles go back into the bag.
    Exchange(Vec<Tile>),
    Pass,
}

/// Fewest tiles in the bag that allow an exchange.
pub const MIN_BAG_FOR_EXCHANGE: usize = 7;

/// Passes in a row after which a two-player game ends: two full rounds.
pub const PASSES_TO_END: u8 = 4;

/// Turns after which a game between engines is ended.
const MOST_TURNS: u32 = 400;

/// A two-player game in progress with everything known.
#[derive(Clone)]
pub struct TwoPlayerGame {
    pub board: TileBoard,
    pub racks: [Vec<Tile>; 2],
    pub bag: Bag,
    pub scores: [i32; 2],
    /// 0 or 1.
    pub to_move: usize,
    /// Passes in a row.
    pub idle: u8,
    pub turns: u32,
    pub over: bool,
    /// The last turn and who made it.
    pub last: Option<(usize, PlayerMove)>,
}

impl TwoPlayerGame {
    /// A new game with a shuffled bag; player 0 begins.
    pub fn new(dictionary: &Dictionary, layout: &Layout, rng: &mut impl RngExt) -> Self {
        let mut bag = Bag::full(dictionary.alphabet(), rng);
        let mut racks = [Vec::with_capacity(MAX_RACK), Vec::with_capacity(MAX_RACK)];
        for rack in &mut racks {
            bag.fill(rack, MAX_RACK);
        }
        let board = TileBoard::new(layout);
        Self { board, racks, bag, scores: [0; 2], to_move: 0, idle: 0, turns: 0, over: false, last: None }
    }

    /// The rack of the player to move.
    pub fn rack(&self) -> &[Tile] {
        &self.racks[self.to_move]
    }

    /// Carries out a turn that is known to be legal.
    pub fn apply(&mut self, dictionary: &Dictionary, turn: PlayerMove, rng: &mut impl RngExt) {
        let me = self.to_move;
        match &turn {
            PlayerMove::Play(play) => {
                with_graph!(dictionary, graph => { self.board.place(graph, dictionary.values(), play); });
                remove(&mut self.racks[me], play.rack_tiles());
                self.scores[me] += play.score as i32;
                self.bag.fill(&mut self.racks[me], MAX_RACK);
                self.idle = 0;
                if self.racks[me].is_empty() && !self.over {
                    self.scores[me] += rack_value(dictionary, &self.racks[1 - me]);
                    self.scores[1 - me] -= rack_value(dictionary, &self.racks[1 - me]);
                    self.over = true;
                }
            }
            PlayerMove::Exchange(tiles) => {
                remove(&mut self.racks[me], tiles.iter().copied());
                self.bag.fill(&mut self.racks[me], MAX_RACK);
                self.bag.put_back(tiles, rng);
                self.idle = 0;
            }
            PlayerMove::Pass => self.idle += 1,
        }
        self.turns += 1;
        // players that only ever exchange would never end
        if self.idle >= PASSES_TO_END || self.turns >= MOST_TURNS {
            for player in 0..2 {
                self.scores[player] -= rack_value(dictionary, &self.racks[player]);
            }
            self.over = true;
        }
        self.last = Some((me, turn));
        self.to_move = 1 - me;
    }

    /// Lead of the player to move.
    pub fn lead(&self) -> i32 {
        self.scores[self.to_move] - self.scores[1 - self.to_move]
    }

    /// The tiles that the player to move cannot see: the bag and the opponent's rack, sorted.
    pub fn unseen(&self) -> Vec<Tile> {
        let mut tiles = [self.bag.tiles(), &self.racks[1 - self.to_move]].concat();
        tiles.sort_unstable();
        tiles
    }
}

/// Takes tiles out of a rack.
pub fn remove(rack: &mut Vec<Tile>, tiles: impl Iterator<Item = Tile>) {
    for tile in tiles {
        let at = rack.iter().position(|&t| t == tile).expect("the rack has the tiles it plays");
        rack.swap_remove(at);
    }
}

/// Sum of tile values.
pub fn rack_value(dictionary: &Dictionary, tiles: &[Tile]) -> i32 {
    tiles.iter().map(|&t| dictionary.values()[t as usize]).sum()
}

/// The tiles of a full set that are neither on the board nor among `seen`; `None` if there are more than a set has.
pub fn unseen(dictionary: &Dictionary, board: &TileBoard, seen: &[Tile]) -> Option<Vec<Tile>> {
    let mut counts = [0i32; 64];
    for tile in full_set(dictionary.alphabet()) {
        counts[tile as usize] += 1;
    }
    let laid = board.tiles().iter().filter(|&&t| t != 0).map(|&t| if t & BLANK != 0 { 0 } else { t });
    for tile in laid.chain(seen.iter().copied()) {
        counts[tile as usize] -= 1;
    }
    if counts.iter().any(|&c| c < 0) {
        return None;
    }
    Some((0..64u8).flat_map(|t| std::iter::repeat_n(t, counts[t as usize] as usize)).collect())
}
