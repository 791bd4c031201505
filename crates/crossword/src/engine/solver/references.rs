//! Clues that refer to other entries: *See 17-Across*, *With 5-Down, …*, *Like 12-Across*.

use crate::rules::{EntryDirection, Puzzle, PuzzleEntry};

/// Direction words in English, Czech, Slovak and Polish.
const ACROSS: &[&str] = &["across", "vodorovně", "vodorovne", "poziomo"];
const DOWN: &[&str] = &["down", "svisle", "zvislo", "pionowo"];
/// Words that refer the reader to another clue.
const SEE: &[&str] = &["see", "viz", "pozri", "zob", "patrz"];

/// A reference to another entry: its byte range in the clue, and the index of the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mention {
    start: usize,
    end: usize,
    entry: usize,
}

/// The references in a clue, in order.
fn mentions(puzzle: &Puzzle, clue: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = clue[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + offset;
        let digits = clue[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(clue.len() - start);
        let rest = &clue[start + digits..];
        let gap = rest.len() - rest.trim_start_matches([' ', '-', '.', '‑', '–']).len();
        let word = rest[gap..].split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let lower = word.to_lowercase();
        let direction = match &lower {
            word if ACROSS.contains(&word.as_str()) => Some(EntryDirection::Across),
            word if DOWN.contains(&word.as_str()) => Some(EntryDirection::Down),
            _ => None,
        };
        let label = &clue[start..start + digits];
        let entry = direction.and_then(|direction| {
            puzzle.entries.iter().position(|entry| entry.direction == direction && entry.label == label)
        });
        at = start + digits;
        if let Some(entry) = entry {
            at += gap + word.len();
            found.push(Mention { start, end: at, entry });
        }
    }
    found
}

/// The text of a clue with its references resolved; `answer` returns the known answers.
/// `None` if the clue refers to no entry, or to none whose answer or clue is known.
pub fn resolved<'a>(puzzle: &Puzzle, entry: &PuzzleEntry, answer: impl Fn(usize) -> Option<&'a str>) -> Option<String> {
    let clue = entry.clue.as_str();
    let found = mentions(puzzle, clue);
    let first = found.first()?;
    let before: String = clue[..first.start].trim().to_lowercase();
    let opening = before.trim_end_matches(['.', ':']);
    if SEE.contains(&opening) {
        // The other clue defines both answers together.
        let other = &puzzle.entries[first.entry].clue;
        let text = mentions(puzzle, other).first().and_then(|mention| shared(other, mention));
        return text.or_else(|| Some(other.clone())).filter(|text| !text.trim().is_empty());
    }
    if let Some(text) = shared(clue, first) {
        return Some(text);
    }
    let mut text = String::new();
    let (mut at, mut known) = (0, false);
    for mention in &found {
        text += &clue[at..mention.start];
        if let Some(answer) = answer(mention.entry) {
            text += &answer.to_lowercase();
            known = true;
        }
        at = mention.end;
    }
    text += &clue[at..];
    known.then_some(text)
}

/// The definition part of *With 5-Down, …*.
fn shared(clue: &str, mention: &Mention) -> Option<String> {
    let before = clue[..mention.start].trim().to_lowercase();
    let rest = clue[mention.end..].trim_start().strip_prefix([',', ':'])?;
    matches!(before.as_str(), "with" | "s" | "so" | "z" | "ze").then(|| rest.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{GridCell, PuzzleGrid, PuzzleMeta};

    fn puzzle(across: [&str; 2]) -> Puzzle {
        let grid = PuzzleGrid::new(3, vec![GridCell::default(); 6]).expect("a rectangle");
        let across = across.map(str::to_owned).to_vec();
        let down = ["x", "y", "z"].map(str::to_owned).to_vec();
        Puzzle::from_runs(PuzzleMeta::default(), grid, across, down).expect("clues for all runs")
    }

    fn told(across: [&str; 2], entry: usize, answers: &[(usize, &'static str)]) -> Option<String> {
        let puzzle = puzzle(across);
        let answer = |at: usize| answers.iter().find(|(known, _)| *known == at).map(|(_, answer)| *answer);
        resolved(&puzzle, &puzzle.entries[entry], answer)
    }

    #[test]
    fn clues_lead_to_other_clues_and_answers() {
        let both = ["With 4-Across, frozen treat", "See 1-Across"];
        assert_eq!(told(both, 0, &[]).as_deref(), Some("frozen treat"));
        assert_eq!(told(both, 1, &[]).as_deref(), Some("frozen treat"));
        let like = ["Like 4-Across", "Big cat"];
        assert_eq!(told(like, 0, &[]), None, "the other answer is not known yet");
        assert_eq!(told(like, 0, &[(1, "LION")]).as_deref(), Some("Like lion"));
        assert_eq!(told(["Opposite of 9-Across", "Route 66 down there"], 0, &[(1, "A")]), None, "no such entry");
        assert_eq!(told(["Viz 4 vodorovně", "Malé zvíře"], 0, &[]).as_deref(), Some("Malé zvíře"));
    }

    #[test]
    fn any_clue_can_be_read() {
        bolero::check!().with_type::<String>().for_each(|clue: &String| {
            let puzzle = puzzle([clue, "See 1-Across"]);
            for entry in &puzzle.entries {
                resolved(&puzzle, entry, |_| Some("WORD"));
            }
        });
    }
}
