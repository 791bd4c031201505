//! Fits feature weights on clues with known answers: conditional logit over all words of the length.

use crossword::engine::solver::{
    AnswerKind, Evidence, GenreWeights, Knowledge, NAME_FEATURES, SURFACE_FEATURES, SurfaceFeatures,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use semantics::ClueScorer;
use semantics::logit::{ChoiceExample, fit, score};

/// A clue with its answer in upper case.
#[derive(Clone, Debug)]
pub struct SolvedClue {
    pub clue: String,
    pub answer: String,
}

/// Negative examples per clue: the hardest by the current weights, and a weighted random sample of the rest.
const HARD: usize = 60;
const DRAWN: usize = 40;
/// Iterations of the fit and its L2 penalty.
const STEPS: usize = 300;
const L2: f32 = 1e-3;
/// Answers of this length or more share one probability of being unlisted.
const LENGTHS: usize = 16;

/// One choice: the right answer against hard and sampled negatives, with the number of candidates each stands for.
fn choice(features: impl Fn(usize) -> Vec<f32>, rough: &[f32], right: usize, rng: &mut ChaCha8Rng) -> ChoiceExample {
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
    ChoiceExample { features: chosen.into_iter().map(features).collect(), chosen: share, copies }
}

/// Weights of the meaning evidence ([`semantics::clue::FEATURES`]) fitted on clues; answers that no source lists are skipped.
pub fn meaning(scorer: &ClueScorer<'_>, start: &[f32], clues: &[SolvedClue], seed: u64) -> Vec<f32> {
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

/// A candidate for a clue of an American puzzle.
struct American<'c> {
    text: String,
    /// Features from the vocabulary or from the name index.
    meaning: &'c [f32],
    named: &'c [f32],
    looks: (AnswerKind, f32),
}

/// Weights of word meaning, names and surface features in American puzzles, fitted jointly; answers that no source lists
/// are skipped.
pub fn american(knowledge: &Knowledge<'_>, start: &GenreWeights, clues: &[SolvedClue], seed: u64) -> GenreWeights {
    const WORDS: usize = semantics::clue::FEATURES.len();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let scorer = knowledge.scorer();
    let (of_words, of_names, of_looks) = (start.of_words(), start.of_names(), start.of_looks());
    let language = scorer.language();
    let mut choices = Vec::new();
    for known in clues {
        let length = known.answer.chars().count();
        let look = SurfaceFeatures::of(&known.clue);
        let words = scorer.evidence(&known.clue, length);
        let named = knowledge.names().map(|names| names.evidence(language, &known.clue, length)).unwrap_or_default();
        let mut all: Vec<American<'_>> = Vec::with_capacity(words.len() + named.len());
        for candidate in &words {
            let text = language.words().text(candidate.word).to_uppercase();
            let looks = (AnswerKind::of_word(language.words().flags(candidate.word)), candidate.zipf());
            all.push(American { text, meaning: &candidate.features, named: &[], looks });
        }
        for candidate in &named {
            let text = candidate.text.to_owned();
            let looks = (candidate.kind(), candidate.zipf());
            all.push(American { text, meaning: &[], named: &candidate.features, looks });
        }
        let Some(right) = all.iter().position(|candidate| candidate.text == known.answer) else { continue };
        let rough: Vec<f32> = all
            .iter()
            .map(|candidate| {
                score(&of_words, candidate.meaning)
                    + score(&of_names, candidate.named)
                    + look.score(&of_looks, &candidate.text, candidate.looks.0, candidate.looks.1)
            })
            .collect();
        let features = |at: usize| {
            let American { text, meaning, named, looks } = &all[at];
            let mut features = vec![0.0; WORDS + NAME_FEATURES.len() + SURFACE_FEATURES];
            features[..meaning.len()].copy_from_slice(meaning);
            features[WORDS..WORDS + named.len()].copy_from_slice(named);
            features[WORDS + NAME_FEATURES.len()..].copy_from_slice(&look.features(text, looks.0, looks.1));
            features
        };
        choices.push(choice(features, &rough, right, &mut rng));
    }
    GenreWeights::from_ordered(&fit(&choices, L2, STEPS))
}

/// Weights of all evidence and probabilities of unlisted answers by length.
pub struct Fitted {
    pub weights: Vec<f32>,
    pub unlisted: Vec<f64>,
    pub clues: usize,
}

/// Fits the weights that a calibration gives to the evidence ([`crossword::engine::solver::FEATURES`]).
pub fn evidence(knowledge: &Knowledge<'_>, clues: &[SolvedClue], seed: u64) -> Fitted {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rough = |evidence: &Evidence| {
        evidence.american.or(evidence.meaning).unwrap_or(-5.0)
            + 3.0 * evidence.exact
            + 4.0 * evidence.similarity
            + 0.5 * evidence.uses
            + evidence.look
    };
    let mut choices = Vec::new();
    let (mut missing, mut seen) = ([0usize; LENGTHS], [0usize; LENGTHS]);
    for known in clues {
        let length = known.answer.chars().count();
        let gathered = knowledge.gather(&known.clue, length);
        seen[length.min(LENGTHS - 1)] += 1;
        match gathered.place(&known.answer) {
            Some(right) => {
                let all = &gathered.candidates;
                let rough: Vec<f32> = all.iter().map(|(_, evidence)| rough(evidence)).collect();
                choices.push(choice(|at| all[at].1.features().to_vec(), &rough, right, &mut rng));
            }
            None => missing[length.min(LENGTHS - 1)] += 1,
        }
    }
    // Rare lengths are smoothed towards the mean.
    let all = missing.iter().sum::<usize>() as f64 / seen.iter().sum::<usize>().max(1) as f64;
    let unlisted = missing.iter().zip(seen).map(|(&m, s)| (m as f64 + 5.0 * all) / (s as f64 + 5.0)).collect();
    Fitted { weights: fit(&choices, L2, STEPS), unlisted, clues: clues.len() }
}
