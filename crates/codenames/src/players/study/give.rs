//! The study's spymaster (5.5): the gap between the last target and the first other word, by vectors alone.

use crate::meaning::{Model, Tongue};
use crate::players::{Giver, Idea, Situation};
use crate::rules::{Judge, Number, Side, Strictness};
use rayon::prelude::*;
use semantics::hand::HandKind;
use std::collections::BTreeMap;

/// Zipf frequency from which a clue counts as frequent (the study's count of 1,000).
const FREQUENT: f32 = 3.7;
/// What a frequent clue gains.
const GAIN: f32 = 0.1;

/// The score of a clue for one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub number: usize,
    pub score: f32,
}

/// Scores of a clue for every number it may be said with. `ranking` are the open cards' similarities with their
/// sides, best first; `exponent` is M/E with strategy and 1 without.
///
/// U = N·(sim of the last target − sim of the first other) + c; N = 1 counts half; from three words on one bystander
/// may sit among the targets.
pub fn score_ranking(ranking: &[(f32, Side)], frequent: bool, exponent: f32, most: usize) -> Vec<Scored> {
    let mut scores = Vec::new();
    let mut passed = 0;
    let mut number = 0;
    for (at, &(sim, side)) in ranking.iter().enumerate() {
        match side {
            Side::Own => number += 1,
            Side::Bystander if passed == 0 => {
                passed = 1;
                continue;
            }
            _ => break,
        }
        if number > most {
            break;
        }
        if passed == 1 && number < 3 {
            continue;
        }
        let other = ranking[at + 1..].iter().find(|(_, side)| *side != Side::Own);
        let gap = sim - other.map_or(0.0, |o| o.0);
        let n = if number == 1 { 0.5 } else { (number as f32).powf(exponent) };
        scores.push(Scored { number, score: n * gap + if frequent { GAIN } else { 0.0 } });
    }
    scores
}

/// The best clues by the study's score; a hypernym that joins more words comes first.
pub(crate) fn give(
    tongue: &Tongue,
    situation: &Situation,
    giver: &Giver,
    (strategy, hypernyms): (bool, bool),
    n: usize,
) -> Vec<Idea> {
    let open = situation.open();
    let targeted: Vec<usize> = situation.turns.iter().filter(|t| t.own).flat_map(|t| t.meant.iter().copied()).collect();
    let own_open = open.iter().filter(|&&i| situation.cards[i].side == Side::Own).count();
    if own_open == 0 {
        return Vec::new();
    }
    let fresh = open.iter().filter(|&&i| situation.cards[i].side == Side::Own && !targeted.contains(&i)).count();
    // three debts, or the enemy about to win before everything was targeted: any number of guesses
    let debts = own_open - fresh;
    let unlimited = strategy && (debts >= 3 || (situation.enemy_left == 1 && fresh > 0 && debts > 0));
    let exponent = if strategy && situation.enemy_left > 0 {
        (situation.own_left as f32 / situation.enemy_left as f32).clamp(0.5, 2.0)
    } else {
        1.0
    };
    let scale = Model::Vectors.sharpness();
    let columns: Vec<_> = open.iter().map(|&i| tongue.column(Model::Vectors, &situation.cards[i].word)).collect();
    let count = tongue.clue_count().min(giver.vocabulary);
    let mut found: Vec<(f32, usize, usize)> = (0..count)
        .into_par_iter()
        .filter_map(|at| {
            let mut ranking: Vec<(f32, Side)> = open
                .iter()
                .zip(&columns)
                .filter(|&(&i, _)| {
                    !(strategy && fresh >= 2 && situation.cards[i].side == Side::Own && targeted.contains(&i))
                })
                .map(|(&i, c)| ((c[at] / scale).max(0.0), situation.cards[i].side))
                .collect();
            ranking.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            let frequent = tongue.zipf(at) >= FREQUENT;
            let best = score_ranking(&ranking, frequent, exponent, giver.most.into())
                .into_iter()
                .max_by(|a, b| a.score.total_cmp(&b.score))?;
            Some((best.score, at, best.number))
        })
        .collect();
    found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let judge = Judge::new(Some(tongue.language()), Strictness::Strict);
    let words = situation.open_words();
    let legal = |text: &str| !situation.said(text) && judge.check(text, &words).is_ok();
    let mut ideas = Vec::new();
    for (score, at, number) in found {
        if !legal(tongue.clue(at)) {
            continue;
        }
        let mut own: Vec<(f32, usize)> = open
            .iter()
            .zip(&columns)
            .filter(|&(&i, _)| situation.cards[i].side == Side::Own)
            .filter(|&(&i, _)| !(strategy && fresh >= 2 && targeted.contains(&i)))
            .map(|(&i, c)| (c[at], i))
            .collect();
        own.sort_by(|a, b| b.0.total_cmp(&a.0));
        let targets: Vec<usize> = own.into_iter().take(number).map(|t| t.1).collect();
        let said = if unlimited { Number::Unlimited } else { Number::Of(number as u8) };
        let meant: Vec<&str> = targets.iter().map(|&i| situation.cards[i].word.as_str()).collect();
        let agreeing = super::gender::agree(tongue.language(), tongue.clue(at), &meant);
        let word = if legal(&agreeing) { agreeing } else { tongue.clue(at).to_owned() };
        ideas.push(Idea { word, number: said, targets, value: score.into() });
        if ideas.len() >= n {
            break;
        }
    }
    if hypernyms
        && !unlimited
        && let Some(idea) = hypernym_clue(tongue, situation, &legal)
        && ideas.first().is_none_or(|best| idea.targets.len() > best.targets.len())
    {
        ideas.insert(0, idea);
        ideas.truncate(n.max(1));
    }
    ideas
}

