//! Names and phrases for crosswords: what people write into grids and the vocabulary of word meaning leaves out.
//!
//! Words with a learned vector come from the vectors' own list, most frequent first; phrases from WordNet and the Moby
//! thesaurus get the vector of their gloss and of the words they stand for, and links from those words.

use super::super::fetch::Cache;
use super::super::sources;
use super::{english, licences, readers, wordnet};
use anyhow::Context;
use semantics::pack::{ByteRows, Writer, pack_sorted};
use semantics::vectors::normalise;
use semantics::{Language, Vectors, Vocabulary, WordFlags, WordId};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Words beside the vocabulary, and letters of a name or phrase.
const WORDS: usize = 60_000;
const LETTERS: std::ops::RangeInclusive<usize> = 3..=15;

/// A phrase while it is collected.
#[derive(Default)]
struct Phrase {
    sum: Vec<f32>,
    heads: BTreeSet<u32>,
}

pub fn run(root: &Path) -> anyhow::Result<()> {
    let cache = Cache::new(root);
    let language = Language::open(&root.join("data"), "en").context("the English packs come first")?;
    let zipf = readers::wordfreq(&cache, "large_en.msgpack.gz")?;
    let words = words(&cache, &language, &zipf)?;
    let phrases = phrases(&cache, &language)?;
    println!("en: {} names and other words, {} phrases", words.len(), phrases.len());

    let mut links: Vec<Vec<u32>> = vec![Vec::new(); language.words().len()];
    for (number, (_, phrase)) in phrases.iter().enumerate() {
        for &head in &phrase.heads {
            links[head as usize].push((words.len() + number) as u32);
        }
    }
    let coded = |row: &Vec<u32>| {
        let mut bytes = Vec::new();
        pack_sorted(row, &mut bytes);
        bytes
    };
    let frequency = |text: &str| zipf.get(text).copied().unwrap_or(0.0);
    let rarest = |phrase: &str| phrase.split(' ').map(frequency).fold(f32::MAX, f32::min);
    let frequencies: Vec<f32> =
        words.iter().map(|(word, _)| frequency(word)).chain(phrases.iter().map(|(phrase, _)| rarest(phrase))).collect();
    let texts: Vec<(String, WordFlags)> = words
        .iter()
        .map(|(word, _)| (word.clone(), WordFlags(WordFlags::NAME)))
        .chain(phrases.iter().map(|(phrase, _)| (phrase.clone(), WordFlags(0))))
        .collect();
    let vectors: Vec<Vec<f32>> =
        words.into_iter().map(|(_, vector)| vector).chain(phrases.into_iter().map(|(_, phrase)| phrase.sum)).collect();

    let out = root.join("data/crossword/names");
    std::fs::create_dir_all(&out)?;
    let mut w = Writer::new();
    w.add("vocabulary", &[language.words().fingerprint()]);
    Vocabulary::write(&mut w, &texts);
    Vectors::write(&mut w, language.vectors().dim(), &vectors, &[]);
    ByteRows::write(&mut w, "links", &links.iter().map(coded).collect::<Vec<_>>());
    w.write(&out.join("en.permissive.pack"))?;
    let fingerprint = semantics::words::stable_fingerprint(texts.iter().map(|(text, _)| text.as_str()));
    super::write_frequencies(&out.join("en.by-sa.pack"), fingerprint, frequencies.into_iter())?;
    licences::names(&cache, root, &out)
}

/// Words with learned vectors that are in no vocabulary, most frequent first, cleaned as the vocabulary's are.
fn words(cache: &Cache, language: &Language, zipf: &HashMap<String, f32>) -> anyhow::Result<Vec<(String, Vec<f32>)>> {
    let raw = english::wink(cache)?;
    let wanted = |word: &str| {
        LETTERS.contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && language.words().id(word).is_none()
    };
    let mut chosen: Vec<(&String, f32)> =
        raw.keys().filter(|word| wanted(word)).filter_map(|word| Some((word, *zipf.get(word)?))).collect();
    chosen.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    chosen.truncate(WORDS);
    let cleaned = chosen.into_iter().map(|(word, _)| {
        let mut vector = raw[word][..language.vectors().dim()].to_vec();
        language.vectors().clean(&mut vector);
        normalise(&mut vector);
        (word.clone(), vector)
    });
    Ok(cleaned.collect())
}

