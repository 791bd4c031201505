//! The spymaster of Jareš 2019 (section 5.5): maximises the similarity gap between the last target and the first other
//! word, by word vectors alone.

use crate::engine::BoardPosition;
use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::players::{ScoredClue, Spymaster};
use crate::rules::{CardSide, ClueLegality, Number, Strictness};
use rayon::prelude::*;
use semantics::hand::HandKind;
use std::collections::BTreeMap;

/// Zipf frequency from which a clue counts as frequent (1,000 occurrences in the thesis's corpus).
const FREQUENT: f32 = 3.7;
/// Bonus of a frequent clue.
const GAIN: f32 = 0.1;

/// The score of a clue for one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberScore {
    pub number: usize,
    pub score: f32,
}

/// Scores of a clue for every number it may be said with. `ranking` holds the open cards' similarities and sides, best
/// first; `exponent` is M/E (own words left / enemy words left) with strategy and 1 without.
///
/// U = N·(sim of the last target − sim of the first other) + c; N = 1 counts half; with three words or more one bystander
/// may stand among the targets.
pub fn score_ranking(ranking: &[(f32, CardSide)], frequent: bool, exponent: f32, most: usize) -> Vec<NumberScore> {
    let mut scores = Vec::new();
    let mut passed = 0;
    let mut number = 0;
    for (at, &(sim, side)) in ranking.iter().enumerate() {
        match side {
            CardSide::Own => number += 1,
            CardSide::Bystander if passed == 0 => {
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
        let other = ranking[at + 1..].iter().find(|(_, side)| *side != CardSide::Own);
        let gap = sim - other.map_or(0.0, |o| o.0);
        let n = if number == 1 { 0.5 } else { (number as f32).powf(exponent) };
        scores.push(NumberScore { number, score: n * gap + if frequent { GAIN } else { 0.0 } });
    }
    scores
}

/// The risk exponent M/E of the strategy: own words left for each word the enemy has left, between a half and two.
fn risk_exponent(position: &BoardPosition) -> f32 {
    if position.enemy_left == 0 {
        return 1.0;
    }
    (position.own_left as f32 / position.enemy_left as f32).clamp(0.5, 2.0)
}

/// The best clues by this score; a hypernym that joins more words comes first.
pub(crate) fn best_clues(
    lm: &LanguageModel,
    position: &BoardPosition,
    spymaster: &Spymaster,
    (strategy, hypernyms): (bool, bool),
    n: usize,
) -> Vec<ScoredClue> {
    let open = position.open();
    let targeted: Vec<usize> = position.turns.iter().filter(|t| t.own).flat_map(|t| t.meant.iter().copied()).collect();
    let own_open = open.iter().filter(|&&i| position.cards[i].side == CardSide::Own).count();
    if own_open == 0 {
        return Vec::new();
    }
    let fresh = open.iter().filter(|&&i| position.cards[i].side == CardSide::Own && !targeted.contains(&i)).count();
    // three debts, or the enemy one word from winning while own words are untargeted: unlimited
    let debts = own_open - fresh;
    let unlimited = strategy && (debts >= 3 || (position.enemy_left == 1 && fresh > 0 && debts > 0));
    let exponent = if strategy { risk_exponent(position) } else { 1.0 };
    let scale = ScoringModel::Vectors.sharpness();
    let columns: Vec<_> = open.iter().map(|&i| lm.column(ScoringModel::Vectors, &position.cards[i].word)).collect();
    let count = lm.clue_count().min(spymaster.vocabulary);
    let mut found: Vec<(f32, usize, usize)> = (0..count)
        .into_par_iter()
        .filter_map(|at| {
            let mut ranking: Vec<(f32, CardSide)> = open
                .iter()
                .zip(&columns)
                .filter(|&(&i, _)| {
                    !(strategy && fresh >= 2 && position.cards[i].side == CardSide::Own && targeted.contains(&i))
                })
                .map(|(&i, c)| ((c[at] / scale).max(0.0), position.cards[i].side))
                .collect();
            ranking.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            let frequent = lm.zipf(at) >= FREQUENT;
            let best = score_ranking(&ranking, frequent, exponent, spymaster.most.into())
                .into_iter()
                .max_by(|a, b| a.score.total_cmp(&b.score))?;
            Some((best.score, at, best.number))
        })
        .collect();
    found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let legality = ClueLegality::new(Some(lm.language()), Strictness::Strict);
    let words = position.open_words();
    let legal = |text: &str| !position.said(text) && legality.check(text, &words).is_ok();
    let mut ideas = Vec::new();
    for (score, at, number) in found {
        if !legal(lm.clue(at)) {
            continue;
        }
        let mut own: Vec<(f32, usize)> = open
            .iter()
            .zip(&columns)
            .filter(|&(&i, _)| position.cards[i].side == CardSide::Own)
            .filter(|&(&i, _)| !(strategy && fresh >= 2 && targeted.contains(&i)))
            .map(|(&i, c)| (c[at], i))
            .collect();
        own.sort_by(|a, b| b.0.total_cmp(&a.0));
        let targets: Vec<usize> = own.into_iter().take(number).map(|t| t.1).collect();
        let said = if unlimited { Number::Unlimited } else { Number::Of(number as u8) };
        let meant: Vec<&str> = targets.iter().map(|&i| position.cards[i].word.as_str()).collect();
        let agreeing = super::agreement::agree(lm.language(), lm.clue(at), &meant);
        let word = if legal(&agreeing) { agreeing } else { lm.clue(at).to_owned() };
        ideas.push(ScoredClue { word, number: said, targets, value: score.into() });
        if ideas.len() >= n {
            break;
        }
    }
    if hypernyms
        && !unlimited
        && let Some(idea) = hypernym_clue(lm, position, &legal)
        && ideas.first().is_none_or(|best| idea.targets.len() > best.targets.len())
    {
        ideas.insert(0, idea);
        ideas.truncate(n.max(1));
    }
    ideas
}

/// A hypernym of several own words and of no enemy word or assassin, from the hand-written lists; with three words or more
/// one bystander may belong to it.
pub fn hypernym_clue(lm: &LanguageModel, position: &BoardPosition, legal: &dyn Fn(&str) -> bool) -> Option<ScoredClue> {
    let language = lm.language();
    let mut kinds: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &card in &position.open() {
        let Some(word) = language.find_form(&position.cards[card].word) else { continue };
        let heads = language.hand().of(word).iter().filter(|head| head.1 == HandKind::IsA);
        for (kind, _) in heads {
            let list = kinds.entry(kind.0).or_default();
            if !list.contains(&card) {
                list.push(card);
            }
        }
    }
    let mut best: Option<(usize, f32, ScoredClue)> = None;
    for (kind, cards) in kinds {
        let side = |s: CardSide| cards.iter().filter(|&&c| position.cards[c].side == s).count();
        let own = side(CardSide::Own);
        let spared = usize::from(own >= 3);
        if own < 2 || side(CardSide::Enemy) + side(CardSide::Assassin) > 0 || side(CardSide::Bystander) > spared {
            continue;
        }
        let id = semantics::WordId(kind);
        let (text, zipf) = (language.words().text(id), language.zipf(id));
        // very frequent head words fit almost everything
        if !(3.0..5.3).contains(&zipf) || !text.chars().all(char::is_alphabetic) || !legal(text) {
            continue;
        }
        if best.as_ref().is_none_or(|b| (own, zipf) > (b.0, b.1)) {
            let targets: Vec<usize> =
                cards.iter().copied().filter(|&c| position.cards[c].side == CardSide::Own).collect();
            let idea =
                ScoredClue { word: text.to_owned(), number: Number::Of(own.min(9) as u8), targets, value: own as f64 };
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
        let ranking = [
            (0.4752, CardSide::Own),
            (0.4697, CardSide::Own),
            (0.218, CardSide::Own),
            (0.2068, CardSide::Own),
            (0.2049, CardSide::Enemy),
        ];
        let scores = score_ranking(&ranking, true, 1.0, 5);
        let expected = [0.2352, 0.6296, 0.1393, 0.1076];
        assert_eq!(scores.len(), 4);
        for (scored, value) in scores.iter().zip(expected) {
            assert!((scored.score - value).abs() < 6e-5, "{scored:?} {value}");
        }
    }

    #[test]
    fn one_bystander_may_sit_among_three() {
        let ranking = [
            (0.6, CardSide::Own),
            (0.5, CardSide::Own),
            (0.45, CardSide::Bystander),
            (0.4, CardSide::Own),
            (0.1, CardSide::Enemy),
        ];
        let numbers: Vec<usize> = score_ranking(&ranking, false, 1.0, 5).iter().map(|s| s.number).collect();
        assert_eq!(numbers, [1, 2, 3]);
        let two = [(0.6, CardSide::Own), (0.5, CardSide::Bystander), (0.4, CardSide::Own), (0.1, CardSide::Enemy)];
        let numbers: Vec<usize> = score_ranking(&two, false, 1.0, 5).iter().map(|s| s.number).collect();
        assert_eq!(numbers, [1]);
    }
}
