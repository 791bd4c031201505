//! Why an answer was chosen: facts that a page can put into its reader's language, and the same in English.

use super::candidates::Gathered;
use serde::Serialize;
use utoipa::ToSchema;

/// One piece of evidence, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    /// The clue memory has it for exactly this clue.
    ExactClue { times: u32 },
    /// The clue memory has it for a similar clue.
    SimilarClue { percent: u32 },
    /// It is made of letters that the clue announces.
    Anagram,
    /// It is a kind of what the clue gives an example of.
    Example,
    /// Its place among the words of its length by meaning.
    Meaning { rank: usize, of: usize },
    /// Its place by meaning; only the list of names and phrases has it.
    Name { rank: usize, of: usize },
    /// Its score in a further word list.
    WordList { score: u32 },
    /// No list has it: its letters come from the crossings.
    Letters,
}

impl Reason {
    /// One line in English.
    pub fn text(&self) -> String {
        match self {
            Self::ExactClue { times: 1 } => "answered exactly this clue before".to_owned(),
            Self::ExactClue { times } => format!("answered exactly this clue {times} times before"),
            Self::SimilarClue { percent } => format!("answered a clue that is {percent}% alike"),
            Self::Anagram => "is an anagram of words in the clue".to_owned(),
            Self::Example => "is a kind of what the clue names an example of".to_owned(),
            Self::Meaning { rank, of } => format!("number {rank} of {of} words by meaning"),
            Self::Name { rank, of } => format!("a name or phrase, number {rank} of {of} by meaning"),
            Self::WordList { score } => format!("scored {score} in a word list"),
            Self::Letters => "is in no list; its letters come from the crossings".to_owned(),
        }
    }
}

impl Gathered {
    /// What speaks for an answer.
    pub fn reasons(&self, answer: &str) -> Vec<Reason> {
        let Some(evidence) = self.of(answer) else { return vec![Reason::Letters] };
        let mut reasons = Vec::new();
        if evidence.exact > 0.0 {
            reasons.push(Reason::ExactClue { times: (evidence.exact.exp() - 1.0).round() as u32 });
        } else if evidence.similarity > 0.3 {
            reasons.push(Reason::SimilarClue { percent: (evidence.similarity * 100.0).round() as u32 });
        }
        if evidence.anagram > 0.0 {
            reasons.push(Reason::Anagram);
        }
        if evidence.example > 0.0 {
            reasons.push(Reason::Example);
        }
        let of = self.candidates.len();
        let place = |own: f32, score: fn(&super::Evidence) -> Option<f32>| {
            1 + self.candidates.iter().filter(|(_, other)| score(other).is_some_and(|other| other > own)).count()
        };
        if let Some(score) = evidence.meaning {
            reasons.push(Reason::Meaning { rank: place(score, |evidence| evidence.meaning), of });
        } else if let Some(score) = evidence.american {
            reasons.push(Reason::Name { rank: place(score, |evidence| evidence.american), of });
        }
        if evidence.list > 0.0 {
            reasons.push(Reason::WordList { score: (evidence.list * 100.0).round() as u32 });
        }
        reasons
    }
}
