//! Sessions for phone apps under the study's names (5.7). A session travels with its calls: every answer carries it,
//! the next call sends it back, so that nothing is kept here and an undo simply drops the last step.

use super::advice::{ClueIdea, Likely, board_situation, likely, told};
use crate::formats::{BoardCard, BoardFile};
use crate::players::{Giver, Guesser, Past, Situation};
use crate::rules::{Clue, Number, Side};
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// One thing that happened at the real table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// Our side's clue; `meant` are the words the computer meant by its own.
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
    Played { word: String, role: Side },
    /// The turn ended.
    EndTurn,
}

/// Everything a session knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Session {
    pub board: BoardFile,
    #[serde(default)]
    pub steps: Vec<Step>,
    /// `strong` (default) or `study`.
    #[serde(default)]
    pub player: Option<String>,
}

/// A board to begin with.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct InitRequest {
    pub board: BoardFile,
    #[serde(default)]
    pub player: Option<String>,
}

/// A clue said at the table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct HintRequest {
    pub session: Session,
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
}

/// A card turned at the table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PlayedRequest {
    pub session: Session,
    pub word: String,
    pub role: Side,
}

/// Only the session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SessionRequest {
    pub session: Session,
}

/// The session as it stands, and what the computer says.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SessionAnswer {
    pub session: Session,
    /// As operative: the card it takes next; nothing if it stops.
    pub next: Option<Likely>,
    /// As operative: all open cards, the most probable first.
    pub ranking: Vec<Likely>,
    /// As spymaster: its clue.
    pub hint: Option<ClueIdea>,
}

/// The longest session, in steps.
const LONGEST: usize = 400;

impl Session {
    fn situation(&self, hidden: bool) -> Result<Situation, ServiceError> {
        if self.steps.len() > LONGEST {
            return Err(ServiceError::BadRequest(format!("session: {} steps; at most {LONGEST}", self.steps.len())));
        }
        let mut board = self.board.clone();
        let mut turns: Vec<Past> = Vec::new();
        let find = |words: &[BoardCard], word: &str| {
            words
                .iter()
                .position(|w| w.word.trim().to_lowercase() == word.trim().to_lowercase())
                .ok_or_else(|| ServiceError::BadRequest(format!("“{word}” is not on the board")))
        };
        for step in &self.steps {
            match step {
                Step::Hint { clue, number, meant } => {
                    let meant = meant.iter().map(|w| find(&board.words, w)).collect::<Result<_, _>>()?;
                    let clue = Clue { word: clue.to_lowercase(), number: *number };
                    turns.push(Past { own: true, clue, guesses: Vec::new(), meant });
                }
                Step::EnemyHint { clue, number } => {
                    let clue = Clue { word: clue.to_lowercase(), number: *number };
                    turns.push(Past { own: false, clue, guesses: Vec::new(), meant: Vec::new() });
                }
                Step::Played { word, role } => {
                    let card = find(&board.words, word)?;
                    board.words[card].revealed = true;
                    board.words[card].role = *role;
                    if let Some(turn) = turns.last_mut() {
                        turn.guesses.push((card, *role));
                    }
                }
                Step::EndTurn => {}
            }
        }
        let mut situation = board_situation(&board)?;
        situation.turns = turns;
        if hidden {
            let turned = |side: Side| board.words.iter().filter(|w| w.revealed && w.role == side).count();
            let full = self.board.words.len() == crate::rules::BOARD;
            let (own, enemy) = if full { (9, 8) } else { (situation.own_left, situation.enemy_left) };
            situation.own_left = own.max(turned(Side::Own) + 1) - turned(Side::Own);
            situation.enemy_left = enemy.max(turned(Side::Enemy) + 1) - turned(Side::Enemy);
            situation.assassins_left = 1;
            situation = situation.hidden();
        }
        Ok(situation)
    }

    fn study(&self) -> bool {
        self.player.as_deref() == Some("study")
    }
}

fn plain(session: Session) -> SessionAnswer {
    SessionAnswer { session, next: None, ranking: Vec::new(), hint: None }
}

/// What the operative does now, if the last clue is ours and its turn runs.
fn operative(game: &Codenames, session: Session) -> Result<SessionAnswer, ServiceError> {
    let tongue = game.tongue(&session.board.lang)?;
    let situation = session.situation(true)?;
    let Some(turn) = situation.turns.last().filter(|t| t.own).cloned() else { return Ok(plain(session)) };
    if matches!(session.steps.last(), Some(Step::EndTurn)) || turn.guesses.last().is_some_and(|g| g.1 != Side::Own) {
        return Ok(plain(session));
    }
    let guesser = Guesser::parse(if session.study() { "study" } else { "strong" }).expect("both are guessers");
    let ranking = likely(&situation, &guesser.rank(tongue, &situation, &turn.clue));
    let next = guesser.next(tongue, &situation).and_then(|card| ranking.iter().find(|l| l.card == card).cloned());
    Ok(SessionAnswer { session, next, ranking, hint: None })
}

