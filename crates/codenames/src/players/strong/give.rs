//! Giving clues: every known clue is weighed by what different people would make of it.

use super::acquaint;
use super::costs::Costs;
use crate::meaning::{Doubt, Model, Tongue};
use crate::players::race::{MOST, Outlook, outlook, rate};
use crate::players::{Ensemble, Giver, Idea, Leaning, Situation};
use crate::rules::{Judge, Number, Side, Strictness};
use rayon::prelude::*;
use std::sync::Arc;

/// How much the model that thinks least of a clue counts beside the mean of all: whom it plays with is not known.
const WORST: f64 = 0.12;
/// Models below this weight are not feared: the guesser's choices speak against them.
const PLAUSIBLE: f64 = 0.05;
/// What ten times as common a word gains, in cards: rare words are known to few, and to few sources.
const COMMON: f64 = 0.1;
/// What puts clues behind all others whose first card is somebody else's.
const LAST: f64 = 1_000.0;
/// Clues that all models weigh one by one.
const SHORTLIST: usize = 300;
/// Clues that are weighed once more as the remembered person thinks.
const PERSONAL: usize = 120;

/// One model of the ensemble: the columns of the open cards, its weight and its sharpness.
struct Member {
    model: Model,
    columns: Vec<Arc<[f32]>>,
    weight: f64,
    sharp: f32,
}

/// Everything a clue is weighed against.
struct Scales<'a> {
    tongue: &'a Tongue,
    sides: Vec<Side>,
    members: Vec<Member>,
    costs: Costs,
    least: usize,
    most: usize,
    /// For each own card, how far its links are to be trusted.
    doubts: Vec<Option<Vec<Doubt>>>,
}

impl Scales<'_> {
    /// The score of an open card between all models.
    fn mean(&self, card: usize, clue: usize) -> f32 {
        self.members.iter().map(|m| m.weight as f32 * m.sharp * m.columns[card][clue]).sum()
    }

    /// What a clue is worth to somebody between all models; if another's card comes first to that mind, less than any
    /// other, by how far an own card comes behind.
    fn glance(&self, clue: usize) -> f64 {
        let scores: Vec<f32> = (0..self.sides.len()).map(|card| self.mean(card, clue)).collect();
        let top = |mine: bool| {
            let some = scores.iter().zip(&self.sides).filter(|s| (*s.1 == Side::Own) == mine);
            some.map(|s| *s.0).fold(f32::NEG_INFINITY, f32::max)
        };
        let ahead = top(true) - top(false);
        if ahead < 0.0 {
            return f64::from(ahead) - LAST;
        }
        let (look, harm) = self.look(&scores, 1.0);
        (self.least..=self.most(clue)).map(|k| look.found[k] - harm * look.wrong[k]).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Value and best number of a clue by all models; `personal` are the association model's scores for the open cards
    /// where they differ from its columns.
    fn weigh(&self, clue: usize, personal: Option<&[f32]>) -> (f64, usize) {
        let mut values = [0.0; MOST + 1];
        let mut lowest = [f64::INFINITY; MOST + 1];
        let mut total = 0.0;
        let mut scores = vec![0.0; self.sides.len()];
        for member in &self.members {
            match personal {
                Some(own) if member.model == Model::Strong => scores.copy_from_slice(own),
                _ => scores.iter_mut().zip(&member.columns).for_each(|(s, column)| *s = column[clue]),
            }
            let (look, harm) = self.look(&scores, member.sharp);
            total += member.weight;
            for (k, value) in values.iter_mut().enumerate().skip(1) {
                let worth = look.found[k] - harm * look.wrong[k];
                *value += member.weight * worth;
                if member.weight >= PLAUSIBLE {
                    lowest[k] = lowest[k].min(worth);
                }
            }
        }
        for (value, lowest) in values.iter_mut().zip(lowest).skip(1) {
            *value = (1.0 - WORST) * *value / total.max(1e-9) + WORST * lowest;
        }
        let common = COMMON * (f64::from(self.tongue.zipf(clue)) - 4.0).clamp(-1.5, 1.0);
        // of equal values the larger number: it leaves the guesser a choice
        let numbers = self.least..=self.most(clue);
        let best = numbers.max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(self.least);
        (values[best] + common, best)
    }

    /// The largest number for a clue: words that own sources of the language link with it, where there are such.
    fn most(&self, clue: usize) -> usize {
        let sure = self.doubts.iter().flatten().filter(|doubts| doubts[clue] == Doubt::None).count();
        if self.doubts.iter().all(Option::is_none) { self.most } else { self.most.min(sure.max(self.least)) }
    }

    /// The outlook of a clue under one model, and the mean cost of a wrong card.
    fn look(&self, scores: &[f32], sharp: f32) -> (Outlook, f64) {
        let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut own = Vec::with_capacity(self.sides.len());
        let (mut others, mut harm) = (0.0, 0.0);
        for (&score, side) in scores.iter().zip(&self.sides) {
            let rate = rate(score - top, sharp);
            let cost = match side {
                Side::Own => {
                    own.push(rate);
                    continue;
                }
                Side::Enemy => self.costs.enemy,
                Side::Assassin => self.costs.assassin,
                Side::Bystander | Side::Unknown => self.costs.bystander,
            };
            others += rate;
            harm += rate * cost;
        }
        (outlook(&own, others), if others > 0.0 { harm / others } else { 0.0 })
    }

    /// The open cards that a clue speaks of most, own ones only, as many as the number.
    fn targets(&self, open: &[usize], clue: usize, number: usize) -> Vec<usize> {
        let own = (0..open.len()).filter(|&k| self.sides[k] == Side::Own);
        let mut own: Vec<(f32, usize)> = own.map(|k| (self.mean(k, clue), open[k])).collect();
        own.sort_by(|a, b| b.0.total_cmp(&a.0));
        own.into_iter().take(number).map(|t| t.1).collect()
    }
}

