//! Word sense induction (Schütze 1998): a word with two clusters of contexts becomes two words, `bank#1` and `bank#2`,
//! before vectors are trained.
//!
//! The contexts of a word are a sample of its occurrences, each the frequency-weighted sum of the vectors around it. They
//! are clustered in two by 2-means; a word is split if both halves of the sample give the same clusters, both clusters are
//! frequent enough, and their means are unlike enough.

use super::train::maths::dot;
use super::vocabulary::CorpusVocabulary;
use super::{CorpusError, at};
use crate::vectors::{cosine, normalise};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// How homonyms are found.
#[derive(Clone, Debug)]
pub struct SplitSettings {
    /// Words with fewer occurrences are not split.
    pub least: u64,
    /// Contexts sampled per word.
    pub contexts: usize,
    /// Size of a context, in words on either side.
    pub window: usize,
    /// Least share of the smaller cluster.
    pub share: f32,
    /// Least share of contexts on which the two halves of the sample agree.
    pub stable: f32,
    /// Largest cosine between the two cluster means.
    pub likeness: f32,
    /// Bytes the tables may take.
    pub memory: usize,
    /// Seed of the sample.
    pub seed: u64,
}

impl Default for SplitSettings {
    fn default() -> Self {
        SplitSettings {
            least: 200,
            contexts: 400,
            window: 8,
            share: 0.15,
            stable: 0.85,
            likeness: 0.4,
            memory: 512 << 20,
            seed: 1,
        }
    }
}