/// A head word under which the hand-made lists put several own words and of no enemy word or assassin; from three words on one
/// bystander may belong to it.
pub fn hypernym_clue(tongue: &Tongue, situation: &Situation, legal: &dyn Fn(&str) -> bool) -> Option<Idea> {
    let language = tongue.language();
    let mut kinds: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &card in &situation.open() {
        let Some(word) = language.find_form(&situation.cards[card].word) else { continue };
        let heads = language.hand().of(word).iter().filter(|head| head.1 == HandKind::IsA);
        for (kind, _) in heads {
            let list = kinds.entry(kind.0).or_default();
            if !list.contains(&card) {
                list.push(card);
            }
        }
    }
    let mut best: Option<(usize, f32, Idea)> = None;
    for (kind, cards) in kinds {
        let side = |s: Side| cards.iter().filter(|&&c| situation.cards[c].side == s).count();
        let own = side(Side::Own);
        let spared = usize::from(own >= 3);
        if own < 2 || side(Side::Enemy) + side(Side::Assassin) > 0 || side(Side::Bystander) > spared {
            continue;
        }
        let id = semantics::WordId(kind);
        let (text, zipf) = (language.words().text(id), language.zipf(id));
        // very common heads name everything and nothing
        if !(3.0..5.3).contains(&zipf) || !text.chars().all(char::is_alphabetic) || !legal(text) {
            continue;
        }
        if best.as_ref().is_none_or(|b| (own, zipf) > (b.0, b.1)) {
            let targets: Vec<usize> = cards.iter().copied().filter(|&c| situation.cards[c].side == Side::Own).collect();
            let idea = Idea { word: text.to_owned(), number: Number::Of(own.min(9) as u8), targets, value: own as f64 };
            best = Some((own, zipf, idea));
        }
    }
    best.map(|b| b.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studys_example_scores_as_printed() {
        // table 5.5, "melounový"
        let ranking =
            [(0.4752, Side::Own), (0.4697, Side::Own), (0.218, Side::Own), (0.2068, Side::Own), (0.2049, Side::Enemy)];
        let scores = score_ranking(&ranking, true, 1.0, 5);
        let expected = [0.2352, 0.6296, 0.1393, 0.1076];
        assert_eq!(scores.len(), 4);
        for (scored, value) in scores.iter().zip(expected) {
            assert!((scored.score - value).abs() < 6e-5, "{scored:?} {value}");
        }
    }

    #[test]
    fn one_bystander_may_sit_among_three() {
        let ranking =
            [(0.6, Side::Own), (0.5, Side::Own), (0.45, Side::Bystander), (0.4, Side::Own), (0.1, Side::Enemy)];
        let numbers: Vec<usize> = score_ranking(&ranking, false, 1.0, 5).iter().map(|s| s.number).collect();
        assert_eq!(numbers, [1, 2, 3]);
        let two = [(0.6, Side::Own), (0.5, Side::Bystander), (0.4, Side::Own), (0.1, Side::Enemy)];
        let numbers: Vec<usize> = score_ranking(&two, false, 1.0, 5).iter().map(|s| s.number).collect();
        assert_eq!(numbers, [1]);
    }
}
