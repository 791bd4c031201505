//! Evaluation of homonym splitting by pseudo-words: pairs of words are joined into one, and the split must separate them.

use crate::corpus::senses::{Split, SplitSettings, split};
use crate::corpus::vocabulary::CorpusVocabulary;
use crate::corpus::{CorpusError, at};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Result for pseudo-homonyms.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SensesReport {
    /// How many homonyms were made of two words each.
    pub pairs: usize,
    /// Share of them that were split.
    pub found: f64,
    /// Of the places of those, the mean share that was given to the right word.
    pub right: f64,
    /// The same if all places were given to the commoner word.
    pub chance: f64,
    /// Other words that were looked at.
    pub others: usize,
    /// Share of them that were split; how many are homonyms in truth is not known.
    pub others_split: f64,
}

/// Joins `pairs` pairs of about equally common words, splits homonyms and counts what came apart rightly.
/// Files are made in `folder` and stay there: `joined` and `split`.
///
/// # Errors
/// As of [`split`].
pub fn evaluate(
    corpus: &Path,
    folder: &Path,
    pairs: usize,
    settings: &SplitSettings,
    vector: impl Fn(&str) -> Option<Vec<f32>>,
    whole: impl Fn(&str) -> bool,
) -> Result<SensesReport, CorpusError> {
    let vocabulary = CorpusVocabulary::of_file(corpus, settings.least, settings.memory)?;
    let mut words: Vec<&str> = vocabulary.words.iter().map(|counted| counted.word.as_str()).collect();
    words.retain(|word| !whole(word) && vector(word).is_some());
    if words.len() < 2 * pairs {
        return Err(CorpusError::Unfit(format!(
            "{}: {pairs} pairs need {} words that occur {} times; it has {}",
            corpus.display(),
            2 * pairs,
            settings.least,
            words.len()
        )));
    }
    // neighbours in the list of frequencies, each taken once
    let mut starts: Vec<usize> = (0..words.len() / 2).map(|i| 2 * i).collect();
    starts.shuffle(&mut ChaCha8Rng::seed_from_u64(settings.seed));
    let mut joined: HashMap<&str, (usize, usize)> = HashMap::new();
    let names: Vec<String> =
        starts[..pairs].iter().map(|&start| format!("{}_{}", words[start], words[start + 1])).collect();
    for (pair, &start) in starts[..pairs].iter().enumerate() {
        joined.insert(words[start], (pair, 0));
        joined.insert(words[start + 1], (pair, 1));
    }
    let (one, two) = (folder.join("joined"), folder.join("split"));
    let mut target = BufWriter::new(at(&one, File::create(&one))?);
    for line in BufReader::new(at(corpus, File::open(corpus))?).lines() {
        let line = at(corpus, line)?;
        let word = |word| joined.get(word).map_or(word, |&(pair, _)| names[pair].as_str());
        let line: Vec<&str> = line.split_ascii_whitespace().map(word).collect();
        at(&one, writeln!(target, "{}", line.join(" ")))?;
    }
    at(&one, target.flush())?;
    let parts = |word: &str| names.iter().any(|name| name == word);
    let done = split(&one, &two, settings, |word| vector(word).filter(|_| !parts(word)), &whole)?;
    let counts = count(corpus, &two, &joined, pairs)?;
    Ok(report(&done, &names, &counts))
}

/// How often each word of each pair became each kind.
type Counts = Vec<[[u64; 2]; 2]>;

fn count(
    corpus: &Path,
    split: &Path,
    joined: &HashMap<&str, (usize, usize)>,
    pairs: usize,
) -> Result<Counts, CorpusError> {
    let mut counts = vec![[[0; 2]; 2]; pairs];
    let lines = |path: &Path| Ok::<_, CorpusError>(BufReader::new(at(path, File::open(path))?).lines());
    for (before, after) in lines(corpus)?.zip(lines(split)?) {
        let (before, after) = (at(corpus, before)?, at(split, after)?);
        for (word, kind) in before.split_ascii_whitespace().zip(after.split_ascii_whitespace()) {
            if let (Some(&(pair, side)), Some((_, kind))) = (joined.get(word), kind.rsplit_once('#')) {
                counts[pair][side][usize::from(kind == "2")] += 1;
            }
        }
    }
    Ok(counts)
}

fn report(done: &Split, names: &[String], counts: &Counts) -> SensesReport {
    let (mut right, mut chance, mut found) = (0.0, 0.0, 0usize);
    for pair in counts {
        let total = pair.iter().flatten().sum::<u64>();
        if total == 0 {
            continue;
        }
        found += 1;
        let best = (pair[0][0] + pair[1][1]).max(pair[0][1] + pair[1][0]);
        right += best as f64 / total as f64;
        chance += pair.iter().map(|side| side.iter().sum::<u64>()).max().unwrap_or(0) as f64 / total as f64;
    }
    let others = done.examined.saturating_sub(names.len());
    let others_split = done.homonyms.len().saturating_sub(found);
    let mean = |sum: f64| if found == 0 { 0.0 } else { sum / found as f64 };
    SensesReport {
        pairs: names.len(),
        found: found as f64 / names.len().max(1) as f64,
        right: mean(right),
        chance: mean(chance),
        others,
        others_split: others_split as f64 / others.max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_words_come_apart_again() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("text");
        let lines = (0..400).map(|i| if i % 2 == 0 { "apple cat pear\n" } else { "rocket dog orbit\n" });
        std::fs::write(&text, lines.collect::<String>()).unwrap();
        let vector = |word: &str| match word {
            "apple" | "pear" => Some(vec![1.0, 0.0]),
            "rocket" | "orbit" => Some(vec![0.0, 1.0]),
            "cat" | "dog" => Some(vec![0.5, 0.5]),
            _ => None,
        };
        let settings = SplitSettings { least: 100, contexts: 50, ..SplitSettings::default() };
        let asked = |word: &str| word != "cat" && word != "dog" && word != "cat_dog";
        let report = evaluate(&text, folder.path(), 1, &settings, vector, asked).unwrap();
        assert_eq!((report.pairs, report.found, report.right, report.chance), (1, 1.0, 1.0, 0.5));
        assert!(evaluate(&text, folder.path(), 9, &settings, vector, asked).is_err());
    }
}
