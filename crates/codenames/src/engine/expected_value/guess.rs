//! The operative by expected value: ranks the open cards, keeps a posterior over the key, and stops when the next card
//! costs more than it brings.

use super::costs::Costs;
use crate::engine::choice_model::inclusion_probabilities;
use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::engine::{BoardPosition, PastTurn};
use crate::players::RankedCard;
use crate::rules::{CardSide, Clue, Number};

/// Least expected value of the guess beyond the number, in cards.
const BONUS_GUESS_THRESHOLD: f64 = 0.15;

/// Ranks the open cards by scores given in their order.
pub(crate) fn ranked(position: &BoardPosition, scores: &[f32], number: Number) -> Vec<RankedCard> {
    let meant = number.meant().map_or(position.own_left.max(1) as f64, |n| f64::from(n.max(1)));
    let probabilities = inclusion_probabilities(scores, meant.min(scores.len().saturating_sub(1).max(1) as f64));
    let mut ranking: Vec<RankedCard> = position
        .open()
        .into_iter()
        .zip(scores.iter().zip(probabilities))
        .map(|(card, (&score, probability))| RankedCard { card, score, probability })
        .collect();
    ranking.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.card.cmp(&b.card)));
    ranking
}

/// Ranks the open cards by the association model and the posterior over the key.
pub(crate) fn rank(lm: &LanguageModel, position: &BoardPosition, clue: &Clue) -> Vec<RankedCard> {
    let words = position.open_words();
    let mut scores = lm.scores_for(&position.person, &clue.word, &words);
    if clue.number == Number::Of(0) {
        // 0 is a warning: cards that fit the clue are to be left alone
        scores.iter_mut().for_each(|s| *s = -*s);
    }
    let posteriors = card_posteriors(lm, position);
    for (score, posterior) in scores.iter_mut().zip(&posteriors) {
        *score += (posterior.own.max(1e-6) / prior_own(position)).ln() as f32;
    }
    ranked(position, &scores, clue.number)
}

/// Probabilities that an open card is the own side's, the enemy's or the assassin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CardPosterior {
    own: f64,
    enemy: f64,
    assassin: f64,
}

fn prior_own(position: &BoardPosition) -> f64 {
    let open = position.cards.iter().filter(|c| c.open).count().max(1) as f64;
    (position.own_left as f64 / open).max(1e-6)
}

/// The posterior over the key, card by card: a finished turn that left words unfound raises the probability that the
/// words its clue fits are that side's.
fn card_posteriors(lm: &LanguageModel, position: &BoardPosition) -> Vec<CardPosterior> {
    let words = position.open_words();
    let open = words.len() as f64;
    let (own, enemy) = (position.own_left as f64, position.enemy_left as f64);
    let assassins = position.assassins_left as f64;
    let mut weights: Vec<[f64; 4]> =
        vec![[own, enemy, (open - own - enemy - assassins).max(0.0), assassins]; words.len()];
    let running = position.turns.len().saturating_sub(1);
    for (at, turn) in position.turns.iter().enumerate() {
        let debt = debt(turn);
        if (at == running && turn.own) || debt < 0.5 {
            continue;
        }
        // the remembered person gives the own side's clues only
        let scores = if turn.own {
            lm.scores_for(&position.person, &turn.clue.word, &words)
        } else {
            lm.scores(ScoringModel::Strong, &turn.clue.word, &words)
        };
        let probabilities = inclusion_probabilities(&scores, debt.min(open - 1.0).max(0.5));
        let side = usize::from(!turn.own);
        let left = if turn.own { own } else { enemy };
        for (weight, probability) in weights.iter_mut().zip(probabilities) {
            // Bayes' rule: a meant word certainly is that side's; the evidence is halved because the model may err
            let odds = 1.0 + 0.5 * probability / (1.0 - 0.8 * probability) * open / left.max(1.0);
            weight[side] *= odds;
        }
    }
    weights
        .into_iter()
        .map(|w| {
            let sum: f64 = w.iter().sum::<f64>().max(1e-9);
            CardPosterior { own: w[0] / sum, enemy: w[1] / sum, assassin: w[3] / sum }
        })
        .collect()
}

/// Number of words of a turn's clue that were not found.
fn debt(turn: &PastTurn) -> f64 {
    let meant = f64::from(turn.clue.number.meant().unwrap_or(0));
    let side = if turn.own { CardSide::Own } else { CardSide::Enemy };
    let found = turn.guesses.iter().filter(|g| g.1 == side).count() as f64;
    (meant - found).max(0.0)
}

/// The next card, or `None` when its expected value is negative.
pub(crate) fn next(lm: &LanguageModel, position: &BoardPosition) -> Option<usize> {
    let turn = position.turns.last()?;
    let made = turn.guesses.len();
    let open = position.open();
    let posteriors = card_posteriors(lm, position);
    let at = |card: usize| open.iter().position(|&i| i == card).map(|k| posteriors[k]);
    let costs = Costs::for_operative(position);
    let meant = match turn.clue.number {
        Number::Of(n) => usize::from(n),
        Number::Unlimited => position.own_left,
    };
    let remaining =
        Clue { word: turn.clue.word.clone(), number: Number::Of((meant.saturating_sub(made)).min(9) as u8) };
    let (ranking, bonus) = if made < meant || meant == 0 {
        let clue = if meant == 0 { turn.clue.clone() } else { remaining };
        (rank(lm, position, &clue), false)
    } else {
        // the guess beyond the number is for words of earlier clues
        let mut order: Vec<RankedCard> = open
            .iter()
            .zip(&posteriors)
            .map(|(&card, p)| RankedCard { card, score: p.own as f32, probability: p.own })
            .collect();
        order.sort_by(|a, b| b.score.total_cmp(&a.score));
        (order, true)
    };
    let best = ranking.first()?;
    if made == 0 {
        return Some(best.card);
    }
    let posterior = at(best.card)?;
    let hit = if bonus { posterior.own } else { best.probability + (1.0 - best.probability) * posterior.own };
    let miss = 1.0 - hit;
    let wrong = (1.0 - posterior.own).max(1e-6);
    let bystander = (wrong - posterior.enemy - posterior.assassin).max(0.0);
    let loss =
        (posterior.enemy * costs.enemy + posterior.assassin * costs.assassin + bystander * costs.bystander) / wrong;
    let threshold = if bonus { BONUS_GUESS_THRESHOLD } else { 0.0 };
    (hit - miss * loss > threshold).then_some(best.card)
}
