//! The spymaster by expected value: every known clue is evaluated under each model of the ensemble.

use super::costs::Costs;
use super::evaluator::{ClueEvaluator, Member};
use super::plan::{FutureClue, MAX_PLANNED_CARDS, SubsetPlan};
use super::posterior;
use crate::engine::choice_model::MAX_NUMBER;
use crate::engine::meaning::{LanguageModel, LinkTrust, ScoringModel};
use crate::engine::{Audience, BoardPosition, Ensemble, EnsembleMember, Objective};
use crate::players::{ScoredClue, Spymaster};
use crate::rules::{CardSide, ClueLegality, Number, Strictness};
use rayon::prelude::*;

/// Clues that every model of the ensemble evaluates.
const SHORTLIST: usize = 300;
/// Clues that are evaluated again with the remembered person's scores.
const PERSONAL: usize = 120;

/// The best clues that the strict rules allow, best first, each for a different set of cards.
pub(crate) fn best_clues(
    lm: &LanguageModel,
    position: &BoardPosition,
    spymaster: &Spymaster,
    ensemble: &Ensemble,
    n: usize,
) -> Vec<ScoredClue> {
    let open = position.open();
    let own = open.iter().filter(|&&i| position.cards[i].side == CardSide::Own).count();
    if own == 0 {
        return Vec::new();
    }
    let words = position.open_words();
    if ensemble.members.iter().any(|m| m.model.layer().is_some()) {
        lm.prepare(&words);
    }
    let evaluator = evaluator(lm, position, spymaster, ensemble, own);
    // a quick value for every clue, the full evaluation for the best of them
    let count = lm.clue_count().min(spymaster.vocabulary);
    // The threads of the pool do not see the control of this thread's service call.
    let control = game::current_control();
    let quick = |clue: usize| if control.stopped() { f64::MIN } else { evaluator.quick_value(clue) };
    let mut first: Vec<(f64, usize)> = (0..count).into_par_iter().map(|clue| (quick(clue), clue)).collect();
    first.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    first.truncate(SHORTLIST.max(40 * n));
    let legality = ClueLegality::new(Some(lm.language()), Strictness::Strict);
    let allowed = |clue: usize| {
        let text = lm.clue(clue);
        !position.said(text) && legality.check(text, &words).is_ok()
    };
    let plan = (ensemble.objective == Objective::WholeGame && own <= MAX_PLANNED_CARDS).then(|| {
        let legal = first.par_iter().filter(|entry| !control.stopped() && allowed(entry.1));
        SubsetPlan::new(own, &legal.map(|entry| evaluator.future_clue(entry.1)).collect::<Vec<FutureClue>>())
    });
    let evaluated = |clue: usize, personal: Option<&[f32]>| {
        if control.stopped() {
            return (f64::MIN, clue, 1);
        }
        let (value, number) = evaluator.evaluate(clue, plan.as_ref(), personal);
        (value, clue, number)
    };
    let mut found: Vec<(f64, usize, usize)> = first.into_par_iter().map(|(_, clue)| evaluated(clue, None)).collect();
    found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    if !position.person.is_empty() {
        found.truncate(PERSONAL.max(20 * n));
        for entry in &mut found {
            let own = lm.scores_for(&position.person, lm.clue(entry.1), &words);
            *entry = evaluated(entry.1, Some(&own));
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }
    distinct(lm, &evaluator, &open, found.into_iter().filter(|entry| allowed(entry.1)), n)
}

/// The evaluator of a position: scores of the open cards by each model, weighted by the posterior over the models.
fn evaluator<'a>(
    lm: &'a LanguageModel,
    position: &BoardPosition,
    spymaster: &Spymaster,
    ensemble: &Ensemble,
    own: usize,
) -> ClueEvaluator<'a> {
    let projected = lm.language().pivot().is_some();
    let speakers = ensemble.audience == Audience::Speakers;
    let ensemble = &if projected { ensemble.clone().for_projected_language() } else { ensemble.clone() };
    let weights = posterior::member_weights(lm, position, ensemble);
    let words = position.open_words();
    let sides: Vec<CardSide> = position.cards.iter().filter(|c| c.open).map(|c| c.side).collect();
    // speakers are not expected to find an own card by a link that only English has; wrong cards keep the full link
    let mistrusted = |side: CardSide| speakers && side == CardSide::Own;
    let link_trust: Vec<Option<Vec<LinkTrust>>> =
        words.iter().zip(&sides).map(|(word, side)| mistrusted(*side).then(|| lm.link_trust(word)).flatten()).collect();
    let column = |model: ScoringModel, word: &str, trust: &Option<Vec<LinkTrust>>| match trust {
        Some(trust) => {
            // the association model's scores contain the operative's penalty already
            let included = |trust: &LinkTrust| match model {
                ScoringModel::Strong => trust.operative_penalty(),
                _ => 0.0,
            };
            let scores = lm.column(model, word);
            scores
                .iter()
                .zip(trust)
                .map(|(score, trust)| score - (trust.spymaster_penalty() - included(trust)))
                .collect()
        }
        None => lm.column(model, word),
    };
    let member = |(&EnsembleMember { model, sharpness, .. }, &weight): (&EnsembleMember, &f64)| Member {
        model,
        columns: words.par_iter().zip(&link_trust).map(|(w, trust)| column(model, w, trust)).collect(),
        weight,
        sharpness,
    };
    ClueEvaluator {
        lm,
        members: ensemble.members.iter().zip(&weights).map(member).collect(),
        costs: Costs::for_spymaster(position, ensemble.assassin_penalty),
        least: usize::from(spymaster.least).min(own).clamp(1, MAX_NUMBER),
        most: usize::from(spymaster.most).min(own).clamp(1, MAX_NUMBER),
        sides,
        link_trust,
    }
}

/// The first `n` clues of a ranking that are for different sets of cards.
fn distinct(
    lm: &LanguageModel,
    evaluator: &ClueEvaluator<'_>,
    open: &[usize],
    ranking: impl Iterator<Item = (f64, usize, usize)>,
    n: usize,
) -> Vec<ScoredClue> {
    let mut clues: Vec<ScoredClue> = Vec::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for (value, clue, number) in ranking {
        let targets = evaluator.targets(open, clue, number);
        let mut set = targets.clone();
        set.sort_unstable();
        if sets.contains(&set) {
            continue;
        }
        sets.push(set);
        clues.push(ScoredClue { word: lm.clue(clue).to_owned(), number: Number::Of(number as u8), targets, value });
        if clues.len() >= n {
            break;
        }
    }
    clues
}
