//! The operative of Jareš 2019 (section 5.4).

use super::memory::{Memory, similarities, top};
use super::why;
use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::engine::{BoardPosition, expected_value};
use crate::players::RankedCard;
use crate::rules::{Clue, Number};

/// Ranks all open cards for a clue; with strategy it subtracts suspicion and applies *why this clue?*.
pub(crate) fn rank(lm: &LanguageModel, position: &BoardPosition, clue: &Clue, strategy: bool) -> Vec<RankedCard> {
    let open = position.open();
    let mut sims = similarities(lm, position, &open, &clue.word);
    if strategy {
        let running = position.turns.last().is_some_and(|t| t.own && t.clue == *clue);
        let memory = Memory::replay(lm, position, running);
        if let Number::Of(n) = clue.number {
            why::adjust(lm, position, &open, &mut sims, &clue.word, usize::from(n));
        }
        for (sim, &card) in sims.iter_mut().zip(&open) {
            *sim -= memory.suspicion[card];
            if memory.barred.contains(&card) {
                *sim -= 10.0;
            }
        }
    }
    let scores: Vec<f32> = sims.iter().map(|s| s * ScoringModel::Jares.sharpness()).collect();
    expected_value::ranked(position, &scores, clue.number)
}

/// The next card of the running turn, or nothing to stop.
pub(crate) fn next(lm: &LanguageModel, position: &BoardPosition, strategy: bool) -> Option<usize> {
    let turn = position.turns.last()?;
    let made = turn.guesses.len();
    // the list is made when the clue is given: cards turned since were open then
    let mut before = position.clone();
    for &(card, _) in &turn.guesses {
        before.cards[card].open = true;
    }
    if let Some(running) = before.turns.last_mut() {
        running.guesses.clear();
    }
    plan(lm, &before, &turn.clue, strategy).get(made).copied()
}

/// All cards the operative intends to take for a clue, in order.
fn plan(lm: &LanguageModel, position: &BoardPosition, clue: &Clue, strategy: bool) -> Vec<usize> {
    let ranking: Vec<usize> = rank(lm, position, clue, strategy).iter().map(|g| g.card).collect();
    let least = || ranking.last().copied().into_iter().collect::<Vec<_>>();
    if !strategy {
        return match clue.number {
            Number::Of(0) => least(),
            Number::Of(n) => ranking.into_iter().take(n.into()).collect(),
            Number::Unlimited => ranking.into_iter().take(1).collect(),
        };
    }
    let memory = Memory::replay(lm, position, true);
    let mut list = match clue.number {
        Number::Of(0) => {
            let open = position.open();
            let sims = similarities(lm, position, &open, &clue.word);
            let warned: Vec<usize> = top(&open, &sims, 1).into_iter().map(|c| c.0).collect();
            let list: Vec<usize> = memory.catch_up().into_iter().filter(|c| !warned.contains(c)).collect();
            return if list.is_empty() { least() } else { list };
        }
        Number::Of(n) => {
            let mut list: Vec<usize> = ranking.iter().copied().take(n.into()).collect();
            list.extend(memory.catch_up().into_iter().find(|c| !list.contains(c)));
            return list;
        }
        Number::Unlimited => memory.catch_up(),
    };
    list.extend(ranking.iter().copied().find(|c| !list.contains(c)));
    if position.enemy_left == 2 {
        // further words while one is closer in score to the one before than to the one after
        let scores = rank(lm, position, clue, strategy);
        let rest: Vec<RankedCard> = scores.into_iter().collect();
        for window in rest.windows(3) {
            if window[0].score - window[1].score >= window[1].score - window[2].score {
                break;
            }
            if !list.contains(&window[1].card) {
                list.push(window[1].card);
            }
        }
    } else if position.enemy_left == 1 {
        for card in ranking {
            if list.len() >= position.own_left {
                break;
            }
            if !list.contains(&card) {
                list.push(card);
            }
        }
    }
    list
}