fn spymaster(game: &Codenames, mut session: Session) -> Result<SessionAnswer, ServiceError> {
    let tongue = game.tongue(&session.board.lang)?;
    let situation = session.situation(false)?;
    let giver = if session.study() { Giver::study() } else { Giver::for_people() };
    let idea = giver.ideas(tongue, &situation, 1).into_iter().next().ok_or_else(|| {
        ServiceError::BadRequest("no clue can be given: mark the own words that still lie open".to_owned())
    })?;
    let meant = idea.targets.iter().map(|&i| situation.cards[i].word.clone()).collect();
    session.steps.push(Step::Hint { clue: idea.word.clone(), number: idea.number, meant });
    Ok(SessionAnswer { hint: Some(told(tongue, &situation, &idea)), ..plain(session) })
}

fn example() -> serde_json::Value {
    let words = ["wave", "beach", "ship", "bank", "spider", "bomb"];
    let roles = ["own", "own", "own", "enemy", "bystander", "assassin"];
    let cards: Vec<_> = words.iter().zip(roles).map(|(w, r)| json!({ "word": w, "role": r })).collect();
    json!({ "lang": "en", "words": cards })
}

/// A spymaster's session will next be asked for a clue.
fn before_a_hint(service: Service<Codenames>) -> Service<Codenames> {
    service.followed_by("mobile_spymaster_request_hint", |answer| json!({ "session": answer["session"] }))
}

pub(super) fn services() -> Vec<Service<Codenames>> {
    let session = || json!({ "board": example(), "steps": [] });
    let mut all = Vec::new();
    for name in ["mobile_operative_init", "mobile_spymaster_init"] {
        let init = Service::new(
            name,
            "Begins a session for a board at a real table; the session travels with every call.",
            Cost::Light,
            Needs::Nothing,
            json!({ "board": example() }),
            |game: &Codenames, request: InitRequest, _| {
                game.tongue(&request.board.lang)?;
                let session = Session { board: request.board, steps: Vec::new(), player: request.player };
                session.situation(false)?;
                Ok(plain(session))
            },
        );
        all.push(if name == "mobile_spymaster_init" { before_a_hint(init) } else { init });
    }
    all.push(Service::new(
        "mobile_operative_send_hint",
        "Our spymaster's clue: what the operative takes, with probabilities.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "session": session(), "clue": "ocean", "number": 3 }),
        |game: &Codenames, mut request: HintRequest, _| {
            let step = Step::Hint { clue: request.clue, number: request.number, meant: Vec::new() };
            request.session.steps.push(step);
            operative(game, request.session)
        },
    ));
    all.push(Service::new(
        "mobile_operative_send_enemy_hint",
        "The other side's clue: the operative learns what to suspect.",
        Cost::Light,
        Needs::Nothing,
        json!({ "session": session(), "clue": "money", "number": 1 }),
        |_: &Codenames, mut request: HintRequest, _| {
            request.session.steps.push(Step::EnemyHint { clue: request.clue, number: request.number });
            request.session.situation(true)?;
            Ok(plain(request.session))
        },
    ));
    all.push(Service::new(
        "mobile_operative_played_word",
        "A card was turned: what the operative takes next.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "session": session(), "word": "wave", "role": "own" }),
        |game: &Codenames, mut request: PlayedRequest, _| {
            request.session.steps.push(Step::Played { word: request.word, role: request.role });
            operative(game, request.session)
        },
    ));
    all.push(Service::new(
        "mobile_spymaster_request_hint",
        "The spymaster's next clue with what it means and why.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "session": session() }),
        |game: &Codenames, request: SessionRequest, _| spymaster(game, request.session),
    ));
    all.push(Service::new(
        "mobile_spymaster_played_word",
        "A card was turned.",
        Cost::Light,
        Needs::Nothing,
        json!({ "session": session(), "word": "wave", "role": "own" }),
        |_: &Codenames, mut request: PlayedRequest, _| {
            request.session.steps.push(Step::Played { word: request.word, role: request.role });
            request.session.situation(false)?;
            Ok(plain(request.session))
        },
    ));
    for name in ["mobile_spymaster_end_turn", "mobile_operative_end_turn"] {
        all.push(Service::new(
            name,
            "The turn ended.",
            Cost::Light,
            Needs::Nothing,
            json!({ "session": session() }),
            |_: &Codenames, mut request: SessionRequest, _| {
                request.session.steps.push(Step::EndTurn);
                Ok(plain(request.session))
            },
        ));
    }
    for name in ["mobile_operative_undo", "mobile_spymaster_undo"] {
        all.push(Service::new(
            name,
            "Takes back the last step with everything that was concluded from it.",
            Cost::Light,
            Needs::Nothing,
            json!({ "session": { "board": example(), "steps": [{ "step": "end_turn" }] } }),
            |_: &Codenames, mut request: SessionRequest, _| {
                if request.session.steps.pop().is_none() {
                    return Err(ServiceError::BadRequest("there is no step to take back".to_owned()));
                }
                Ok(plain(request.session))
            },
        ));
    }
    all
}
