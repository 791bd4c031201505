//! Answers that are spelt by the clue itself: announced anagrams.

/// Anagram indicators in English and Czech.
const ANNOUNCED: &[&str] = &["anag", "anagram", "anagrams", "anagr", "anagramem", "přesmyčka", "přesmyčkou"];

/// Candidates that are anagrams of consecutive clue words, if the clue announces an anagram.
pub fn anagrams<'w>(clue: &str, length: usize, candidates: impl Iterator<Item = &'w str>) -> Vec<String> {
    let words: Vec<String> = clue
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(|word| word.to_uppercase())
        .collect();
    let announced = words.iter().any(|word| ANNOUNCED.contains(&word.to_lowercase().as_str()));
    if !announced {
        return Vec::new();
    }
    // Fodder: runs of consecutive words with the right number of letters.
    let mut fodder: Vec<(String, Vec<char>)> = Vec::new();
    for start in 0..words.len() {
        let mut run = String::new();
        for word in &words[start..] {
            run.push_str(word);
            let count = run.chars().count();
            if count == length {
                fodder.push((run.clone(), sorted(&run)));
            }
            if count >= length {
                break;
            }
        }
    }
    candidates
        .filter(|candidate| {
            let letters = sorted(candidate);
            fodder.iter().any(|(run, have)| run != candidate && *have == letters)
        })
        .map(str::to_owned)
        .collect()
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announced_anagrams_are_found() {
        let words = ["LISTEN", "SILENT", "ENLIST", "TINSEL", "PARROT"];
        assert_eq!(anagrams("Quiet (anag. of listen)", 6, words.into_iter()), ["SILENT", "ENLIST", "TINSEL"]);
        assert_eq!(anagrams("Tile sn, anagram", 6, words.into_iter()).len(), 4);
        assert!(anagrams("Quiet, listen", 6, words.into_iter()).is_empty());
    }
}
