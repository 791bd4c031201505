//! The evidence for an answer as facts that a page can translate, with an English rendering.

use super::candidates::ClueEvidence;
use serde::Serialize;
use utoipa::ToSchema;

/// One piece of evidence for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = Reason)]
pub enum AnswerReason {
    /// The clue database has it as the answer to exactly this clue.
    ExactClue { times: u32 },
    /// The clue database has it as the answer to a similar clue.
    SimilarClue { percent: u32 },
    /// It is an anagram of letters in the clue.
    Anagram,
    /// It is a hypernym of the example in the clue.
    Example,
    /// Its rank by meaning among all words of its length.
    Meaning { rank: usize, of: usize },
    /// Its rank by meaning; only the name index lists it.
    Name { rank: usize, of: usize },
    /// Its score in a word list.
    WordList { score: u32 },
    /// No source lists it: its letters come from the crossings.
    Letters,
}

impl AnswerReason {
    /// The reason in one line of English.
    pub fn text(&self) -> String {
        match self {
            Self::ExactClue { times: 1 } => "the clue database has it for exactly this clue".to_owned(),
            Self::ExactClue { times } => format!("the clue database has it {times} times for exactly this clue"),
            Self::SimilarClue { percent } => format!("answers a clue in the database that is {percent}% similar"),
            Self::Anagram => "anagram of words in the clue".to_owned(),
            Self::Example => "the clue names an example of it".to_owned(),
            Self::Meaning { rank, of } => format!("rank {rank} of {of} words by meaning"),
            Self::Name { rank, of } => format!("name or phrase, rank {rank} of {of} by meaning"),
            Self::WordList { score } => format!("score {score} in a word list"),
            Self::Letters => "in no list; its letters come from the crossings".to_owned(),
        }
    }
}

impl ClueEvidence {
    /// The evidence for an answer.
    pub fn reasons(&self, answer: &str) -> Vec<AnswerReason> {
        let Some(evidence) = self.of(answer) else { return vec![AnswerReason::Letters] };
        let mut reasons = Vec::new();
        if evidence.exact > 0.0 {
            reasons.push(AnswerReason::ExactClue { times: (evidence.exact.exp() - 1.0).round() as u32 });
        } else if evidence.similarity > 0.3 {
            reasons.push(AnswerReason::SimilarClue { percent: (evidence.similarity * 100.0).round() as u32 });
        }
        if evidence.anagram > 0.0 {
            reasons.push(AnswerReason::Anagram);
        }
        if evidence.example > 0.0 {
            reasons.push(AnswerReason::Example);
        }
        let of = self.candidates.len();
        let place = |own: f32, score: fn(&super::Evidence) -> Option<f32>| {
            1 + self.candidates.iter().filter(|(_, other)| score(other).is_some_and(|other| other > own)).count()
        };
        if let Some(score) = evidence.meaning {
            reasons.push(AnswerReason::Meaning { rank: place(score, |evidence| evidence.meaning), of });
        } else if let Some(score) = evidence.american {
            reasons.push(AnswerReason::Name { rank: place(score, |evidence| evidence.american), of });
        }
        if evidence.list > 0.0 {
            reasons.push(AnswerReason::WordList { score: (evidence.list * 100.0).round() as u32 });
        }
        reasons
    }
}
