//! Rank of the most frequent human response to a cue among all responses.

use crate::assoc::features::COUNT;
use crate::assoc::{Assoc, WordProfile};
use crate::logit::{self, ChoiceExample};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The human responses to one cue.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// The word they were given.
    pub cue: String,
    /// Responses with the number of people, most frequent first.
    pub responses: Vec<(String, f32)>,
}

/// Quality of the ranking of responses.
#[derive(Clone, Debug, Serialize)]
pub struct AssociationReport {
    /// Number of tested cues.
    pub cues: usize,
    /// Number of distinct responses.
    pub responses: usize,
    /// Mean reciprocal rank of the commonest response.
    pub mrr: AssociationMrr,
}

/// Mean reciprocal ranks.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct AssociationMrr {
    /// By cosine alone.
    pub vectors: f64,
    /// By the whole model, fitted on the other half of the cues.
    pub all: f64,
}

/// Candidates that are compared in full per cue: those with any link to it and the nearest ones.
const NEAREST: usize = 600;
/// Cues used for fitting in each half.
const FITTED: usize = 700;

/// Reads lines of cue, response and number of people; a heading is passed over.
pub fn read(text: &str) -> Result<Vec<Cue>, String> {
    let mut cues: BTreeMap<String, BTreeMap<String, f32>> = BTreeMap::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [cue, response, count, ..] = fields[..] else {
            return Err(format!("line {}: expected cue, response, count separated by tabs", i + 1));
        };
        match count.parse::<f32>() {
            Ok(count) => {
                *cues.entry(cue.to_lowercase()).or_default().entry(response.to_lowercase()).or_default() += count;
            }
            Err(_) if i == 0 => {}
            Err(_) => return Err(format!("line {}: `{count}` is not a number", i + 1)),
        }
    }
    let sorted = |r: BTreeMap<String, f32>| {
        let mut r: Vec<(String, f32)> = r.into_iter().collect();
        r.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        r
    };
    Ok(cues.into_iter().map(|(cue, r)| Cue { cue, responses: sorted(r) }).collect())
}

struct Bench<'a> {
    model: Assoc<'a>,
    names: Vec<String>,
    index: HashMap<String, usize>,
    by_word: HashMap<u32, usize>,
    profiles: Vec<WordProfile>,
}

impl Bench<'_> {
    /// Cosines with all responses, and the responses worth a full comparison.
    fn shortlist(&self, cue: &WordProfile) -> (Vec<f32>, Vec<usize>) {
        let language = self.model.language();
        let query = language.vectors().query(&cue.vector);
        let cosines: Vec<f32> = self
            .profiles
            .iter()
            .map(|p| match p.id {
                Some(id) => language.vectors().compare(&query, id),
                None => p.vector.iter().zip(&cue.vector).map(|(a, b)| a * b).sum(),
            })
            .collect();
        let mut order: Vec<usize> = (0..cosines.len()).collect();
        let n = NEAREST.min(order.len());
        if n > 0 {
            order.select_nth_unstable_by(n - 1, |&a, &b| cosines[b].total_cmp(&cosines[a]));
            order.truncate(n);
        }
        let mut set: BTreeSet<usize> = order.into_iter().collect();
        let linked = cue
            .links
            .keys()
            .iter()
            .chain(cue.bag.keys())
            .copied()
            .chain(cue.written.iter().copied())
            .chain(cue.written_for.iter().copied())
            .chain(cue.company.iter().filter(|c| c.1 > 0.15).map(|c| c.0));
        set.extend(linked.filter_map(|w| self.by_word.get(&w).copied()));
        if let Some(id) = cue.lemma.filter(|_| language.pivot().is_none()) {
            let using = language
                .glosses()
                .iter()
                .flat_map(|g| g.using(id).flat_map(move |gloss| g.words(gloss).iter().copied()).take(2000));
            set.extend(using.filter_map(|w| self.by_word.get(&w).copied()));
        }
        if let Some(own) = self.index.get(&cue.text) {
            set.remove(own);
        }
        (cosines, set.into_iter().collect())
    }

    fn choice(&self, cue: &Cue) -> Option<ChoiceExample> {
        let profile = self.model.profile(&cue.cue);
        let (_, list) = self.shortlist(&profile);
        let said: HashMap<usize, f32> =
            cue.responses.iter().take(6).filter_map(|(r, n)| Some((*self.index.get(r)?, *n))).collect();
        let mut choice = ChoiceExample { features: Vec::new(), chosen: Vec::new(), copies: Vec::new() };
        // every said response in full, of the others each tenth standing for ten
        for (k, &i) in list.iter().enumerate() {
            let n = said.get(&i).copied().unwrap_or(0.0);
            if n > 0.0 || k % 10 == cue.cue.len() % 10 {
                choice.features.push(self.model.features(&profile, &self.profiles[i]).to_vec());
                choice.chosen.push(n);
                choice.copies.push(if n > 0.0 { 1.0 } else { 10.0 });
            }
        }
        let total: f32 = choice.chosen.iter().sum();
        choice.chosen.iter_mut().for_each(|c| *c /= total);
        (total > 0.0).then_some(choice)
    }

    /// Reciprocal ranks of the commonest response by cosine and by the model.
    fn test(&self, cue: &Cue, weights: &[f32]) -> (f64, f64) {
        let profile = self.model.profile(&cue.cue);
        let target = self.index[&cue.responses[0].0];
        let own = self.index.get(&cue.cue).copied();
        let (cosines, list) = self.shortlist(&profile);
        let better = |mine: f32| {
            cosines.iter().enumerate().filter(|&(i, &c)| i != target && Some(i) != own && c >= mine).count()
        };
        let vectors = 1.0 / (better(cosines[target]) + 1) as f64;
        if !list.contains(&target) {
            // not worth a comparison: it comes after the whole short list
            return (vectors, 1.0 / (list.len() + 1) as f64);
        }
        let score = |i: usize| logit::score(weights, &self.model.features(&profile, &self.profiles[i]));
        let mine = score(target);
        let before = list.iter().filter(|&&i| i != target && score(i) >= mine).count();
        (vectors, 1.0 / (before + 1) as f64)
    }
}