/// A word with two clusters of contexts.
#[derive(Clone, Debug)]
pub struct Homonym {
    /// The word.
    pub word: String,
    /// Unit mean contexts of the two clusters, the larger first.
    pub kinds: [Vec<f32>; 2],
    /// Share of the contexts in the second cluster.
    pub share: f32,
    /// Cosine between the two cluster means.
    pub likeness: f32,
    /// Share of places on which the two halves of the sample agreed.
    pub stable: f32,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Split {
    /// How many words were looked at.
    pub examined: usize,
    /// Those that were split, commonest first.
    pub homonyms: Vec<Homonym>,
}

/// Frequency at which a word's weight in its surroundings has fallen to one half.
const COMMON: f64 = 1e-3;
/// Rounds of parting a sample in two.
const ROUNDS: usize = 12;

/// The words of a corpus as vectors, weighted by how telling they are.
struct Surroundings {
    vocabulary: CorpusVocabulary,
    dim: usize,
    rows: Vec<f32>,
    window: usize,
}

impl Surroundings {
    /// Writes the unit vector of the words around a place; `false` if nothing is known of them.
    fn around(&self, sentence: &[Option<u32>], place: usize, out: &mut [f32]) -> bool {
        out.fill(0.0);
        let from = place.saturating_sub(self.window);
        let until = (place + self.window + 1).min(sentence.len());
        for word in (from..until).filter(|&i| i != place).filter_map(|i| sentence[i]) {
            let row = &self.rows[word as usize * self.dim..][..self.dim];
            out.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        normalise(out);
        out.iter().any(|x| *x != 0.0)
    }

    /// Calls `each` with the numbers and the text of every sentence.
    fn sentences(
        &self,
        corpus: &Path,
        mut each: impl FnMut(&[Option<u32>], &str) -> Result<(), CorpusError>,
    ) -> Result<(), CorpusError> {
        let mut numbers = Vec::new();
        for line in BufReader::with_capacity(1 << 16, at(corpus, File::open(corpus))?).lines() {
            let line = at(corpus, line)?;
            numbers.clear();
            numbers.extend(line.split_ascii_whitespace().map(|word| self.vocabulary.id(word)));
            each(&numbers, &line)?;
        }
        Ok(())
    }

    /// Samples of the surroundings of some words, one after another in each list.
    fn sample(&self, corpus: &Path, words: &[u32], most: usize, seed: u64) -> Result<Vec<Vec<f32>>, CorpusError> {
        let slots: HashMap<u32, usize> = words.iter().enumerate().map(|(slot, &word)| (word, slot)).collect();
        let mut samples = vec![Vec::new(); words.len()];
        let mut seen = vec![0usize; words.len()];
        // every word has its own chance, so that words looked at together do not matter
        let chance = |&word: &u32| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(u64::from(word));
            rng
        };
        let mut chances: Vec<ChaCha8Rng> = words.iter().map(chance).collect();
        let mut context = vec![0.0; self.dim];
        self.sentences(corpus, |sentence, _| {
            for (place, word) in sentence.iter().enumerate() {
                let Some(&slot) = word.as_ref().and_then(|word| slots.get(word)) else { continue };
                if !self.around(sentence, place, &mut context) {
                    continue;
                }
                seen[slot] += 1;
                let sample: &mut Vec<f32> = &mut samples[slot];
                if sample.len() < most * self.dim {
                    sample.extend_from_slice(&context);
                    continue;
                }
                let at = chances[slot].random_range(0..seen[slot]);
                if at < most {
                    sample[at * self.dim..][..self.dim].copy_from_slice(&context);
                }
            }
            Ok(())
        })?;
        Ok(samples)
    }
}

/// Splits the homonyms of a prepared corpus that may be larger than memory; `vector` gives the vector of a
/// word, if it has one, and `whole` names words that are never split.
///
/// # Errors
/// If a file cannot be read or written, or the tables do not fit into the memory allowed.
pub fn split(
    corpus: &Path,
    out: &Path,
    settings: &SplitSettings,
    vector: impl Fn(&str) -> Option<Vec<f32>>,
    whole: impl Fn(&str) -> bool,
) -> Result<Split, CorpusError> {
    let vocabulary = CorpusVocabulary::of_file(corpus, 2, settings.memory)?;
    let vectors: Vec<Option<Vec<f32>>> = vocabulary.words.iter().map(|counted| vector(&counted.word)).collect();
    let Some(dim) = vectors.iter().flatten().map(Vec::len).next() else {
        return Err(CorpusError::Unfit(format!("{}: none of its words has a vector", corpus.display())));
    };
    let mut rows = vec![0.0; vectors.len() * dim];
    for ((row, vector), counted) in rows.chunks_exact_mut(dim).zip(&vectors).zip(&vocabulary.words) {
        let frequency = counted.times as f64 / vocabulary.places.max(1) as f64;
        let weight = (COMMON / (COMMON + frequency)) as f32;
        if let Some(vector) = vector {
            row.iter_mut().zip(vector).for_each(|(x, v)| *x = weight * v);
        }
    }
    drop(vectors);
    let number = |(word, _)| word as u32;
    let candidates = vocabulary.words.iter().enumerate();
    let candidates = candidates.filter(|(_, counted)| counted.times >= settings.least && !whole(&counted.word));
    let candidates: Vec<u32> = candidates.map(number).collect();
    let left = settings.memory.saturating_sub(4 * rows.len() + vocabulary.peak);
    let at_once = left / (4 * dim * settings.contexts.max(1));
    if at_once == 0 && !candidates.is_empty() {
        return Err(CorpusError::Unfit(format!(
            "{}: {} words with {dim} numbers each leave no room for samples; allow more than {} bytes, or prepare \
             the corpus with a higher minimum count",
            corpus.display(),
            vocabulary.words.len(),
            settings.memory
        )));
    }
    let surroundings = Surroundings { vocabulary, dim, rows, window: settings.window };
    let mut homonyms: HashMap<u32, Homonym> = HashMap::new();
    for batch in candidates.chunks(at_once.max(1)) {
        let samples = surroundings.sample(corpus, batch, settings.contexts, settings.seed)?;
        for (&word, sample) in batch.iter().zip(&samples) {
            let text = &surroundings.vocabulary.words[word as usize].word;
            homonyms.extend(judge(text, sample, dim, settings).map(|homonym| (word, homonym)));
        }
    }
    rewrite(&surroundings, corpus, out, &homonyms)?;
    let mut found: Vec<(u32, Homonym)> = homonyms.into_iter().collect();
    found.sort_by_key(|(word, _)| *word);
    Ok(Split { examined: candidates.len(), homonyms: found.into_iter().map(|(_, homonym)| homonym).collect() })
}

/// Writes the corpus with the homonyms named by kind.
fn rewrite(
    surroundings: &Surroundings,
    corpus: &Path,
    out: &Path,
    homonyms: &HashMap<u32, Homonym>,
) -> Result<(), CorpusError> {
    let part = out.with_extension("tmp");
    let mut target = BufWriter::new(at(&part, File::create(&part))?);
    let mut context = vec![0.0; surroundings.dim];
    surroundings.sentences(corpus, |sentence, text| {
        for (place, word) in text.split_ascii_whitespace().enumerate() {
            let space = if place == 0 { "" } else { " " };
            let written = match sentence[place].and_then(|number| homonyms.get(&number)) {
                Some(homonym) => {
                    surroundings.around(sentence, place, &mut context);
                    write!(target, "{space}{word}#{}", 1 + kind(&homonym.kinds, &context))
                }
                None => write!(target, "{space}{word}"),
            };
            at(&part, written)?;
        }
        at(&part, writeln!(target))
    })?;
    at(&part, target.flush())?;
    at(out, std::fs::rename(&part, out))
}

/// The kind that a place is of: 0 or 1.
fn kind(kinds: &[Vec<f32>; 2], context: &[f32]) -> usize {
    usize::from(dot(&kinds[1], context) > dot(&kinds[0], context))
}

/// Whether a sample shows two kinds of surroundings.
fn judge(word: &str, sample: &[f32], dim: usize, settings: &SplitSettings) -> Option<Homonym> {
    let points: Vec<&[f32]> = sample.chunks_exact(dim).collect();
    if points.len() < 8 {
        return None;
    }
    let every_other = |from: usize| points.iter().copied().skip(from).step_by(2).collect::<Vec<_>>();
    let (even, odd, mut kinds) = (part(&every_other(0)), part(&every_other(1)), part(&points));
    let agreeing = points.iter().filter(|point| kind(&even, point) == kind(&odd, point)).count();
    let agreeing = agreeing.max(points.len() - agreeing);
    let stable = agreeing as f32 / points.len() as f32;
    let mut share = points.iter().filter(|point| kind(&kinds, point) == 1).count() as f32 / points.len() as f32;
    if share > 0.5 {
        kinds.reverse();
        share = 1.0 - share;
    }
    let likeness = cosine(&kinds[0], &kinds[1]);
    let two = share >= settings.share && stable >= settings.stable && likeness <= settings.likeness;
    two.then(|| Homonym { word: word.to_owned(), kinds, share, likeness, stable })
}

/// Parts unit vectors in two: along their strongest direction at first, then by the nearer mean.
fn part(points: &[&[f32]]) -> [Vec<f32>; 2] {
    let dim = points.first().map_or(0, |point| point.len());
    let mut mean = vec![0.0; dim];
    for point in points {
        mean.iter_mut().zip(*point).for_each(|(sum, x)| *sum += x / points.len() as f32);
    }
    // the strongest direction by power iteration, begun at the point farthest from the mean
    let far = points.iter().min_by(|a, b| dot(a, &mean).total_cmp(&dot(b, &mean)));
    let mut axis: Vec<f32> = far.map_or(Vec::new(), |far| far.iter().zip(&mean).map(|(x, m)| x - m).collect());
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; dim];
        for point in points {
            let along = dot(point, &axis) - dot(&mean, &axis);
            next.iter_mut().zip(*point).zip(&mean).for_each(|((sum, x), m)| *sum += along * (x - m));
        }
        normalise(&mut next);
        axis = next;
    }
    let middle = dot(&mean, &axis);
    let mut of_point: Vec<usize> = points.iter().map(|point| usize::from(dot(point, &axis) > middle)).collect();
    let mut kinds = [vec![0.0; dim], vec![0.0; dim]];
    for _ in 0..ROUNDS {
        kinds = [vec![0.0; dim], vec![0.0; dim]];
        for (point, &side) in points.iter().zip(&of_point) {
            kinds[side].iter_mut().zip(*point).for_each(|(sum, x)| *sum += x);
        }
        kinds.iter_mut().for_each(|kind| normalise(kind));
        let next: Vec<usize> = points.iter().map(|point| kind(&kinds, point)).collect();
        if next == of_point {
            break;
        }
        of_point = next;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of two fields; `bank` stands in both, `money` in one alone.
    fn corpus(folder: &Path) -> std::path::PathBuf {
        let fields = [["loan", "money", "credit", "teller"], ["river", "shore", "water", "boat"]];
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut text = String::new();
        for _ in 0..600 {
            let field = &fields[rng.random_range(0..2)];
            let mut word = || field[rng.random_range(0..4)];
            text += &format!("{} {} bank {} unheard\n", word(), word(), word());
        }
        let path = folder.join("text");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn vector(word: &str) -> Option<Vec<f32>> {
        let place = ["loan", "money", "credit", "teller", "river", "shore", "water", "boat"];
        let at = place.iter().position(|known| *known == word)?;
        let mut vector = vec![0.3; 10];
        vector[at / 4] = 1.0;
        vector[2 + at] = 0.5;
        Some(vector)
    }

    #[test]
    fn a_word_of_two_fields_is_split_and_others_stay_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (text, out) = (corpus(folder.path()), folder.path().join("out"));
        let settings = SplitSettings { least: 50, contexts: 100, likeness: 0.8, ..SplitSettings::default() };
        let done = split(&text, &out, &settings, vector, |word| word == "unheard").unwrap();
        assert_eq!(done.homonyms.iter().map(|h| h.word.as_str()).collect::<Vec<_>>(), ["bank"]);
        assert_eq!(done.examined, 9);
        let (before, after) = (std::fs::read_to_string(&text).unwrap(), std::fs::read_to_string(&out).unwrap());
        let kind_of = |line: &str| line.split(' ').nth(2).unwrap().to_owned();
        let of_money = |line: &str| ["loan", "money", "credit", "teller"].iter().any(|word| line.starts_with(word));
        let money: std::collections::BTreeSet<String> = after.lines().filter(|l| of_money(l)).map(kind_of).collect();
        let water: std::collections::BTreeSet<String> = after.lines().filter(|l| !of_money(l)).map(kind_of).collect();
        assert_eq!((money.len(), water.len()), (1, 1));
        assert!(money.is_disjoint(&water) && money.union(&water).all(|word| word.starts_with("bank#")));
        assert!(after.replace("#1", "").replace("#2", "") == before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn small_memory_means_more_passes_and_too_little_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (text, out) = (corpus(folder.path()), folder.path().join("out"));
        let settings = SplitSettings { least: 50, contexts: 100, likeness: 0.8, ..SplitSettings::default() };
        split(&text, &out, &settings, vector, |_| false).unwrap();
        let at_once = std::fs::read_to_string(&out).unwrap();
        let few = SplitSettings { memory: 12_000, ..settings.clone() };
        split(&text, &out, &few, vector, |_| false).unwrap();
        assert!(std::fs::read_to_string(&out).unwrap() == at_once);
        let none = SplitSettings { memory: 5_000, ..settings };
        assert!(split(&text, &out, &none, vector, |_| false).unwrap_err().to_string().contains("allow more"));
        assert!(split(&text, &out, &few, |_| None, |_| false).unwrap_err().to_string().contains("has a vector"));
    }
}