/// The best clues: every known clue is weighed, the best that the strict judge allows are returned, each for other
/// cards.
pub(in crate::players) fn give(
    tongue: &Tongue,
    situation: &Situation,
    giver: &Giver,
    ensemble: &Ensemble,
    n: usize,
) -> Vec<Idea> {
    let open = situation.open();
    let own = open.iter().filter(|&&i| situation.cards[i].side == Side::Own).count();
    if own == 0 {
        return Vec::new();
    }
    let words = situation.open_words();
    if ensemble.members.iter().any(|m| m.0.layer().is_some()) {
        tongue.prepare(&words);
    }
    let leaning = tongue.language().pivot().is_some();
    let speakers = ensemble.leaning == Leaning::Speakers;
    let ensemble = &if leaning { ensemble.clone().by_own_lists() } else { ensemble.clone() };
    let weights = acquaint::weights(tongue, situation, ensemble);
    let sides: Vec<Side> = open.iter().map(|&i| situation.cards[i].side).collect();
    // speakers are not expected to find an own card by a link that only English has; another's is feared all the same
    let doubted = |side: Side| speakers && side == Side::Own;
    let mine = words.iter().zip(&sides).map(|(word, side)| doubted(*side).then(|| tongue.doubts(word)).flatten());
    let doubts: Vec<Option<Vec<Doubt>>> = mine.collect();
    let column = |model: Model, word: &str, doubts: &Option<Vec<Doubt>>| match doubts {
        Some(doubts) => {
            // the whole association model has what a hearer doubts already
            let known = |doubt: &Doubt| if model == Model::Strong { doubt.heard() } else { 0.0 };
            let scores = tongue.column(model, word);
            scores.iter().zip(doubts).map(|(score, doubt)| score - (doubt.hoped() - known(doubt))).collect()
        }
        None => tongue.column(model, word),
    };
    let member = |(&(model, _, sharp), &weight): (&(Model, f64, f32), &f64)| Member {
        model,
        columns: words.par_iter().zip(&doubts).map(|(w, doubts)| column(model, w, doubts)).collect(),
        weight,
        sharp,
    };
    let members = ensemble.members.iter().zip(&weights).map(member).collect();
    let scales = Scales {
        tongue,
        sides,
        members,
        costs: Costs::of_giver(situation, ensemble.dread),
        least: usize::from(giver.least).min(own).clamp(1, MOST),
        most: usize::from(giver.most).min(own).clamp(1, MOST),
        doubts,
    };
    // every clue is glanced at, the best of them are weighed by each model
    let count = tongue.clue_count().min(giver.vocabulary);
    let mut first: Vec<(f64, usize)> = (0..count).into_par_iter().map(|clue| (scales.glance(clue), clue)).collect();
    first.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    first.truncate(SHORTLIST.max(40 * n));
    let weighed = |clue: usize, personal: Option<&[f32]>| {
        let (value, number) = scales.weigh(clue, personal);
        (value, clue, number)
    };
    let mut found: Vec<(f64, usize, usize)> = first.into_par_iter().map(|(_, clue)| weighed(clue, None)).collect();
    found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    if !situation.person.is_nobody() {
        found.truncate(PERSONAL.max(20 * n));
        for entry in &mut found {
            let own = tongue.scores_for(&situation.person, tongue.clue(entry.1), &words);
            *entry = weighed(entry.1, Some(&own));
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }
    let judge = Judge::new(Some(tongue.language()), Strictness::Strict);
    let mut ideas: Vec<Idea> = Vec::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for (value, clue, number) in found {
        let text = tongue.clue(clue);
        if situation.said(text) || judge.check(text, &words).is_err() {
            continue;
        }
        let targets = scales.targets(&open, clue, number);
        let mut set = targets.clone();
        set.sort_unstable();
        if sets.contains(&set) {
            continue;
        }
        sets.push(set);
        ideas.push(Idea { word: text.to_owned(), number: Number::Of(number as u8), targets, value });
        if ideas.len() >= n {
            break;
        }
    }
    ideas
}
