//! Why an answer was chosen, in words.

use super::candidates::Knowledge;
use serde::Serialize;

/// One piece of evidence, for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// Where it comes from: `memory`, `similar clue`, `meaning`, `anagram`, `word list`, `letters`.
    pub source: &'static str,
    /// One line.
    pub text: String,
}

impl Knowledge<'_> {
    /// What speaks for an answer to a clue.
    pub fn reasons(&self, clue: &str, answer: &str) -> Vec<Reason> {
        let length = answer.chars().count();
        let gathered = self.gather(clue, length);
        let Some((_, evidence)) = gathered.candidates.iter().find(|(word, _)| word == answer) else {
            return vec![Reason {
                source: "letters",
                text: format!("{answer} is in no list; its letters come from the crossings"),
            }];
        };
        let mut reasons = Vec::new();
        if evidence.exact > 0.0 {
            let times = (evidence.exact.exp() - 1.0).round();
            reasons.push(Reason { source: "memory", text: format!("answered exactly this clue {times} times before") });
        } else if evidence.similarity > 0.3 {
            let percent = evidence.similarity * 100.0;
            reasons
                .push(Reason { source: "similar clue", text: format!("answered a clue that is {percent:.0}% alike") });
        }
        if evidence.anagram > 0.0 {
            reasons.push(Reason { source: "anagram", text: "is an anagram of words in the clue".to_owned() });
        }
        if let Some(score) = evidence.meaning {
            let better = gathered
                .candidates
                .iter()
                .filter(|(_, other)| other.meaning.is_some_and(|other| other > score))
                .count();
            let text = format!("number {} of {} words by meaning", better + 1, gathered.candidates.len());
            reasons.push(Reason { source: "meaning", text });
        }
        if evidence.list > 0.0 {
            reasons.push(Reason {
                source: "word list",
                text: format!("scored {:.0} in a word list", evidence.list * 100.0),
            });
        }
        reasons
    }
}
