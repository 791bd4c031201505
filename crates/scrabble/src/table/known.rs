//! A view turned back into what engines work with.

use super::language::Language;
use super::view::View;
use crate::formats::notation::parse_play;
use crate::players::simulate::Situation;
use crate::players::{Inference, Quick, Style};
use crate::rules::{BLANK, Board, Layout, Play};
use crate::with_graph;
use game::Seat;
use lexicon::Tile;

/// What a seat knows, in engine terms.
pub(super) struct Known {
    pub layout: Layout,
    pub board: Board,
    pub rack: Vec<Tile>,
    pub unseen: Vec<Tile>,
    pub bag: usize,
    /// Tiles on the next player's rack.
    pub other_rack: usize,
    /// Own score less the best of the others.
    pub lead: i32,
    pub seats: usize,
    /// The last play of somebody else, the board before it, and how many tiles that seat kept.
    pub last: Option<(Play, Board, usize)>,
}

impl Known {
    /// Reads a view; `seat` is who is to decide.
    pub(super) fn new(language: &Language, view: &View, seat: Seat) -> Result<Self, String> {
        let layout = Layout::named(&view.board_name).ok_or_else(|| format!("no board {:?}", view.board_name))?;
        let alphabet = language.dictionary.alphabet();
        let tile = |text: &str| -> Result<Tile, String> {
            if text == "?" {
                return Ok(0);
            }
            alphabet.tile_at(text).map(|t| t.0).ok_or_else(|| format!("no tile {text:?}"))
        };
        let mut board = Board::new(&layout);
        let side = layout.side();
        for (i, square) in view.tiles.iter().enumerate() {
            if let Some(t) = square {
                board.put(i / side, i % side, tile(&t.letter)? | if t.blank { BLANK } else { 0 });
            }
        }
        let refresh = |board: &mut Board| with_graph!(language.dictionary, graph => board.refresh(graph, language.dictionary.values()));
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
        let other_rack = view.rack_counts[next] as usize;
        let lead = view.scores[seat.index()] - best;
        Ok(Self { layout, board, rack, unseen, bag: view.bag as usize, other_rack, lead, seats, last })
    }

    pub(super) fn quick<'a>(&'a self, language: &'a Language, style: Style) -> Quick<'a> {
        Quick { dictionary: &language.dictionary, layout: &self.layout, leaves: &language.leaves, style }
    }

    /// What the last move of the other tells, for two players.
    pub(super) fn inference(&self) -> Option<Inference> {
        let (play, before, kept) = self.last.as_ref().filter(|_| self.seats == 2)?;
        Inference::look_back(before, play, self.unseen.len(), *kept)
    }

    pub(super) fn situation<'s>(&'s self, language: &'s Language, inference: Option<&'s Inference>) -> Situation<'s> {
        // with more than two players everything hidden from us counts as bag and next rack
        let other_rack = self.other_rack.min(self.unseen.len());
        Situation {
            board: &self.board,
            rack: &self.rack,
            unseen: &self.unseen,
            other_rack,
            lead: self.lead,
            inference,
            outlook: Some(&language.outlook),
        }
    }
}
