//! Tokenisation.

/// The words of a text in lower case: runs of letters, with apostrophes and hyphens inside.
pub fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’' && c != '-').filter_map(|t| {
        let t = t.trim_matches(|c: char| !c.is_alphabetic());
        let t = t.strip_suffix("'s").or_else(|| t.strip_suffix("’s")).unwrap_or(t);
        (!t.is_empty()).then(|| t.to_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters() {
        let words: Vec<String> = words_of("The dog's “well-known” Žluťoučký—kůň, 25 isn't -x-").collect();
        assert_eq!(words, ["the", "dog", "well-known", "žluťoučký", "kůň", "isn't", "x"]);
    }
}