/// Measures the model on cues: fits on one half (every second cue) and tests on the other, both
/// ways; at most `limit` cues are tested.
pub fn evaluate(model: Assoc<'_>, cues: &[Cue], limit: usize) -> AssociationReport {
    let names: BTreeSet<&str> = cues.iter().flat_map(|c| c.responses.iter().map(|r| r.0.as_str())).collect();
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let profiles: Vec<WordProfile> = names.par_iter().map(|n| model.profile(n)).collect();
    let index = names.iter().enumerate().map(|(i, n)| (n.clone(), i)).collect();
    let by_word = profiles
        .iter()
        .enumerate()
        .filter_map(|(i, p)| Some((model.language().find(&names[i]).and(p.id)?.0, i)))
        .collect();
    let bench = Bench { model, index, by_word, profiles, names };
    let step = cues.len().div_ceil(limit.max(1)).max(1);
    let halves: [Vec<&Cue>; 2] =
        [0, 1].map(|h| cues.iter().enumerate().filter(|(i, _)| i % 2 == h).map(|c| c.1).collect());
    let mut sum = AssociationMrr::default();
    let mut tested = 0;
    for h in 0..2 {
        let stride = halves[1 - h].len().div_ceil(FITTED).max(1);
        let chosen: Vec<&Cue> = halves[1 - h].iter().step_by(stride).copied().collect();
        let choices: Vec<ChoiceExample> = chosen.par_iter().filter_map(|c| bench.choice(c)).collect();
        let weights = logit::fit(&choices, 3e-3, 150);
        let weights = if weights.is_empty() { vec![0.0; COUNT] } else { weights };
        let test: Vec<&Cue> = halves[h].iter().step_by(step).copied().collect();
        let ranks: Vec<(f64, f64)> = test.par_iter().map(|c| bench.test(c, &weights)).collect();
        tested += ranks.len();
        for (v, a) in ranks {
            sum.vectors += v;
            sum.all += a;
        }
    }
    let n = tested.max(1) as f64;
    AssociationReport {
        cues: tested,
        responses: bench.names.len(),
        mrr: AssociationMrr { vectors: sum.vectors / n, all: sum.all / n },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_are_read_commonest_first() {
        let cues = read("cue\tresponse\tR1\ncat\tmouse\t5\ncat\tdog\t60\n").unwrap();
        assert_eq!(cues[0].responses[0], ("dog".into(), 60.0));
        assert!(read("a\tb").unwrap_err().contains("line 1"));
    }
}
