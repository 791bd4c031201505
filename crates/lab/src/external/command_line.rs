//! Splits a command line, so that no shell is needed to start a program.

/// Splits at spaces; single and double quotes keep what is between them together, a backslash keeps the next character.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => {
                let escaped = chars.next().ok_or_else(|| format!("{line:?} ends in a backslash"))?;
                word.get_or_insert_default().push(escaped);
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("{line:?} has an unclosed {open}"));
    }
    words.extend(word);
    if words.is_empty() { Err("an empty command line starts nothing".to_owned()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_and_quotes() {
        assert_eq!(split("a  b").unwrap(), ["a", "b"]);
        assert_eq!(split("'a b' \"c 'd'\" e\\ f").unwrap(), ["a b", "c 'd'", "e f"]);
        assert_eq!(split("x ''").unwrap(), ["x", ""]);
        assert!(split("'a").is_err() && split(" ").is_err() && split("a\\").is_err());
    }
}
