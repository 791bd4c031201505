//! Definition by example: the answer to *Tiger, for one* is a hypernym of *tiger*.

/// Endings of clues that give an example, in English, Czech, Polish and Slovak, longest first.
const ENDINGS: &[&str] = &[
    ", for example",
    " for example",
    ", for instance",
    " for instance",
    ", for one",
    " for one",
    ", perhaps",
    ", maybe",
    ", e.g.",
    " e.g.",
    ", eg",
    " (eg)",
    ", say",
    ", například",
    ", např.",
    ", třeba",
    ", na przykład",
    ", np.",
    ", napríklad",
    ", napr.",
];

/// The clue without its example marker, if it has one.
pub fn example(clue: &str) -> Option<&str> {
    let clue = clue.trim().trim_end_matches('?').trim_end();
    let lower = clue.to_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(*ending))?;
    // Lower-casing may lengthen the text; the clue then stays as it is.
    let rest = clue.len().checked_sub(ending.len()).and_then(|end| clue.get(..end))?.trim();
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_told_from_definitions() {
        assert_eq!(example("Tiger, for one"), Some("Tiger"));
        assert_eq!(example("Oak or elm, e.g."), Some("Oak or elm"));
        assert_eq!(example("Polka, say?"), Some("Polka"));
        assert_eq!(example("Dub, třeba"), Some("Dub"));
        assert_eq!(example("Dub, například"), Some("Dub"));
        assert_eq!(example("Have one's say"), None);
        bolero::check!().with_type::<String>().for_each(|clue: &String| _ = example(clue));
    }
}
