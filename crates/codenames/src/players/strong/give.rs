//! Giving clues: every known clue is weighed by what different people would make of it.

use super::acquaint;
use super::costs::Costs;
use super::plan::{PLANNED, Plan, Promise};
use super::scales::{Member, Scales};
use crate::meaning::{Doubt, Model, Tongue};
use crate::players::race::MOST;
use crate::players::{Aim, Ensemble, Giver, Idea, Leaning, Situation};
use crate::rules::{Judge, Number, Side, Strictness};
use rayon::prelude::*;

/// Clues that all models weigh one by one.
const SHORTLIST: usize = 300;
/// Clues that are weighed once more as the remembered person thinks.
const PERSONAL: usize = 120;

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
    let judge = Judge::new(Some(tongue.language()), Strictness::Strict);
    let allowed = |clue: usize| {
        let text = tongue.clue(clue);
        !situation.said(text) && judge.check(text, &words).is_ok()
    };
    let plan = (ensemble.aim == Aim::WholeGame && own <= PLANNED).then(|| {
        let legal = first.par_iter().filter(|entry| allowed(entry.1));
        Plan::new(own, &legal.map(|entry| scales.promise(entry.1)).collect::<Vec<Promise>>())
    });
    let weighed = |clue: usize, personal: Option<&[f32]>| {
        let (value, number) = scales.weigh(clue, plan.as_ref(), personal);
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
    let mut ideas: Vec<Idea> = Vec::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for (value, clue, number) in found {
        if !allowed(clue) {
            continue;
        }
        let targets = scales.targets(&open, clue, number);
        let mut set = targets.clone();
        set.sort_unstable();
        if sets.contains(&set) {
            continue;
        }
        sets.push(set);
        ideas.push(Idea { word: tongue.clue(clue).to_owned(), number: Number::Of(number as u8), targets, value });
        if ideas.len() >= n {
            break;
        }
    }
    ideas
}
