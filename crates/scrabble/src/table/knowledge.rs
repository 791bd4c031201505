//! A view turned back into the types of the engine.

use super::language::GameLanguage;
use super::view::View;
use crate::engine::simulation::KnownPosition;
use crate::engine::{Inference, MoveSort, OnePlyPlayer};
use crate::formats::notation::parse_play;
use crate::rules::{BLANK, Layout, Play, TileBoard};
use crate::with_graph;
use game::Seat;
use lexicon::Tile;

/// What a seat knows, in engine types.
pub(crate) struct SeatKnowledge {
    pub layout: Layout,
    pub board: TileBoard,
    pub rack: Vec<Tile>,
    pub unseen: Vec<Tile>,
    pub bag: usize,
    /// Tiles on the next player's rack.
    pub opponent_tiles: usize,
    /// Own score less the best opponent score.
    pub lead: i32,
    pub seats: usize,
    /// The last opponent's play, the board before it, and the number of tiles that seat kept.
    pub last: Option<(Play, TileBoard, usize)>,
}

impl SeatKnowledge {
    /// Reads the view of `seat`.
    pub(crate) fn new(language: &GameLanguage, view: &View, seat: Seat) -> Result<Self, String> {
        let layout = Layout::named(&view.board_name).ok_or_else(|| format!("no board {:?}", view.board_name))?;
        let alphabet = language.dictionary.alphabet();
        let tile = |text: &str| -> Result<Tile, String> {
            if text == "?" {
                return Ok(0);
            }
            alphabet.tile_at(text).map(|t| t.0).ok_or_else(|| format!("no tile {text:?}"))
        };
        let mut board = TileBoard::new(&layout);
        let side = layout.side();
        for (i, square) in view.tiles.iter().enumerate() {
            if let Some(t) = square {
                board.put(i / side, i % side, tile(&t.letter)? | if t.blank { BLANK } else { 0 });
            }
        }
        let refresh = |board: &mut TileBoard| with_graph!(language.dictionary, graph => board.refresh(graph, language.dictionary.values()));
        refresh(&mut board);
        let rack = view.rack.iter().flatten().map(|t| tile(t)).collect::<Result<Vec<_>, _>>()?;
        let mut unseen = Vec::new();
        for letter in &view.unseen {
            let t = tile(&letter.letter)?;
            unseen.extend(std::iter::repeat_n(t, letter.count as usize));
        }
        unseen.sort_unstable();
        let seats = view.scores.len();
        let next = (seat.index() + 1) % seats;
        let best =
            view.scores.iter().enumerate().filter(|(i, _)| *i != seat.index()).map(|(_, &s)| s).max().unwrap_or(0);
        let last = view.history.iter().rev().find(|t| t.kind == "play" && !t.undone).filter(|t| t.seat != seat);
        let last = last.and_then(|turn| {
            let mut before = board.clone();
            view.last_squares.iter().for_each(|&(r, c)| before.put(r as usize, c as usize, 0));
            refresh(&mut before);
            let mut play = parse_play(alphabet, &before, turn.at.as_deref()?, turn.word.as_deref()?).ok()?;
            play.score = turn.score as i16;
            let kept = (view.rack_counts[turn.seat.index()] as usize).min(7usize.saturating_sub(play.laid as usize));
            Some((play, before, kept))
        });
        let opponent_tiles = view.rack_counts[next] as usize;
        let lead = view.scores[seat.index()] - best;
        Ok(Self { layout, board, rack, unseen, bag: view.bag as usize, opponent_tiles, lead, seats, last })
    }

    pub(crate) fn one_ply<'a>(&'a self, language: &'a GameLanguage, sort: MoveSort) -> OnePlyPlayer<'a> {
        OnePlyPlayer { dictionary: &language.dictionary, layout: &self.layout, leaves: &language.leaves, sort }
    }

    /// The inference from the opponent's last play; two players only.
    pub(crate) fn inference(&self) -> Option<Inference> {
        let (play, before, kept) = self.last.as_ref().filter(|_| self.seats == 2)?;
        Inference::from_last_play(before, play, self.unseen.len(), *kept)
    }

    pub(crate) fn known_position<'s>(
        &'s self,
        language: &'s GameLanguage,
        inference: Option<&'s Inference>,
    ) -> KnownPosition<'s> {
        // with more than two players the tiles of all opponents count as one rack
        let opponent_tiles = if self.seats > 2 {
            self.unseen.len().saturating_sub(self.bag)
        } else {
            self.opponent_tiles.min(self.unseen.len())
        };
        KnownPosition {
            board: &self.board,
            rack: &self.rack,
            unseen: &self.unseen,
            opponent_tiles,
            opponent_known: &[],
            lead: self.lead,
            inference,
            positional: Some(&language.positional),
        }
    }
}
