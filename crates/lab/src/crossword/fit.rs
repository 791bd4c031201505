//! Weights of the evidence from clues whose answers are known: conditional logit over all words of the length.

use crossword::solver::{Evidence, GenreWeights, Knowledge, NAME_FEATURES};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use semantics::ClueScorer;
use semantics::logit::{Choice, fit, score};

/// A clue with its answer in upper case.
#[derive(Clone, Debug)]
pub struct Known {
    pub clue: String,
    pub answer: String,
}

/// Wrong candidates per clue: the best by the weights so far, and some drawn at random that stand for the rest.
const HARD: usize = 60;
const DRAWN: usize = 40;
/// Steps of the fit and its penalty.
const STEPS: usize = 300;
const L2: f32 = 1e-3;
/// Longest length with its own chance of an unlisted answer.
const LENGTHS: usize = 16;

/// The wrong alternatives that a choice is fitted against, with how many real ones each stands for.
fn choice(features: impl Fn(usize) -> Vec<f32>, rough: &[f32], right: usize, rng: &mut ChaCha8Rng) -> Choice {
    let mut others: Vec<usize> = (0..rough.len()).filter(|&at| at != right).collect();
    let hard = others.len().min(HARD);
    if hard > 0 && hard < others.len() {
        others.select_nth_unstable_by(hard - 1, |&a, &b| rough[b].total_cmp(&rough[a]));
    }
    let rest = others.split_off(hard);
    let mut chosen = vec![right];
    let mut copies = vec![1.0; 1 + others.len()];
    chosen.extend(others);
    let drawn = rest.len().min(DRAWN);
    for _ in 0..drawn {
        chosen.push(rest[rng.random_range(0..rest.len())]);
        copies.push(rest.len() as f32 / drawn as f32);
    }
    let share = std::iter::once(1.0).chain(std::iter::repeat_n(0.0, chosen.len() - 1)).collect();
    Choice { features: chosen.into_iter().map(features).collect(), chosen: share, copies }
}

/// Weights of the meaning evidence ([`semantics::clue::FEATURES`]) fitted on clues; answers that no list has are left out.
pub fn meaning(scorer: &ClueScorer<'_>, start: &[f32], clues: &[Known], seed: u64) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut choices = Vec::new();
    for known in clues {
        let Some(answer) = scorer.language().find(&known.answer.to_lowercase()) else { continue };
        let candidates = scorer.evidence(&known.clue, known.answer.chars().count());
        let Some(right) = candidates.iter().position(|candidate| candidate.word == answer) else { continue };
        let rough: Vec<f32> = candidates.iter().map(|candidate| score(start, &candidate.features)).collect();
        choices.push(choice(|at| candidates[at].features.to_vec(), &rough, right, &mut rng));
    }
    fit(&choices, L2, STEPS)
}

/// Weights of word meaning and of names in American puzzles, fitted together on clues; answers that no list has are left
/// out.
pub fn american(knowledge: &Knowledge<'_>, start: &GenreWeights, clues: &[Known], seed: u64) -> GenreWeights {
    const WORDS: usize = semantics::clue::FEATURES.len();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let scorer = knowledge.scorer();
    let (of_words, of_names) = (start.of_words(), start.of_names());
    let language = scorer.language();
    let mut choices = Vec::new();
    for known in clues {
        let length = known.answer.chars().count();
        let mut all: Vec<(f32, Vec<f32>)> = Vec::new();
        let mut right = None;
        for candidate in scorer.evidence(&known.clue, length) {
            if language.words().text(candidate.word).to_uppercase() == known.answer {
                right = Some(all.len());
            }
            let mut features = candidate.features.to_vec();
            features.resize(WORDS + NAME_FEATURES.len(), 0.0);
            all.push((score(&of_words, &candidate.features), features));
        }
        for named in knowledge.names().iter().flat_map(|names| names.evidence(language, &known.clue, length)) {
            if right.is_none() && named.text == known.answer {
                right = Some(all.len());
            }
            let mut features = vec![0.0; WORDS];
            features.extend(named.features);
            all.push((score(&of_names, &named.features), features));
        }
        let Some(right) = right else { continue };
        let rough: Vec<f32> = all.iter().map(|(rough, _)| *rough).collect();
        choices.push(choice(|at| all[at].1.clone(), &rough, right, &mut rng));
    }
    GenreWeights::from_ordered(&fit(&choices, L2, STEPS))
}

/// Weights of all evidence and chances of unlisted answers by length.
pub struct Fitted {
    pub weights: Vec<f32>,
    pub unlisted: Vec<f64>,
    pub clues: usize,
}

/// Fits the weights that a calibration gives to the evidence ([`crossword::solver::FEATURES`]).
pub fn evidence(knowledge: &Knowledge<'_>, clues: &[Known], seed: u64) -> Fitted {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rough = |evidence: &Evidence| {
        evidence.american.or(evidence.meaning).unwrap_or(-5.0)
            + 3.0 * evidence.exact
            + 4.0 * evidence.similarity
            + 0.5 * evidence.uses
    };
    let mut choices = Vec::new();
    let (mut missing, mut seen) = ([0usize; LENGTHS], [0usize; LENGTHS]);
    for known in clues {
        let length = known.answer.chars().count();
        let gathered = knowledge.gather(&known.clue, length);
        seen[length.min(LENGTHS - 1)] += 1;
        match gathered.candidates.iter().position(|(word, _)| *word == known.answer) {
            Some(right) => {
                let all = &gathered.candidates;
                let rough: Vec<f32> = all.iter().map(|(_, evidence)| rough(evidence)).collect();
                choices.push(choice(|at| all[at].1.features().to_vec(), &rough, right, &mut rng));
            }
            None => missing[length.min(LENGTHS - 1)] += 1,
        }
    }
    // Lengths that were seen rarely borrow from all.
    let all = missing.iter().sum::<usize>() as f64 / seen.iter().sum::<usize>().max(1) as f64;
    let unlisted = missing.iter().zip(seen).map(|(&m, s)| (m as f64 + 5.0 * all) / (s as f64 + 5.0)).collect();
    Fitted { weights: fit(&choices, L2, STEPS), unlisted, clues: clues.len() }
}
