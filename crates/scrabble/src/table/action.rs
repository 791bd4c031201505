//! What a seat may do, and what each action does to the state.

use super::game::Scrabble;
use super::settings::Challenge;
use super::state::{Pending, State, TurnKind, TurnRecord};
use crate::engine::movegen::MAX_RACK;
use crate::formats::notation::parse_play;
use crate::rules::{check_play, remove};
use crate::with_graph;
use game::{RuleError, Seat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

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

pub(super) fn record(state: &mut State, seat: Seat, kind: TurnKind, score: i32) {
    let i = seat.index();
    state.scores[i] += score;
    let (rack, total) = (state.racks[i].clone(), state.scores[i]);
    state.records.push(TurnRecord { seat: seat.0, rack, kind, score, total, undone: false });
}

pub(super) fn lay(state: &mut State, seat: Seat, at: &str, word: &str) -> Result<(), RuleError> {
    let language = Arc::clone(&state.language);
    let dictionary = &language.dictionary;
    let mut play = parse_play(dictionary.alphabet(), &state.board, at, word)
        .map_err(|e| RuleError::new("scrabble.notation", e.to_string()))?;
    let scored = check_play(&state.board, &state.layout, dictionary.values(), &play, MAX_RACK)
        .map_err(|e| RuleError::new("scrabble.placing", e.to_string()))?;
    let mut kept = state.racks[seat.index()].clone();
    for tile in play.rack_tiles() {
        let Some(i) = kept.iter().position(|&t| t == tile) else {
            let missing = dictionary.alphabet().text(tile);
            return Err(RuleError::new("scrabble.rack", format!("the rack has no further {missing}")));
        };
        kept.swap_remove(i);
    }
    let wrong: Vec<String> = scored
        .words
        .iter()
        .filter(|w| !dictionary.lexicon().contains(w))
        .map(|w| dictionary.alphabet().decode(w))
        .collect();
    if !wrong.is_empty() && state.settings.challenge == Challenge::Void {
        return Err(RuleError::new("scrabble.not_a_word", format!("{} is not in the lexicon", wrong.join(", "))));
    }
    play.score = scored.score as i16;
    let pending = (state.settings.challenge != Challenge::Void).then(|| Pending {
        seat: seat.0,
        record: state.records.len(),
        board: state.board.clone(),
        rack: state.racks[seat.index()].clone(),
        bag: state.bag.clone(),
        score: scored.score,
        valid: wrong.is_empty(),
    });
    record(state, seat, TurnKind::Play { play, words: scored.words }, scored.score);
    with_graph!(dictionary, graph => { state.board.place(graph, dictionary.values(), &play); });
    state.racks[seat.index()] = kept;
    state.bag.fill(&mut state.racks[seat.index()], MAX_RACK);
    state.passes = 0;
    let out = state.racks[seat.index()].is_empty();
    if out && pending.is_none() {
        end_by_going_out(state);
        return Ok(());
    }
    finish_turn(state);
    state.pending = pending;
    state.last_call = out;
    Ok(())
}

pub(super) fn exchange(game: &Scrabble, state: &mut State, seat: Seat, tiles: &str) -> Result<(), RuleError> {
    let alphabet = state.language.dictionary.alphabet();
    let given = alphabet.encode_rack(tiles).map_err(|e| RuleError::new("scrabble.letter", e.to_string()))?;
    if !game.can_exchange(state) {
        let needs = state.settings.exchange_needs;
        return Err(RuleError::new(
            "scrabble.exchange",
            format!("an exchange needs {needs} tiles in the bag, it has {}", state.bag.len()),
        ));
    }
    if given.is_empty() || given.len() > state.bag.len() {
        return Err(RuleError::new("scrabble.exchange", "give back at least one tile and no more than the bag holds"));
    }
    let mut left = state.racks[seat.index()].clone();
    for &tile in &given {
        let Some(i) = left.iter().position(|&t| t == tile) else {
            return Err(RuleError::new("scrabble.rack", format!("the rack has no further {}", alphabet.text(tile))));
        };
        left.swap_remove(i);
    }
    record(state, seat, TurnKind::Exchange { tiles: given.clone() }, 0);
    remove(&mut state.racks[seat.index()], given.iter().copied());
    state.bag.fill(&mut state.racks[seat.index()], MAX_RACK);
    let mut rng = state.rng.clone();
    state.bag.put_back(&given, &mut rng);
    state.rng = rng;
    state.passes = 0;
    finish_turn(state);
    Ok(())
}

pub(super) fn challenge(state: &mut State, seat: Seat) -> Result<(), RuleError> {
    let Some(pending) = state.pending.take() else {
        return Err(RuleError::new("scrabble.challenge", "there is no play to challenge"));
    };
    record(state, seat, TurnKind::Challenge { right: !pending.valid, against: pending.seat }, 0);
    let was_last_call = std::mem::take(&mut state.last_call);
    if !pending.valid {
        let i = pending.seat as usize;
        state.records[pending.record].undone = true;
        state.scores[i] -= pending.score;
        state.board = pending.board;
        state.racks[i] = pending.rack;
        state.bag = pending.bag;
        // the bag is mixed again, so that what was drawn and given back is not known to lie on top
        let mut rng = state.rng.clone();
        state.bag.shuffle(&mut rng);
        state.rng = rng;
        return Ok(());
    }
    if was_last_call {
        end_by_going_out(state);
    } else if state.settings.challenge == Challenge::Double {
        state.passes += 1;
        finish_turn(state);
    }
    Ok(())
}

/// Passes the turn on, and ends the game after the agreed rounds of passes.
pub(super) fn finish_turn(state: &mut State) {
    state.pending = None;
    state.to_move = (state.to_move + 1) % state.seats() as u8;
    if state.passes >= u32::from(state.settings.pass_rounds) * state.seats() as u32 {
        for i in 0..state.seats() {
            state.adjustments[i] = -state.rack_value(&state.racks[i]);
            state.scores[i] += state.adjustments[i];
        }
        state.over = Some("passes");
    }
}

/// Everybody loses what is left on the rack; who has nothing left gains it.
pub(super) fn end_by_going_out(state: &mut State) {
    let left: Vec<i32> = state.racks.iter().map(|r| state.rack_value(r)).collect();
    let total: i32 = left.iter().sum();
    for (i, &own) in left.iter().enumerate() {
        state.adjustments[i] = if state.racks[i].is_empty() { total } else { -own };
        state.scores[i] += state.adjustments[i];
    }
    state.over = Some("out");
}
