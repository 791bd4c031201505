//! Sessions for phone apps (Jareš 2019, section 5.7). A session is a value: every answer carries it and the next call sends
//! it back, so the server keeps nothing and an undo drops the last step.

mod end_turn;
mod init;
mod played_word;
mod request_hint;
mod send_enemy_hint;
mod send_hint;
mod undo;

use send_hint::SessionHintRequest;

use super::check_clue::{LikelyCard, likely_cards};
use super::ideas::{ClueIdea, describe_clue};
use super::{board_position, example_board, is_jares};
use crate::engine::{BoardPosition, PastTurn};
use crate::formats::{BoardCard, BoardFile};
use crate::players::{Operative, Spymaster};
use crate::rules::{BOARD, CardSide, Clue, Number};
use crate::table::Codenames;
use game::{Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Largest number of steps of a session.
const MAX_STEPS: usize = 400;

/// One event at the real table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum SessionStep {
    /// Our side's clue; `meant` holds the targets of the computer's own clue.
    Hint {
        clue: String,
        #[schema(value_type = Object)]
        number: Number,
        #[serde(default)]
        meant: Vec<String>,
    },
    /// The other side's clue.
    EnemyHint {
        clue: String,
        #[schema(value_type = Object)]
        number: Number,
    },
    /// A card was turned.
    Played { word: String, role: CardSide },
    /// The turn ended.
    EndTurn,
}

/// A session: the board and all events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PhoneSession {
    pub board: BoardFile,
    #[serde(default)]
    pub steps: Vec<SessionStep>,
    /// `strong` (default) or `jares`.
    #[serde(default)]
    pub player: Option<String>,
}

/// A session alone.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SessionRequest {
    pub session: PhoneSession,
}

/// The session after the event, with the computer's answer.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SessionAnswer {
    pub session: PhoneSession,
    /// As operative: the card it takes next; `null` if it stops.
    pub next: Option<LikelyCard>,
    /// As operative: all open cards, the most probable first.
    pub ranking: Vec<LikelyCard>,
    /// As spymaster: its clue.
    pub hint: Option<ClueIdea>,
}

impl PhoneSession {
    fn position(&self, hidden: bool) -> Result<BoardPosition, ServiceError> {
        if self.steps.len() > MAX_STEPS {
            return Err(ServiceError::BadRequest(format!("session: {} steps; at most {MAX_STEPS}", self.steps.len())));
        }
        let mut board = self.board.clone();
        let mut turns: Vec<PastTurn> = Vec::new();
        let find = |words: &[BoardCard], word: &str| {
            words
                .iter()
                .position(|w| w.word.trim().to_lowercase() == word.trim().to_lowercase())
                .ok_or_else(|| ServiceError::BadRequest(format!("“{word}” is not on the board")))
        };
        for step in &self.steps {
            match step {
                SessionStep::Hint { clue, number, meant } => {
                    let meant = meant.iter().map(|w| find(&board.words, w)).collect::<Result<_, _>>()?;
                    let clue = Clue { word: clue.to_lowercase(), number: *number };
                    turns.push(PastTurn { own: true, clue, guesses: Vec::new(), meant });
                }
                SessionStep::EnemyHint { clue, number } => {
                    let clue = Clue { word: clue.to_lowercase(), number: *number };
                    turns.push(PastTurn { own: false, clue, guesses: Vec::new(), meant: Vec::new() });
                }
                SessionStep::Played { word, role } => {
                    let card = find(&board.words, word)?;
                    board.words[card].revealed = true;
                    board.words[card].role = *role;
                    if let Some(turn) = turns.last_mut() {
                        turn.guesses.push((card, *role));
                    }
                }
                SessionStep::EndTurn => {}
            }
        }
        let mut position = board_position(&board)?;
        position.turns = turns;
        if hidden {
            let turned = |side: CardSide| board.words.iter().filter(|w| w.revealed && w.role == side).count();
            let full = self.board.words.len() == BOARD;
            let (own, enemy) = if full { (9, 8) } else { (position.own_left, position.enemy_left) };
            position.own_left = own.max(turned(CardSide::Own) + 1) - turned(CardSide::Own);
            position.enemy_left = enemy.max(turned(CardSide::Enemy) + 1) - turned(CardSide::Enemy);
            position.assassins_left = 1;
            position = position.hidden();
        }
        Ok(position)
    }

    /// Whether the players are those of Jareš 2019.
    fn is_jares(&self) -> bool {
        is_jares(self.player.as_deref())
    }
}

/// An answer with the session only.
fn unanswered(session: PhoneSession) -> SessionAnswer {
    SessionAnswer { session, next: None, ranking: Vec::new(), hint: None }
}

/// The operative's next guess, if the last clue is ours and its turn runs.
fn operative(game: &Codenames, session: PhoneSession) -> Result<SessionAnswer, ServiceError> {
    let lm = game.language_model(&session.board.lang)?;
    let position = session.position(true)?;
    let Some(turn) = position.turns.last().filter(|t| t.own).cloned() else { return Ok(unanswered(session)) };
    if matches!(session.steps.last(), Some(SessionStep::EndTurn))
        || turn.guesses.last().is_some_and(|g| g.1 != CardSide::Own)
    {
        return Ok(unanswered(session));
    }
    let player = Operative::parse(if session.is_jares() { "jares" } else { "strong" }).expect("both are operatives");
    let ranking = likely_cards(&position, &player.rank(lm, &position, &turn.clue));
    let next = player.next(lm, &position).and_then(|card| ranking.iter().find(|l| l.card == card).cloned());
    Ok(SessionAnswer { session, next, ranking, hint: None })
}

/// The spymaster's next clue.
fn spymaster(game: &Codenames, mut session: PhoneSession) -> Result<SessionAnswer, ServiceError> {
    let lm = game.language_model(&session.board.lang)?;
    let position = session.position(false)?;
    let player = if session.is_jares() { Spymaster::jares() } else { Spymaster::for_people() };
    let clue = player.best_clues(lm, &position, 1).into_iter().next().ok_or_else(|| {
        ServiceError::BadRequest("no clue can be given: mark the own words that are still open".to_owned())
    })?;
    let meant = clue.targets.iter().map(|&i| position.cards[i].word.clone()).collect();
    session.steps.push(SessionStep::Hint { clue: clue.word.clone(), number: clue.number, meant });
    Ok(SessionAnswer { hint: Some(describe_clue(lm, &position, &clue)), ..unanswered(session) })
}

/// An example session without steps.
fn example_session() -> serde_json::Value {
    json!({ "board": example_board(), "steps": [] })
}

/// Prefetches the clue that a spymaster's session asks for next.
fn before_a_hint(service: Service<Codenames>) -> Service<Codenames> {
    service.followed_by("mobile_spymaster_request_hint", |answer| json!({ "session": answer["session"] }))
}

pub(super) fn services() -> Vec<Service<Codenames>> {
    let mut all = Vec::from(init::services());
    all.push(send_hint::service());
    all.push(send_enemy_hint::service());
    all.push(played_word::operative_service());
    all.push(request_hint::service());
    all.push(played_word::spymaster_service());
    all.extend(end_turn::services());
    all.extend(undo::services());
    all
}
