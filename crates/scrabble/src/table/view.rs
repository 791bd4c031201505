//! What one viewer may know, as data and as text.

use super::settings::Challenge;
use super::state::{State, TurnKind, TurnRecord};
use crate::formats::notation::{coordinate, tile_text, word_text};
use crate::rules::{BLANK, full_set, letter};
use game::{Seat, Viewer};
use lexicon::Tile;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A tile on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TileView {
    pub letter: String,
    pub value: i32,
    pub blank: bool,
}

/// A letter of the language with its tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LetterView {
    pub letter: String,
    /// Tiles in a full set, or tiles not yet seen, as the place says.
    pub count: u32,
    pub value: i32,
}

/// One turn as a viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryTurn {
    pub seat: Seat,
    /// play, exchange, pass, challenge, accept
    pub kind: String,
    /// Square and direction of a play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The word laid, `.` for tiles that were there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// All words made.
    #[serde(default)]
    pub words: Vec<String>,
    pub score: i32,
    pub total: i32,
    /// The rack before the turn: one's own, everybody's after the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<String>,
    /// Tiles given back: how many, and which if one may know.
    #[serde(default)]
    pub exchanged: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchanged_tiles: Option<String>,
    /// Taken back after a challenge.
    #[serde(default)]
    pub undone: bool,
    /// Whether a challenge was right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<bool>,
}

/// What one viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct View {
    pub language: String,
    pub board_name: String,
    pub challenge: Challenge,
    pub side: u8,
    /// Row by row: what each square does, `.` plain, `'` `"` `^` two to four letters, `-` `=` `~` two to four words, `#` start.
    pub squares: Vec<String>,
    /// Row by row; null where nothing lies.
    pub tiles: Vec<Option<TileView>>,
    /// The language's letters with counts of a full set and values; `?` is the blank.
    pub letters: Vec<LetterView>,
    /// The viewer's own rack, `?` for blanks.
    pub rack: Option<Vec<String>>,
    /// Tiles on each rack.
    pub rack_counts: Vec<u8>,
    /// Everybody's rack after the end.
    pub final_racks: Option<Vec<Vec<String>>>,
    pub bag: u32,
    /// Tiles the viewer cannot see: the bag and the racks of others.
    pub unseen: Vec<LetterView>,
    pub scores: Vec<i32>,
    pub to_move: Option<Seat>,
    /// Whether tiles may be exchanged now.
    pub can_exchange: bool,
    /// Whether the last play may be challenged now.
    pub can_challenge: bool,
    /// Whether the last play ended the game unless it is challenged.
    pub last_call: bool,
    /// What everybody drew to see who begins, in order.
    pub draws: Vec<(Seat, String)>,
    pub history: Vec<HistoryTurn>,
    /// Squares of the last play (row, column).
    pub last_squares: Vec<(u8, u8)>,
    pub passes: u32,
    pub over: Option<String>,
    /// What the racks left over cost or gave each seat.
    pub adjustments: Vec<i32>,
    /// The seat that sees this view; none for a spectator.
    pub viewer: Option<Seat>,
}

fn texts(state: &State, tiles: &[Tile]) -> Vec<String> {
    let mut sorted = tiles.to_vec();
    sorted.sort_unstable_by_key(|&t| if t == 0 { u8::MAX } else { t });
    sorted.iter().map(|&t| state.language.dictionary.alphabet().text(t).to_owned()).collect()
}

pub(super) fn square_sign(premium: crate::rules::Premium, start: bool) -> char {
    match (premium.letter, premium.word) {
        _ if start => '#',
        (2, _) => '\'',
        (3, _) => '"',
        (4, _) => '^',
        (_, 2) => '-',
        (_, 3) => '=',
        (_, 4) => '~',
        _ => '.',
    }
}

