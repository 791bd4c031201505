//! The strong players: expected value under noisy guessers, and a posterior over the key.

use super::race::{MOST, Outlook, inclusion, outlook};
use super::{Ensemble, Giver, Guess, Idea, Past, Situation};
use crate::meaning::{Model, Tongue};
use crate::rules::{Clue, Judge, Number, Side, Strictness};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// What every card gets besides its model's rate: people also think of things no model knows.
const STRAY: f64 = 0.004;

/// Clues that all models weigh.
const SHORTLIST: usize = 1_500;

/// One model of the ensemble: its columns with the sides of their cards, its weight and its sharpness.
type Member<'a> = (Vec<(&'a Arc<[f32]>, Side)>, f64, f32);

/// What wrong cards cost, in own cards.
#[derive(Clone, Copy, Debug)]
struct Costs {
    enemy: f64,
    bystander: f64,
    assassin: f64,
}

impl Costs {
    /// Costs that depend on the score: who is behind fears bystanders less and dares more.
    fn of(situation: &Situation) -> Costs {
        let (own, enemy) = (situation.own_left as f64, situation.enemy_left as f64);
        let ahead = ((enemy - own) / 4.0).clamp(-1.0, 1.0);
        let late = if situation.enemy_left == 1 { 0.3 } else { 1.0 };
        Costs {
            enemy: 0.9,
            bystander: (0.35 + 0.15 * ahead) * late,
            assassin: (7.0 + 2.0 * ahead) * (0.5 + 0.5 * late),
        }
    }
}

/// The best clues: every known clue is weighed, the best that the strict judge allows are returned.
pub(super) fn give(tongue: &Tongue, situation: &Situation, giver: &Giver, ensemble: &Ensemble, n: usize) -> Vec<Idea> {
    let open = situation.open();
    let own: Vec<usize> = open.iter().copied().filter(|&i| situation.cards[i].side == Side::Own).collect();
    if own.is_empty() {
        return Vec::new();
    }
    let mut models: Vec<Model> = Vec::new();
    for member in &ensemble.members {
        if !models.contains(&member.0) {
            models.push(member.0);
        }
    }
    if models.contains(&Model::Strong) {
        tongue.prepare(&situation.open_words());
    }
    let columns: HashMap<(Model, usize), Arc<[f32]>> = models
        .iter()
        .flat_map(|&m| open.iter().map(move |&i| (m, i)))
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|(m, i)| ((m, i), tongue.column(m, &situation.cards[i].word)))
        .collect();
    let costs = Costs::of(situation);
    let most = usize::from(giver.most).min(own.len()).min(MOST);
    let table: Vec<Member<'_>> = ensemble
        .members
        .iter()
        .map(|&(m, weight, sharp)| {
            (open.iter().map(|&i| (&columns[&(m, i)], situation.cards[i].side)).collect(), weight, sharp)
        })
        .collect();
    let count = tongue.clue_count().min(giver.vocabulary);
    let value = |clue: usize, members: &[Member<'_>]| {
        let mut values = [0.0; MOST + 1];
        for (cards, weight, sharp) in members {
            let (look, harm) = weigh(cards, clue, *sharp, costs);
            for (k, value) in values.iter_mut().enumerate().skip(1) {
                *value += weight * (look.found[k] - harm * look.wrong[k]);
            }
        }
        let common = 0.03 * (f64::from(tongue.zipf(clue)) - 4.0).clamp(-1.5, 1.0);
        // of equal values the larger number: it leaves the guesser a choice
        let best = (1..=most).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(1);
        (values[best] + common, clue, best)
    };
    // every clue is weighed by the first model, the best of them by all
    let mut first: Vec<(f64, usize)> = (0..count)
        .into_par_iter()
        .map(|clue| {
            let seen = value(clue, &table[..1]);
            (seen.0 / table[0].1.max(1e-9), seen.1)
        })
        .collect();
    first.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    first.truncate(SHORTLIST.max(40 * n));
    let mut found: Vec<(f64, usize, usize)> = first.into_par_iter().map(|(_, clue)| value(clue, &table)).collect();
    found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let judge = Judge::new(Some(tongue.language()), Strictness::Strict);
    let words = situation.open_words();
    let mut ideas: Vec<Idea> = Vec::new();
    for (value, clue, number) in found {
        let text = tongue.clue(clue);
        if situation.said(text) || judge.check(text, &words).is_err() {
            continue;
        }
        let mut targets: Vec<(f32, usize)> =
            own.iter().map(|&i| (mean_score(ensemble, &columns, i, clue), i)).collect();
        targets.sort_by(|a, b| b.0.total_cmp(&a.0));
        let targets: Vec<usize> = targets.into_iter().take(number).map(|t| t.1).collect();
        let same = |idea: &Idea| {
            let mut a = (idea.targets.clone(), targets.clone());
            a.0.sort_unstable();
            a.1.sort_unstable();
            a.0 == a.1
        };
        if ideas.iter().any(same) {
            continue;
        }
        ideas.push(Idea { word: text.to_owned(), number: Number::Of(number as u8), targets, value });
        if ideas.len() >= n {
            break;
        }
    }
    ideas
}

fn mean_score(ensemble: &Ensemble, columns: &HashMap<(Model, usize), Arc<[f32]>>, card: usize, clue: usize) -> f32 {
    ensemble.members.iter().map(|&(m, weight, sharp)| weight as f32 * sharp * columns[&(m, card)][clue]).sum()
}

/// The outlook of one clue under one model, and the mean cost of a wrong card.
fn weigh(cards: &[(&Arc<[f32]>, Side)], clue: usize, sharp: f32, costs: Costs) -> (Outlook, f64) {
    let top = cards.iter().map(|(column, _)| column[clue]).fold(f32::NEG_INFINITY, f32::max);
    let mut own = [0.0; 25];
    let mut count = 0;
    let (mut others, mut harm) = (0.0, 0.0);
    for (column, side) in cards {
        let rate = f64::from((column[clue] - top) * sharp).exp() + STRAY;
        let cost = match side {
            Side::Own => {
                if count < own.len() {
                    own[count] = rate;
                    count += 1;
                }
                continue;
            }
            Side::Enemy => costs.enemy,
            Side::Assassin => costs.assassin,
            Side::Bystander | Side::Unknown => costs.bystander,
        };
        others += rate;
        harm += rate * cost;
    }
    (outlook(&own[..count], others), if others > 0.0 { harm / others } else { 0.0 })
}

/// Open cards ranked by scores given in their order.
pub(super) fn ranked(situation: &Situation, scores: &[f32], number: Number) -> Vec<Guess> {
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
pub(super) fn rank(tongue: &Tongue, situation: &Situation, clue: &Clue) -> Vec<Guess> {
    let words = situation.open_words();
    let mut scores = tongue.scores(Model::Strong, &clue.word, &words);
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
        let scores = tongue.scores(Model::Strong, &turn.clue.word, &words);
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
pub(super) fn next(tongue: &Tongue, situation: &Situation) -> Option<usize> {
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
