//! Which words a clue is meant for, whose the cards are, and when to stop.

use super::costs::Costs;
use crate::meaning::{Model, Tongue};
use crate::players::race::inclusion;
use crate::players::{Guess, Past, Situation};
use crate::rules::{Clue, Number, Side};

/// Open cards ranked by scores given in their order.
pub(in crate::players) fn ranked(situation: &Situation, scores: &[f32], number: Number) -> Vec<Guess> {
    let meant = number.meant().map_or(situation.own_left.max(1) as f64, |n| f64::from(n.max(1)));
    let chances = inclusion(scores, meant.min(scores.len().saturating_sub(1).max(1) as f64));
    let mut guesses: Vec<Guess> = situation
        .open()
        .into_iter()
        .zip(scores.iter().zip(chances))
        .map(|(card, (&score, probability))| Guess { card, score, probability })
        .collect();
    guesses.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.card.cmp(&b.card)));
    guesses
}

/// Which words a clue is meant for, by the association model and what earlier turns say of the key.
pub(in crate::players) fn rank(tongue: &Tongue, situation: &Situation, clue: &Clue) -> Vec<Guess> {
    let words = situation.open_words();
    let mut scores = tongue.scores_for(&situation.person, &clue.word, &words);
    if clue.number == Number::Of(0) {
        // a warning: what fits the clue is to be left alone
        scores.iter_mut().for_each(|s| *s = -*s);
    }
    let beliefs = beliefs(tongue, situation);
    for (score, belief) in scores.iter_mut().zip(&beliefs) {
        *score += (belief.own.max(1e-6) / prior_own(situation)).ln() as f32;
    }
    ranked(situation, &scores, clue.number)
}

/// How likely an open card is each side's.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Belief {
    own: f64,
    enemy: f64,
    assassin: f64,
}

fn prior_own(situation: &Situation) -> f64 {
    let open = situation.cards.iter().filter(|c| c.open).count().max(1) as f64;
    (situation.own_left as f64 / open).max(1e-6)
}

/// The posterior over the key, card by card: each finished turn that left words unfound makes the words its clue
/// fits likelier to be that side's.
fn beliefs(tongue: &Tongue, situation: &Situation) -> Vec<Belief> {
    let words = situation.open_words();
    let open = words.len() as f64;
    let (own, enemy) = (situation.own_left as f64, situation.enemy_left as f64);
    let assassins = situation.assassins_left as f64;
    let mut weights: Vec<[f64; 4]> =
        vec![[own, enemy, (open - own - enemy - assassins).max(0.0), assassins]; words.len()];
    let running = situation.turns.len().saturating_sub(1);
    for (at, turn) in situation.turns.iter().enumerate() {
        let debt = debt(turn);
        if (at == running && turn.own) || debt < 0.5 {
            continue;
        }
        // the other side's clues come from somebody else
        let scores = if turn.own {
            tongue.scores_for(&situation.person, &turn.clue.word, &words)
        } else {
            tongue.scores(Model::Strong, &turn.clue.word, &words)
        };
        let chances = inclusion(&scores, debt.min(open - 1.0).max(0.5));
        let side = usize::from(!turn.own);
        let left = if turn.own { own } else { enemy };
        for (weight, chance) in weights.iter_mut().zip(chances) {
            // Bayes: a meant word is that side's for certain; trust in the model halves the evidence
            let odds = 1.0 + 0.5 * chance / (1.0 - 0.8 * chance) * open / left.max(1.0);
            weight[side] *= odds;
        }
    }
    weights
        .into_iter()
        .map(|w| {
            let sum: f64 = w.iter().sum::<f64>().max(1e-9);
            Belief { own: w[0] / sum, enemy: w[1] / sum, assassin: w[3] / sum }
        })
        .collect()
}

/// How many words of a turn's clue were not found.
fn debt(turn: &Past) -> f64 {
    let meant = f64::from(turn.clue.number.meant().unwrap_or(0));
    let side = if turn.own { Side::Own } else { Side::Enemy };
    let found = turn.guesses.iter().filter(|g| g.1 == side).count() as f64;
    (meant - found).max(0.0)
}

/// The next card, or nothing when its expected value is negative.
pub(in crate::players) fn next(tongue: &Tongue, situation: &Situation) -> Option<usize> {
    let turn = situation.turns.last()?;
    let made = turn.guesses.len();
    let open = situation.open();
    let beliefs = beliefs(tongue, situation);
    let at = |card: usize| open.iter().position(|&i| i == card).map(|k| beliefs[k]);
    let costs = Costs::of(situation);
    let meant = match turn.clue.number {
        Number::Of(n) => usize::from(n),
        Number::Unlimited => situation.own_left,
    };
    let remaining =
        Clue { word: turn.clue.word.clone(), number: Number::Of((meant.saturating_sub(made)).min(9) as u8) };
    let (ranking, bonus) = if made < meant || meant == 0 {
        let asked = if meant == 0 { turn.clue.clone() } else { remaining };
        (rank(tongue, situation, &asked), false)
    } else {
        // the guess beyond the number is for words of earlier clues
        let mut order: Vec<Guess> = open
            .iter()
            .zip(&beliefs)
            .map(|(&card, b)| Guess { card, score: b.own as f32, probability: b.own })
            .collect();
        order.sort_by(|a, b| b.score.total_cmp(&a.score));
        (order, true)
    };
    let best = ranking.first()?;
    if made == 0 {
        return Some(best.card);
    }
    let belief = at(best.card)?;
    let hit = if bonus { belief.own } else { best.probability + (1.0 - best.probability) * belief.own };
    let miss = 1.0 - hit;
    let bad = (1.0 - belief.own).max(1e-6);
    let bystander = (bad - belief.enemy - belief.assassin).max(0.0);
    let harm = (belief.enemy * costs.enemy + belief.assassin * costs.assassin + bystander * costs.bystander) / bad;
    let worth = hit - miss * harm;
    let wanted = if bonus { 0.15 } else { 0.0 };
    (worth > wanted).then_some(best.card)
}