/// Makes the view.
pub(super) fn view(state: &State, viewer: Viewer) -> View {
    let alphabet = state.language.dictionary.alphabet();
    let side = state.board.side();
    let tile = |&t: &u8| {
        (t != 0).then(|| TileView {
            letter: alphabet.text(letter(t)).to_owned(),
            value: if t & BLANK != 0 { 0 } else { alphabet.value(letter(t)).into() },
            blank: t & BLANK != 0,
        })
    };
    let own = viewer.seat().map(Seat::index).filter(|&i| i < state.seats());
    let mut counts = [0i64; 64];
    full_set(alphabet).iter().for_each(|&t| counts[t as usize] += 1);
    let laid = state.board.tiles().iter().filter(|&&t| t != 0).map(|&t| if t & BLANK != 0 { 0 } else { t });
    laid.for_each(|t| counts[t as usize] -= 1);
    own.into_iter().flat_map(|i| &state.racks[i]).for_each(|&t| counts[t as usize] -= 1);
    let letter_view = |t: u8, count: i64| LetterView {
        letter: alphabet.text(t).to_owned(),
        count: count.max(0) as u32,
        value: alphabet.value(t).into(),
    };
    let all = 0..=alphabet.len() as u8;
    let unseen = all.clone().filter(|&t| counts[t as usize] > 0).map(|t| letter_view(t, counts[t as usize]));
    let row = |r: usize| -> String {
        (0..side)
            .map(|c| square_sign(state.layout.premium(r * side + c), r * side + c == state.layout.start()))
            .collect()
    };
    let last = state.records.iter().rev().find(|r| !r.undone && matches!(r.kind, TurnKind::Play { .. }));
    let last_squares = match last.map(|r| &r.kind) {
        Some(TurnKind::Play { play, .. }) => play.laid_tiles().map(|(r, c, _)| (r as u8, c as u8)).collect(),
        _ => Vec::new(),
    };
    let turn = state.over.is_none().then_some(Seat(state.to_move));
    View {
        language: state.settings.language.clone(),
        board_name: state.settings.board.clone(),
        challenge: state.settings.challenge,
        side: side as u8,
        squares: (0..side).map(row).collect(),
        tiles: state.board.tiles().iter().map(tile).collect(),
        letters: all.map(|t| letter_view(t, alphabet.count(t).into())).collect(),
        rack: own.map(|i| texts(state, &state.racks[i])),
        rack_counts: state.racks.iter().map(|r| r.len() as u8).collect(),
        final_racks: state.over.map(|_| state.racks.iter().map(|r| texts(state, r)).collect()),
        bag: state.bag.len() as u32,
        unseen: unseen.collect(),
        scores: state.scores.clone(),
        to_move: turn,
        can_exchange: turn.is_some() && !state.last_call && state.bag.len() >= state.settings.exchange_needs as usize,
        can_challenge: turn.is_some() && state.pending.is_some(),
        last_call: state.last_call,
        draws: state.draws.iter().map(|&(s, t)| (Seat(s), alphabet.text(t).to_owned())).collect(),
        history: state.records.iter().map(|r| turn_view(state, r, own)).collect(),
        last_squares,
        passes: state.passes,
        over: state.over.map(str::to_owned),
        adjustments: state.adjustments.clone(),
        viewer: viewer.seat(),
    }
}

fn turn_view(state: &State, record: &TurnRecord, own: Option<usize>) -> HistoryTurn {
    let alphabet = state.language.dictionary.alphabet();
    let known = state.over.is_some() || own == Some(record.seat as usize);
    let mut sorted = record.rack.clone();
    sorted.sort_unstable();
    let mut turn = HistoryTurn {
        seat: Seat(record.seat),
        kind: String::new(),
        at: None,
        word: None,
        words: Vec::new(),
        score: record.score,
        total: record.total,
        rack: known.then(|| alphabet.decode(&sorted)),
        exchanged: 0,
        exchanged_tiles: None,
        undone: record.undone,
        right: None,
    };
    match &record.kind {
        TurnKind::Play { play, words } => {
            turn.kind = "play".into();
            turn.at = Some(coordinate(play));
            turn.word = Some(word_text(alphabet, play));
            turn.words = words.iter().map(|w| w.iter().map(|&t| tile_text(alphabet, t)).collect()).collect();
        }
        TurnKind::Exchange { tiles } => {
            turn.kind = "exchange".into();
            turn.exchanged = tiles.len() as u32;
            turn.exchanged_tiles = known.then(|| alphabet.decode(tiles));
        }
        TurnKind::Pass => turn.kind = "pass".into(),
        TurnKind::Challenge { right, .. } => {
            turn.kind = "challenge".into();
            turn.right = Some(*right);
        }
        TurnKind::Accept => turn.kind = "accept".into(),
    }
    turn
}

/// The view as text for a terminal.
pub(super) fn render_text(view: &View) -> String {
    let side = view.side as usize;
    let mut out = String::from("   ");
    for c in 0..side {
        out.push((b'A' + c as u8) as char);
        out.push(' ');
    }
    out.push('\n');
    for r in 0..side {
        out += &format!("{:>2} ", r + 1);
        let signs: Vec<char> = view.squares[r].chars().collect();
        for c in 0..side {
            let text = match &view.tiles[r * side + c] {
                Some(tile) if tile.blank => tile.letter.to_lowercase(),
                Some(tile) => tile.letter.clone(),
                None => signs[c].to_string(),
            };
            out += &text;
            if text.chars().count() < 2 {
                out.push(' ');
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    for (i, score) in view.scores.iter().enumerate() {
        let mark = if view.to_move == Some(Seat(i as u8)) { '*' } else { ' ' };
        out += &format!("{mark} seat {}: {score} points, {} tiles\n", i + 1, view.rack_counts[i]);
    }
    if let Some(rack) = &view.rack {
        out += &format!("rack {}\n", rack.join(" "));
    }
    out += &format!("bag {}\n", view.bag);
    if let Some(over) = &view.over {
        out += &format!("over: {over}\n");
    }
    out
}