/// The words of a phrase in lower case with one space between, if it can stand in a grid.
fn plain(text: &str, language: &Language) -> Option<String> {
    let words: Vec<String> = text
        .split([' ', '-', '_'])
        .map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let joined = words.concat();
    let fits = words.len() > 1
        && LETTERS.contains(&joined.len())
        && joined.bytes().all(|b| b.is_ascii_lowercase())
        && language.words().id(&joined).is_none();
    fits.then(|| words.join(" "))
}

/// The unit vector of a definition: the sum of its telling words, rarer ones more.
fn definition_vector(definition: &str, language: &Language) -> Vec<f32> {
    let mut sum = vec![0.0; language.vectors().dim()];
    for word in semantics::tokens::words_of(definition).filter_map(|word| language.words().id(&word)) {
        if !language.words().flags(word).has(WordFlags::STOP) {
            language.vectors().add_to(word, (8.0 - language.zipf(word)).max(0.5), &mut sum);
        }
    }
    normalise(&mut sum);
    sum
}

/// Phrases with the direction of what they mean and the words they stand for.
fn phrases(cache: &Cache, language: &Language) -> anyhow::Result<Vec<(String, Phrase)>> {
    let mut all: BTreeMap<String, Phrase> = BTreeMap::new();
    let dim = language.vectors().dim();
    let single = |word: &str| language.words().id(&word.to_lowercase());
    let note = |all: &mut BTreeMap<String, Phrase>, phrase: String, head: WordId, weight: f32| {
        let phrase = all.entry(phrase).or_insert_with(|| Phrase { sum: vec![0.0; dim], ..Phrase::default() });
        phrase.heads.insert(head.0);
        language.vectors().add_to(head, weight, &mut phrase.sum);
    };
    let net = wordnet::read(&cache.get(&sources::WORDNET)?.join("usr/share/wordnet"))?;
    for synset in &net.synsets {
        let phrases: Vec<String> = synset.words.iter().filter_map(|word| plain(word, language)).collect();
        if phrases.is_empty() {
            continue;
        }
        let heads: Vec<WordId> = synset.words.iter().filter_map(|word| single(word)).collect();
        let meaning = definition_vector(&synset.definition, language);
        for phrase in phrases {
            heads.iter().for_each(|&head| note(&mut all, phrase.clone(), head, 1.0));
            let entry = all.entry(phrase).or_insert_with(|| Phrase { sum: vec![0.0; dim], ..Phrase::default() });
            entry.sum.iter_mut().zip(&meaning).for_each(|(sum, x)| *sum += 2.0 * x);
        }
    }
    let moby = readers::text(&cache.get(&sources::MOBY)?.join("package/words.txt"))?;
    for line in moby.split(['\n', '\r']) {
        let mut words = line.split(',');
        let first = words.next().unwrap_or_default();
        let (head, head_phrase) = (single(first), plain(first, language));
        for word in words {
            match (head, &head_phrase) {
                (Some(head), _) => {
                    if let Some(phrase) = plain(word, language) {
                        note(&mut all, phrase, head, 0.5);
                    }
                }
                (None, Some(phrase)) => {
                    if let Some(id) = single(word) {
                        note(&mut all, phrase.clone(), id, 0.5);
                    }
                }
                (None, None) => {}
            }
        }
    }
    all.values_mut().for_each(|phrase| normalise(&mut phrase.sum));
    Ok(all.into_iter().collect())
}
