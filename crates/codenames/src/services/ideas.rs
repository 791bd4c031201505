//! `ideas`: the best clues for the spymaster at a table.

use super::at_table;
use crate::engine::BoardPosition;
use crate::engine::meaning::LanguageModel;
use crate::players::{ScoredClue, Spymaster};
use crate::rules::{CardSide, Number};
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// How many clues to propose, and for how many words.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(default)]
pub struct IdeasRequest {
    /// Number of clues, 1 to 20.
    pub n: usize,
    /// Only clues for this many words, 1 to 6.
    pub size: Option<u8>,
}

impl Default for IdeasRequest {
    fn default() -> Self {
        Self { n: 5, size: None }
    }
}

/// A word that a clue is meant for, and the link between the two.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClueTarget {
    pub card: usize,
    pub word: String,
    /// The strongest link in one line; empty if no source has a link in words.
    pub reason: String,
}

/// A proposed clue.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClueIdea {
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
    pub targets: Vec<ClueTarget>,
    /// Expected value, in cards.
    pub value: f64,
}

/// Clues, best first, each for different words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct IdeasAnswer {
    pub ideas: Vec<ClueIdea>,
}

pub(super) fn describe_clue(lm: &LanguageModel, position: &BoardPosition, clue: &ScoredClue) -> ClueIdea {
    let target = |&card: &usize| {
        let word = position.cards[card].word.clone();
        let reason = lm.reasons(&clue.word, &word).into_iter().next().map_or(String::new(), |r| r.text);
        ClueTarget { card, word, reason }
    };
    ClueIdea {
        clue: clue.word.clone(),
        number: clue.number,
        targets: clue.targets.iter().map(target).collect(),
        value: clue.value,
    }
}

pub(super) fn ideas(
    lm: &LanguageModel,
    position: &BoardPosition,
    request: &IdeasRequest,
) -> Result<IdeasAnswer, ServiceError> {
    if !(1..=20).contains(&request.n) || request.size.is_some_and(|s| !(1..=6).contains(&s)) {
        return Err(ServiceError::BadRequest("n is 1 to 20 and size 1 to 6".to_owned()));
    }
    if position.own_left == 0 || !position.cards.iter().any(|c| c.side == CardSide::Own) {
        return Err(ServiceError::BadRequest("no open card is marked as own: the key must be known".to_owned()));
    }
    let spymaster = match request.size {
        Some(size) => Spymaster { least: size, most: size, ..Spymaster::for_people() },
        None => Spymaster::for_people(),
    };
    let wanted = if request.size.is_some() { request.n * 40 } else { request.n };
    let found = spymaster.best_clues(lm, position, wanted);
    let fits = |clue: &&ScoredClue| request.size.is_none_or(|s| clue.targets.len() == usize::from(s));
    let ideas = found.iter().filter(fits).take(request.n).map(|clue| describe_clue(lm, position, clue)).collect();
    Ok(IdeasAnswer { ideas })
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "ideas",
        "Propose clues for the spymaster's own words, each for different words, with a reason per word.",
        Cost::Heavy,
        Needs::View,
        json!({ "n": 5 }),
        |game: &Codenames, request: IdeasRequest, call| {
            let view = at_table(&call)?;
            ideas(game.language_model(&view.lang)?, &view.impersonal_position(true), &request)
        },
    )
}
