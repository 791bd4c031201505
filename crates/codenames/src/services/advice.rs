//! `check_clue`, `ideas` at a table; `check_hint`, `request_hint` for any board.

use crate::Tongue;
use crate::formats::BoardFile;
use crate::players::{Giver, GiverKind, Guesser, Idea, Situation};
use crate::rules::{Clue, Judge, Number, Refusal, Strictness};
use crate::table::{Codenames, View};
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// A clue to be checked at a table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CheckClueRequest {
    pub word: String,
    /// 0 to 9, or `unlimited`.
    #[schema(value_type = Object)]
    pub number: Number,
}

/// One card that a guesser would take.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Likely {
    pub card: usize,
    pub word: String,
    /// Chance that the clue is understood to mean it.
    pub probability: f64,
}

/// The judge's verdict and what the computer would make of the clue.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CheckClueAnswer {
    pub legal: bool,
    /// Why it is refused.
    pub refusal: Option<Refusal>,
    /// The stable code of the refusal.
    pub code: Option<String>,
    /// What a computer teammate would take, the most probable first; empty for a refused clue.
    pub guesses: Vec<Likely>,
}

/// The verdict on a clue for a situation whose key is left out.
pub(super) fn check(
    tongue: &Tongue,
    strictness: Strictness,
    situation: &Situation,
    word: &str,
    number: Number,
) -> CheckClueAnswer {
    let judge = Judge::new(Some(tongue.language()), strictness);
    if let Err(refusal) = judge.check(word, &situation.open_words()) {
        let code = Some(refusal.kind.code().to_owned());
        return CheckClueAnswer { legal: false, refusal: Some(refusal), code, guesses: Vec::new() };
    }
    let clue = Clue { word: word.trim().to_lowercase(), number };
    let guesser = Guesser::parse("strong").expect("strong is a guesser");
    let guesses = guesser.rank(tongue, &situation.hidden(), &clue);
    CheckClueAnswer { legal: true, refusal: None, code: None, guesses: likely(situation, &guesses) }
}

pub(super) fn likely(situation: &Situation, guesses: &[crate::players::Guess]) -> Vec<Likely> {
    guesses
        .iter()
        .map(|g| Likely { card: g.card, word: situation.cards[g.card].word.clone(), probability: g.probability })
        .collect()
}

/// How many clues to propose, and for how many words.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(default)]
pub struct IdeasRequest {
    /// 1 to 20 clues.
    pub n: usize,
    /// Only clues for so many words, 1 to 6.
    pub size: Option<u8>,
}

impl Default for IdeasRequest {
    fn default() -> Self {
        Self { n: 5, size: None }
    }
}

/// A word that a clue is meant for, and what links the two.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Target {
    pub card: usize,
    pub word: String,
    /// The strongest link in one line; empty where the models only feel it.
    pub reason: String,
}

/// A clue worth giving.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClueIdea {
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
    pub targets: Vec<Target>,
    /// What it is expected to bring, in cards.
    pub value: f64,
}

/// Clues, best first, each for different words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct IdeasAnswer {
    pub ideas: Vec<ClueIdea>,
}

pub(super) fn told(tongue: &Tongue, situation: &Situation, idea: &Idea) -> ClueIdea {
    let target = |&card: &usize| {
        let word = situation.cards[card].word.clone();
        let reason = tongue.reasons(&idea.word, &word).into_iter().next().map_or(String::new(), |r| r.text);
        Target { card, word, reason }
    };
    ClueIdea {
        clue: idea.word.clone(),
        number: idea.number,
        targets: idea.targets.iter().map(target).collect(),
        value: idea.value,
    }
}

fn ideas(tongue: &Tongue, situation: &Situation, request: &IdeasRequest) -> Result<IdeasAnswer, ServiceError> {
    if !(1..=20).contains(&request.n) || request.size.is_some_and(|s| !(1..=6).contains(&s)) {
        return Err(ServiceError::BadRequest("n is 1 to 20 and size 1 to 6".to_owned()));
    }
    if situation.own_left == 0 || !situation.cards.iter().any(|c| c.side == crate::rules::Side::Own) {
        return Err(ServiceError::BadRequest("no open card is marked as own: the key must be known".to_owned()));
    }
    let giver = match request.size {
        Some(size) => Giver { least: size, most: size, ..Giver::for_people() },
        None => Giver::for_people(),
    };
    let wanted = if request.size.is_some() { request.n * 40 } else { request.n };
    let found = giver.ideas(tongue, situation, wanted);
    let fits = |idea: &&Idea| request.size.is_none_or(|s| idea.targets.len() == usize::from(s));
    Ok(IdeasAnswer { ideas: found.iter().filter(fits).take(request.n).map(|i| told(tongue, situation, i)).collect() })
}

