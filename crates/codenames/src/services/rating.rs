//! Blind rating of clues (the study's 6.2): a prepared position, the clues of several givers without their names, and
//! what a person marks for each. A record counts only if every clue was answered.

use crate::eval::{Marked, clue_score, random_board};
use crate::players::{Giver, Idea, Situation};
use crate::rules::{Number, Side};
use crate::table::Codenames;
use game::{Cost, Needs, RuleError, Seed, Service, ServiceError};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Givers whose clues are compared.
const GIVERS: [&str; 3] = ["strong", "study", "vectors"];
/// The most cards that lie turned in a prepared position.
const TURNED: usize = 8;

/// Which position.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RatingRequest {
    #[serde(default = "english")]
    pub lang: String,
    /// Names the position: the same seed gives the same words, key and clues.
    pub seed: u64,
}

fn english() -> String {
    "en".to_owned()
}

/// A card of a prepared position as the rater sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingCard {
    pub word: String,
    /// What it is, if it lies turned.
    pub revealed: Option<Side>,
}

/// A clue whose giver is not told.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingClue {
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
}

/// A position with clues to be answered in turn.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingPosition {
    pub seed: u64,
    pub cards: Vec<RatingCard>,
    pub clues: Vec<RatingClue>,
}

/// What a person marked: for each clue the cards, in any order.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RatingAnswers {
    #[serde(default = "english")]
    pub lang: String,
    pub seed: u64,
    pub answers: Vec<Vec<u8>>,
}

/// What one giver's clue brought.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingRow {
    pub giver: String,
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
    /// The cards it was meant for.
    pub meant: Vec<usize>,
    /// Own +1, enemy −1, bystander 0; with the assassin minus the enemy words left.
    pub score: f64,
}

/// The record of a position, and its key.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingRecord {
    pub seed: u64,
    pub rows: Vec<RatingRow>,
    pub key: Vec<Side>,
}

/// The position of a seed and the clues in the order they are shown.
fn prepare(game: &Codenames, lang: &str, seed: u64) -> Result<(Situation, Vec<(&'static str, Idea)>), RuleError> {
    let tongue = game.tongue(lang)?;
    let mut cards = random_board(tongue, seed);
    let mut rng = Seed(seed).rng(0xb11d);
    let mut harmless: Vec<usize> = (0..cards.len()).filter(|&i| cards[i].side != Side::Assassin).collect();
    harmless.shuffle(&mut rng);
    let turned = rng.random_range(0..=TURNED);
    harmless.into_iter().take(turned).for_each(|i| cards[i].open = false);
    let situation = Situation::of_key(cards, Vec::new());
    let mut clues = Vec::new();
    for name in GIVERS {
        let giver = Giver::parse(name).expect("the list names givers").meeting_people();
        clues.extend(giver.ideas(tongue, &situation, 1).into_iter().map(|idea| (name, idea)));
    }
    clues.shuffle(&mut rng);
    Ok((situation, clues))
}

fn position(game: &Codenames, request: &RatingRequest) -> Result<RatingPosition, ServiceError> {
    let (situation, clues) = prepare(game, &request.lang, request.seed)?;
    let card = |c: &crate::players::Card| RatingCard { word: c.word.clone(), revealed: (!c.open).then_some(c.side) };
    Ok(RatingPosition {
        seed: request.seed,
        cards: situation.cards.iter().map(card).collect(),
        clues: clues.into_iter().map(|(_, i)| RatingClue { clue: i.word, number: i.number }).collect(),
    })
}

fn score(game: &Codenames, request: &RatingAnswers) -> Result<RatingRecord, ServiceError> {
    let (situation, clues) = prepare(game, &request.lang, request.seed)?;
    if request.answers.len() != clues.len() || request.answers.iter().any(Vec::is_empty) {
        let message = format!("answers: a record counts only if all {} clues were answered", clues.len());
        return Err(ServiceError::BadRequest(message));
    }
    let mut rows = Vec::new();
    for ((giver, idea), marked) in clues.into_iter().zip(&request.answers) {
        let mut sides = Vec::new();
        let mut seen = Vec::new();
        for &card in marked {
            let known = situation.cards.get(usize::from(card)).filter(|c| c.open && !seen.contains(&card));
            let known = known.ok_or_else(|| {
                ServiceError::BadRequest(format!("answers: card {card} does not lie open, or was marked twice"))
            })?;
            sides.push(known.side);
            seen.push(card);
        }
        let score = clue_score(&[Marked { sides, enemy_left: situation.enemy_left }]).unwrap_or(0.0);
        rows.push(RatingRow {
            giver: giver.to_owned(),
            clue: idea.word,
            number: idea.number,
            meant: idea.targets,
            score,
        });
    }
    Ok(RatingRecord { seed: request.seed, rows, key: situation.cards.iter().map(|c| c.side).collect() })
}

pub(super) fn services() -> Vec<Service<Codenames>> {
    vec![
        Service::new(
            "rating_position",
            "A prepared position and the clues of several givers, without their names, for blind rating.",
            Cost::Heavy,
            Needs::Nothing,
            json!({ "lang": "en", "seed": 1 }),
            |game: &Codenames, request: RatingRequest, _| position(game, &request),
        ),
        Service::new(
            "rating_score",
            "What the marked cards of a prepared position bring each giver, and who gave which clue.",
            Cost::Heavy,
            Needs::Nothing,
            json!({ "lang": "en", "seed": 1, "answers": [[0], [1], [2]] }),
            |game: &Codenames, request: RatingAnswers, _| score(game, &request),
        ),
    ]
}
