//! The operative's memory in Jareš 2019 (section 5.4): suspicion of enemy words and unfinished clues, replayed from the
//! turns.

use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::engine::{BoardPosition, PastTurn};
use crate::rules::{CardSide, Number};
use std::collections::HashSet;

/// An own clue with words still to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Debt {
    /// The words it was taken to mean.
    pub intended: Vec<usize>,
    /// The two words ranked next.
    pub reserves: Vec<usize>,
    /// How many are still to be found.
    pub lacks: usize,
}

/// Suspicion weights, unfinished clues and barred words after some turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Suspicion that a card is the enemy's, by card.
    pub suspicion: Vec<f32>,
    pub debts: Vec<Debt>,
    /// Cards that a clue with the number 0 warned against.
    pub barred: HashSet<usize>,
}

/// Similarities of a clue for all open cards (in the order of `open`), between 0 and about 1.
pub(super) fn similarities(lm: &LanguageModel, position: &BoardPosition, open: &[usize], clue: &str) -> Vec<f32> {
    let words: Vec<&str> = open.iter().map(|&i| position.cards[i].word.as_str()).collect();
    lm.scores(ScoringModel::Jares, clue, &words).into_iter().map(|s| s / ScoringModel::Jares.sharpness()).collect()
}

impl Memory {
    /// Replays the finished turns; the running one (the last, if `running`) is left out.
    pub fn replay(lm: &LanguageModel, position: &BoardPosition, running: bool) -> Memory {
        let mut memory =
            Memory { suspicion: vec![0.0; position.cards.len()], debts: Vec::new(), barred: HashSet::new() };
        let finished = position.turns.len() - usize::from(running && !position.turns.is_empty());
        for at in 0..finished {
            // cards open before this turn: those open now and those turned in this turn or later
            let mut open = position.open();
            for turn in &position.turns[at..] {
                open.extend(turn.guesses.iter().map(|g| g.0));
            }
            open.sort_unstable();
            open.dedup();
            let turn = &position.turns[at];
            let sims = similarities(lm, position, &open, &turn.clue.word);
            if turn.own { memory.own_turn(&open, &sims, turn) } else { memory.enemy_turn(&open, &sims, turn) }
        }
        for debt in &mut memory.debts {
            debt.intended.retain(|&i| position.cards[i].open);
            debt.reserves.retain(|&i| position.cards[i].open);
        }
        memory.debts.retain(|d| d.lacks > 0 && !(d.intended.is_empty() && d.reserves.is_empty()));
        memory
    }

    fn enemy_turn(&mut self, open: &[usize], sims: &[f32], turn: &PastTurn) {
        let mut raised = HashSet::new();
        if let Number::Of(n @ 1..) = turn.clue.number {
            let found = turn.guesses.iter().filter(|g| g.1 == CardSide::Enemy).count();
            let missed = usize::from(n).saturating_sub(found);
            let touched: HashSet<usize> = turn.guesses.iter().map(|g| g.0).collect();
            for (card, sim) in
                top(open, sims, usize::from(n)).into_iter().filter(|c| !touched.contains(&c.0)).take(missed)
            {
                self.suspicion[card] += sim / (f32::from(n) * 0.75);
                raised.insert(card);
            }
        }
        for (card, weight) in self.suspicion.iter_mut().enumerate() {
            if !raised.contains(&card) {
                *weight = (*weight - 0.05).max(0.0);
            }
        }
    }

    fn own_turn(&mut self, open: &[usize], sims: &[f32], turn: &PastTurn) {
        for &(card, side) in &turn.guesses {
            if side == CardSide::Own {
                for debt in self.debts.iter_mut().filter(|d| d.intended.contains(&card) || d.reserves.contains(&card)) {
                    debt.lacks = debt.lacks.saturating_sub(1);
                }
            }
        }
        match turn.clue.number {
            Number::Of(0) => {
                self.barred.extend(top(open, sims, 1).into_iter().map(|c| c.0));
            }
            Number::Of(n) => {
                let weighed: Vec<f32> = open.iter().zip(sims).map(|(&i, s)| s - self.suspicion[i]).collect();
                let order = top(open, &weighed, usize::from(n) + 2);
                let (intended, reserves) = order.split_at(order.len().min(usize::from(n)));
                let found = turn.guesses.iter().take(usize::from(n)).filter(|g| g.1 == CardSide::Own).count();
                let touched: HashSet<usize> = turn.guesses.iter().map(|g| g.0).collect();
                let rest = |list: &[(usize, f32)]| {
                    list.iter().map(|c| c.0).filter(|c| !touched.contains(c)).collect::<Vec<_>>()
                };
                let lacks = usize::from(n).saturating_sub(found);
                if lacks > 0 {
                    self.debts.push(Debt { intended: rest(intended), reserves: rest(reserves), lacks });
                }
            }
            Number::Unlimited => {}
        }
    }

    /// Cards for catching up, in the thesis's order: intended without suspicion, reserves without suspicion, others by
    /// rising suspicion; at most as many per clue as it lacks.
    pub fn catch_up(&self) -> Vec<usize> {
        let mut list: Vec<(u8, f32, usize)> = Vec::new();
        for debt in &self.debts {
            let mut own: Vec<(u8, f32, usize)> = Vec::new();
            for (group, cards) in [(0u8, &debt.intended), (1, &debt.reserves)] {
                for &card in cards.iter().filter(|c| !self.barred.contains(c)) {
                    let weight = self.suspicion[card];
                    own.push((if weight > 0.0 { 2 } else { group }, weight, card));
                }
            }
            own.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            list.extend(own.into_iter().take(debt.lacks));
        }
        list.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut seen = HashSet::new();
        list.into_iter().map(|c| c.2).filter(|c| seen.insert(*c)).collect()
    }
}

/// The best `n` cards by score, best first.
pub(super) fn top(open: &[usize], scores: &[f32], n: usize) -> Vec<(usize, f32)> {
    let mut order: Vec<(usize, f32)> = open.iter().copied().zip(scores.iter().copied()).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order.truncate(n);
    order
}
