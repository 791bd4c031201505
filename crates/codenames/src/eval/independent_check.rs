//! An independent, plain check of clues, written without the judge: spelling and endings only.

/// Endings that are cut from a word before comparing, longest first.
const ENDINGS: [&str; 30] = [
    "ation", "ness", "ment", "ship", "less", "able", "ing", "ers", "ies", "est", "ed", "er", "es", "ly", "al", "ic",
    "ový", "ová", "ami", "ách", "ech", "ego", "owy", "owa", "ka", "ek", "ík", "s", "y", "e",
];

fn plain(word: &str) -> String {
    word.to_lowercase().chars().filter(|c| c.is_alphabetic()).collect()
}

fn cut(word: &str) -> &str {
    for ending in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.chars().count() >= 4
        {
            return rest;
        }
    }
    word
}

/// Whether a clue breaks the rules against any open word: not one word, one inside the other, or equal without its
/// ending.
pub fn illegal<S: AsRef<str>>(clue: &str, open: &[S]) -> bool {
    if clue.trim().is_empty() || clue.trim().contains(char::is_whitespace) {
        return true;
    }
    let said = plain(clue);
    open.iter().any(|word| {
        let word = plain(word.as_ref());
        said.contains(&word) || word.contains(&said) || cut(&said) == cut(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_faults_are_seen() {
        assert!(illegal("teachers", &["teacher"]));
        assert!(illegal("two words", &["car"]));
        assert!(illegal("runner", &["run"]));
        assert!(!illegal("ocean", &["car", "boat"]));
    }
}
