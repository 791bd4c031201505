//! Answers to a single clue without a grid.

use super::candidates::Knowledge;
use super::reasons::AnswerReason;

/// An answer with its probability and the evidence for it.
#[derive(Clone, Debug)]
pub struct RankedAnswer {
    pub answer: String,
    pub probability: f64,
    pub why: Vec<AnswerReason>,
}

impl Knowledge<'_> {
    /// The most probable answers to a clue that match a pattern such as `?A??E`.
    pub fn answers(&self, clue: &str, pattern: &str, most: usize) -> Result<Vec<RankedAnswer>, String> {
        let pattern: Vec<char> = pattern.to_uppercase().chars().collect();
        if !(2..=64).contains(&pattern.len()) || !pattern.iter().all(|c| c.is_alphanumeric() || *c == '?') {
            let told: String = pattern.iter().collect();
            return Err(format!("pattern {told:?}: should be 2 to 64 letters and ?, e.g. ?A??E"));
        }
        // A single clue does not show its genre: the general (last) calibration applies.
        let calibration = self.calibrations().last().ok_or("there is no calibration")?;
        let fits = |word: &str| word.chars().zip(&pattern).all(|(c, want)| *want == '?' || c == *want);
        let gathered = self.gather(clue, pattern.len());
        let mut ranked: Vec<(f64, &str)> = gathered
            .candidates
            .iter()
            .filter(|(word, evidence)| fits(word) && calibration.admits(evidence))
            .map(|(word, evidence)| (calibration.score(evidence), &**word))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let top = ranked.first().map_or(0.0, |(score, _)| *score);
        let listed: f64 = ranked.iter().map(|(score, _)| (score - top).exp()).sum();
        let share = 1.0 - calibration.unlisted(pattern.len());
        let told = |(score, word): (f64, &str)| RankedAnswer {
            answer: word.to_owned(),
            probability: (score - top).exp() / listed * share,
            why: gathered.reasons(word),
        };
        Ok(ranked.into_iter().take(most).map(told).collect())
    }
}
