//! Normalisation of clue texts and answers.

/// Token for a blank, regardless of its number of underscores.
pub const BLANK: &str = "_";

/// Lower-case words of a clue; apostrophes join (`don't` → `dont`), runs of underscores are one [`BLANK`].
pub fn words(clue: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut current = String::new();
    let mut blank = false;
    for c in clue.chars().chain([' ']) {
        if c == '_' {
            blank = true;
            continue;
        }
        if blank {
            flush(&mut words, &mut current);
            words.push(BLANK.to_owned());
            blank = false;
        }
        match c {
            '\'' | '’' => {}
            c if c.is_alphanumeric() => current.extend(c.to_lowercase()),
            _ => flush(&mut words, &mut current),
        }
    }
    words
}

fn flush(words: &mut Vec<String>, current: &mut String) {
    if !current.is_empty() {
        words.push(std::mem::take(current));
    }
}

/// Hash of the word sequence of a clue (FNV-1a).
pub fn fingerprint(words: &[String]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for word in words {
        for &byte in word.as_bytes().iter().chain(b" ") {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// The grid form of an answer: upper-case letters and digits only.
pub fn grid_form(answer: &str) -> String {
    answer.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_are_compared_by_their_words() {
        assert_eq!(words("\"Don't ___ me!\""), ["dont", "_", "me"]);
        assert_eq!(words("Citrus fruit"), words("citrus -- FRUIT?"));
        assert_eq!(fingerprint(&words("A b")), fingerprint(&words("a, B")));
        assert_ne!(fingerprint(&words("ab c")), fingerprint(&words("a bc")));
        assert_eq!(grid_form("Café au-lait 2"), "CAFÉAULAIT2");
    }
}
