//! "Why this clue?" (5.4): had the giver meant the obvious words, a better clue was at hand; so it meant another.

use crate::meaning::{Model, Tongue};
use crate::players::Situation;
use crate::rules::{Judge, Strictness};
use semantics::vectors::normalise;

/// Words among which a clue counts as natural for its targets.
const NEAREST: usize = 1000;
/// Least Zipf frequency of a clue that could have been given instead (the study's count of 180).
const COMMON: f32 = 3.0;

/// Raises the score of the word that was probably meant, if the clue is a strange one for the best `n` cards.
pub(super) fn adjust(tongue: &Tongue, situation: &Situation, open: &[usize], sims: &mut [f32], clue: &str, n: usize) {
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by(|&a, &b| sims[b].total_cmp(&sims[a]));
    if !(2..=3).contains(&n) || order.len() <= n {
        return;
    }
    let (targets, rest) = order.split_at(n);
    if natural(tongue, situation, targets.iter().map(|&k| open[k]), clue) {
        return;
    }
    let columns: Vec<_> = open.iter().map(|&i| tongue.column(Model::Study, &situation.cards[i].word)).collect();
    let scale = Model::Study.sharpness();
    let judge = Judge::new(Some(tongue.language()), Strictness::Standard);
    let words = situation.open_words();
    let gap = |at: usize| {
        let last = targets.iter().map(|&k| columns[k][at]).fold(f32::INFINITY, f32::min);
        let first = rest.iter().map(|&k| columns[k][at]).fold(f32::NEG_INFINITY, f32::max);
        last - first
    };
    let mut ranking: Vec<(f32, usize)> =
        (0..tongue.clue_count()).filter(|&at| tongue.zipf(at) >= COMMON).map(|at| (gap(at), at)).collect();
    ranking.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let Some(best) = ranking.iter().take(50).map(|r| r.1).find(|&at| judge.check(tongue.clue(at), &words).is_ok())
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

fn natural(tongue: &Tongue, situation: &Situation, targets: impl Iterator<Item = usize>, clue: &str) -> bool {
    let language = tongue.language();
    let Some(said) = language.find_form(clue) else { return false };
    let mut sum = vec![0.0; language.vectors().dim()];
    for card in targets {
        if let Some(vector) = language.vector(&situation.cards[card].word) {
            sum.iter_mut().zip(&vector).for_each(|(s, x)| *s += x);
        }
    }
    normalise(&mut sum);
    let query = language.vectors().query(&sum);
    language.vectors().nearest(&query, NEAREST, |_| true).iter().any(|w| w.0 == said)
}