/// A clue and a board at a real table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CheckHintRequest {
    pub board: BoardFile,
    pub clue: String,
    /// 0 to 9, or `unlimited`.
    #[schema(value_type = Object)]
    pub number: Number,
    #[serde(default)]
    pub strictness: Strictness,
}

/// A board at a real table, its key known.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RequestHintRequest {
    pub board: BoardFile,
    #[serde(default)]
    pub previous: Vec<String>,
    #[serde(flatten)]
    pub ideas: IdeasRequest,
    /// `strong` or `study`.
    #[serde(default)]
    pub player: Option<String>,
}

pub(super) fn board_situation(board: &BoardFile) -> Result<Situation, ServiceError> {
    board.situation().map_err(ServiceError::BadRequest)
}

fn example_board() -> serde_json::Value {
    json!({ "lang": "en", "words": [
        { "word": "wave", "role": "own" }, { "word": "beach", "role": "own" }, { "word": "ship", "role": "own" },
        { "word": "bank", "role": "enemy" }, { "word": "spider", "role": "bystander" },
        { "word": "bomb", "role": "assassin" } ] })
}

fn view<'a>(call: &game::ServiceCall<'a, Codenames>) -> Result<&'a View, ServiceError> {
    call.view.ok_or_else(|| ServiceError::BadRequest("call this at a table".to_owned()))
}

pub(super) fn services() -> Vec<Service<Codenames>> {
    vec![
        Service::new(
            "check_clue",
            "Whether a clue may be said at this table, and what a computer teammate would take from it.",
            Cost::Light,
            Needs::View,
            json!({ "word": "ocean", "number": 2 }),
            |game: &Codenames, request: CheckClueRequest, call| {
                let view = view(&call)?;
                let tongue = game.tongue(&view.lang)?;
                let mut situation = view.situation(true).hidden();
                situation.turns.clear();
                Ok(check(tongue, view.strictness, &situation, &request.word, request.number))
            },
        ),
        Service::new(
            "ideas",
            "Clues for the spymaster's own words, each for different words, with a reason per word.",
            Cost::Heavy,
            Needs::View,
            json!({ "n": 5 }),
            |game: &Codenames, request: IdeasRequest, call| {
                let view = view(&call)?;
                ideas(game.tongue(&view.lang)?, &view.situation(true), &request)
            },
        ),
        Service::new(
            "check_hint",
            "Judges a clue for any board and ranks what would be guessed.",
            Cost::Light,
            Needs::Nothing,
            json!({ "board": example_board(), "clue": "ocean", "number": 3 }),
            |game: &Codenames, request: CheckHintRequest, _| {
                let tongue = game.tongue(&request.board.lang)?;
                let situation = board_situation(&request.board)?;
                Ok(check(tongue, request.strictness, &situation, &request.clue, request.number))
            },
        ),
        Service::new(
            "request_hint",
            "The best clues for any board whose key is known, each for different words.",
            Cost::Heavy,
            Needs::Nothing,
            json!({ "board": example_board(), "n": 3 }),
            |game: &Codenames, request: RequestHintRequest, _| {
                let tongue = game.tongue(&request.board.lang)?;
                let mut situation = board_situation(&request.board)?;
                for word in &request.previous {
                    let clue = Clue { word: word.to_lowercase(), number: Number::Of(1) };
                    let past = crate::players::Past { own: false, clue, guesses: Vec::new(), meant: Vec::new() };
                    situation.turns.push(past);
                }
                if request.player.as_deref() == Some("study") {
                    let giver = Giver { kind: GiverKind::Study { strategy: false, hypernyms: true }, ..Giver::study() };
                    let found = giver.ideas(tongue, &situation, request.ideas.n.clamp(1, 20));
                    return Ok(IdeasAnswer { ideas: found.iter().map(|i| told(tongue, &situation, i)).collect() });
                }
                ideas(tongue, &situation, &request.ideas)
            },
        ),
    ]
}
