//! Endings of English words, so that an answer can be asked for in the form of its clue.

/// What an ending says of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Inflection {
    /// No ending that says anything.
    Plain,
    /// Plural or third person: *-s*.
    Plural,
    /// Past or participle: *-ed*.
    Past,
    /// *-ing*.
    Gerund,
    /// *-er*.
    Comparative,
    /// *-est*.
    Superlative,
    /// Adverb: *-ly*.
    Adverb,
}

/// The inflection an ending suggests.
pub fn inflection(word: &str) -> Inflection {
    let ends = |e: &str| word.len() > e.len() + 2 && word.ends_with(e);
    if ends("ing") {
        Inflection::Gerund
    } else if ends("ed") {
        Inflection::Past
    } else if ends("est") {
        Inflection::Superlative
    } else if ends("ly") {
        Inflection::Adverb
    } else if ends("er") {
        Inflection::Comparative
    } else if ends("s") && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        Inflection::Plural
    } else {
        Inflection::Plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings() {
        assert_eq!(inflection("attacked"), Inflection::Past);
        assert_eq!(inflection("clouds"), Inflection::Plural);
        assert_eq!(inflection("shadiest"), Inflection::Superlative);
        assert_eq!(inflection("grass"), Inflection::Plain);
        assert_eq!(inflection("red"), Inflection::Plain);
    }
}
