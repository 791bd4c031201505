//! "Why this clue?" (Jareš 2019, section 5.4): if the obvious words had been meant, a better clue existed; so another word
//! was meant.

use crate::engine::BoardPosition;
use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::rules::{ClueLegality, Strictness};
use semantics::vectors::normalise;

/// A clue among this many nearest words of its targets counts as natural.
const NEAREST: usize = 1000;
/// Least Zipf frequency of an alternative clue (180 occurrences in the thesis's corpus).
const COMMON: f32 = 3.0;

/// Raises the score of the word that was probably meant, if the clue is unnatural for the best `n` cards.
pub(super) fn adjust(
    lm: &LanguageModel,
    position: &BoardPosition,
    open: &[usize],
    sims: &mut [f32],
    clue: &str,
    n: usize,
) {
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by(|&a, &b| sims[b].total_cmp(&sims[a]));
    if !(2..=3).contains(&n) || order.len() <= n {
        return;
    }
    let (targets, rest) = order.split_at(n);
    if natural(lm, position, targets.iter().map(|&k| open[k]), clue) {
        return;
    }
    let columns: Vec<_> = open.iter().map(|&i| lm.column(ScoringModel::Jares, &position.cards[i].word)).collect();
    let scale = ScoringModel::Jares.sharpness();
    let legality = ClueLegality::new(Some(lm.language()), Strictness::Standard);
    let words = position.open_words();
    let gap = |at: usize| {
        let last = targets.iter().map(|&k| columns[k][at]).fold(f32::INFINITY, f32::min);
        let first = rest.iter().map(|&k| columns[k][at]).fold(f32::NEG_INFINITY, f32::max);
        last - first
    };
    let mut ranking: Vec<(f32, usize)> =
        (0..lm.clue_count()).filter(|&at| lm.zipf(at) >= COMMON).map(|at| (gap(at), at)).collect();
    ranking.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let Some(best) = ranking.iter().take(50).map(|r| r.1).find(|&at| legality.check(lm.clue(at), &words).is_ok())
    else {
        return;
    };
    let mean_now = targets.iter().map(|&k| sims[k]).sum::<f32>() / n as f32;
    let mean_then = targets.iter().map(|&k| columns[k][best] / scale).sum::<f32>() / n as f32;
    let grown = rest
        .iter()
        .map(|&k| ((mean_then - columns[k][best] / scale) - (mean_now - sims[k]), k))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((growth, k)) = grown
        && growth > 0.0
        && sims[k] >= mean_now * 2.0 / 3.0
    {
        sims[k] += growth;
    }
}

fn natural(lm: &LanguageModel, position: &BoardPosition, targets: impl Iterator<Item = usize>, clue: &str) -> bool {
    let language = lm.language();
    let Some(said) = language.find_form(clue) else { return false };
    let mut sum = vec![0.0; language.vectors().dim()];
    for card in targets {
        if let Some(vector) = language.vector(&position.cards[card].word) {
            sum.iter_mut().zip(&vector).for_each(|(s, x)| *s += x);
        }
    }
    normalise(&mut sum);
    let query = language.vectors().query(&sum);
    language.vectors().nearest(&query, NEAREST, |_| true).iter().any(|w| w.0 == said)
}
