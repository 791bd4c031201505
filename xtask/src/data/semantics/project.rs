//! Languages without vectors of their own: words are placed into the English space through
//! bilingual dictionaries, thesauri, definitions and shared names.

use super::super::fetch::Cache;
use super::english::{English, set_lengths};
use super::readers;
use super::vocabulary::{Links, PackVocabulary};
use semantics::glosses::GlossEntry;
use semantics::lemmas::Lemmas;
use semantics::pack::{Lists, Writer};
use semantics::vectors::{cosine, normalise};
use semantics::{Glosses, Relation, Vectors, Vocabulary, WordFlags, ngrams};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// A word and one of its translations.
pub struct Translation {
    pub word: String,
    pub english: String,
    /// Part of speech the dictionary gives: n, v, a, r, or nothing.
    pub pos: Option<char>,
}

/// What is known of a language before it is projected.
pub struct Material {
    pub code: &'static str,
    pub translations: Vec<Translation>,
    /// Groups of the thesaurus, head first.
    pub groups: Vec<Vec<String>>,
    /// Definitions in the language itself.
    pub definitions: Vec<(String, String)>,
    pub frequency_file: &'static str,
    pub stop: &'static str,
    /// How many words the pack may hold.
    pub largest: usize,
    /// Vectors already known from a close relative, by the relative's spelling.
    pub relative: HashMap<String, Vec<f32>>,
}

/// The part of speech an ending suggests, in Czech, Polish and Slovak.
fn guess_pos(code: &str, word: &str) -> char {
    let ends = |list: &[&str]| list.iter().any(|e| word.ends_with(e) && word.chars().count() > e.chars().count() + 1);
    match code {
        "cs" if ends(&["at", "it", "et", "ět", "out", "ovat", "ít", "át", "ýt", "ci", "ést", "ést", "ýst"]) => {
            'v'
        }
        "cs" if ends(&["ý", "cí", "ní"]) && !ends(&["ání", "ení", "ění", "tí"]) => 'a',
        "pl" if ends(&["ać", "ić", "yć", "eć", "ąć", "uć", "ść", "źć", "ować"]) && !ends(&["ość"]) => 'v',
        "pl" if ends(&["ny", "ty", "ry", "ły", "wy", "cy", "ki", "gi", "ni", "zy", "my"]) => 'a',
        "sk" if ends(&["ať", "iť", "eť", "úť", "ieť", "ovať", "ýt"]) => 'v',
        "sk" if ends(&["ý", "cí"]) => 'a',
        _ => 'n',
    }
}

fn is_word(text: &str) -> bool {
    text.chars().count() > 1 && text.chars().all(char::is_alphabetic)
}

/// Which English words a word is placed by, and with what weight.
struct Placement {
    english: Vec<(u32, f32)>,
    vector: Vec<f32>,
}

/// Which parts of speech the dictionary gives each word, as the first letters of their names.
fn tags(m: &Material) -> HashMap<&str, BTreeSet<char>> {
    let mut tags: HashMap<&str, BTreeSet<char>> = HashMap::new();
    for t in &m.translations {
        tags.entry(&t.word).or_default().extend(t.pos);
    }
    tags
}

/// How much a translation says of where a word stands.
///
/// It says the more the fewer words share it (`keep` says little, `castle` much), the commoner it
/// is, and the more it is as common as the word itself: *jídlo* is food, not pabulum.
fn telling(fanout: usize, word_zipf: f32, english_zipf: Option<f32>) -> f32 {
    let (gap, common) = match english_zipf {
        Some(z) => ((word_zipf - z).abs() - 0.5, 10f32.powf(0.25 * (z - 4.0))),
        None => (0.5, 1.0),
    };
    (fanout as f32).powf(-0.6) * (-gap.max(0.0)).exp() * common
}

/// Places every word that has translations.
fn place(en: &English, m: &Material, zipf: &dyn Fn(&str) -> f32) -> BTreeMap<String, Placement> {
    let lemma =
        |english: &str| -> Option<u32> { en.vocabulary.id(&english.to_lowercase()).map(|id| en.vocabulary.lemma(id)) };
    let base = |english: &str| match lemma(english) {
        Some(id) => en.vocabulary.words[id as usize].0.clone(),
        None => english.to_lowercase(),
    };
    let mut fan: HashMap<String, BTreeSet<&str>> = HashMap::new();
    let mut own: HashMap<&str, BTreeSet<String>> = HashMap::new();
    for t in &m.translations {
        fan.entry(base(&t.english)).or_default().insert(&t.word);
        own.entry(&t.word).or_default().insert(t.english.to_lowercase());
    }
    let tags = tags(m);
    let mut by_word: BTreeMap<&str, BTreeMap<String, f32>> = BTreeMap::new();
    for t in m.translations.iter().filter(|t| is_word(&t.word)) {
        let given = &tags[t.word.as_str()];
        // nouns may end like verbs (*svět*, *úsvit*): the dictionary knows better than the ending
        let pos = match guess_pos(m.code, &t.word) {
            'v' if given.contains(&'n') && !given.contains(&'v') => 'n',
            pos => pos,
        };
        let agrees = match t.pos {
            Some(p) => p == pos || (p == 'r' && pos == 'n'),
            None => true,
        };
        if !agrees && (pos == 'v' || t.pos == Some('v')) {
            continue;
        }
        let base = base(&t.english);
        let english_zipf = lemma(&t.english).map(|id| en.zipf[id as usize]);
        let agreement = if agrees { 1.0 } else { 0.3 };
        let weight = telling(fan[&base].len(), zipf(&t.word), english_zipf) * agreement;
        // an inflected translation only where its base form is none (*streets*, but *glasses*)
        let english = if own[t.word.as_str()].contains(&base) { base } else { t.english.clone() };
        let kept = by_word.entry(&t.word).or_default().entry(english).or_default();
        *kept = kept.max(weight);
    }
    let mut out = BTreeMap::new();
    for (word, list) in by_word {
        let mut parts: Vec<EnglishText> = Vec::new();
        for (english, weight) in &list {
            let Some((ids, vector, quality)) = english_text(en, english) else { continue };
            parts.push((ids, vector, weight * quality));
        }
        if parts.is_empty() {
            continue;
        }
        // translations that agree with the rest count more
        for _ in 0..2 {
            let mut centre = vec![0f32; en.vectors[0].len()];
            for (_, v, w) in &parts {
                centre.iter_mut().zip(v).for_each(|(c, x)| *c += w * x);
            }
            for (_, v, w) in &mut parts {
                *w *= 0.35 + cosine(v, &centre).max(0.0);
            }
        }
        let total: f32 = parts.iter().map(|p| p.2).sum();
        let mut vector = vec![0f32; en.vectors[0].len()];
        let mut english: BTreeMap<u32, f32> = BTreeMap::new();
        for (ids, v, w) in &parts {
            vector.iter_mut().zip(v).for_each(|(c, x)| *c += w / total * x);
            for (id, share) in ids {
                *english.entry(*id).or_default() += w / total * share;
            }
        }
        normalise(&mut vector);
        let mut english: Vec<(u32, f32)> = english.into_iter().collect();
        english.sort_by(|a, b| b.1.total_cmp(&a.1));
        out.insert(word.to_owned(), Placement { english, vector });
    }
    out
}

/// English words with their shares, their vector, and how far to trust it.
type EnglishText = (Vec<(u32, f32)>, Vec<f32>, f32);

/// The English words of a translation with their shares, its vector, and how far to trust it:
/// phrases less than words, function words not at all.
fn english_text(en: &English, text: &str) -> Option<EnglishText> {
    let text = text.to_lowercase();
    let text = text.strip_prefix("to ").unwrap_or(&text);
    let ids: Vec<u32> = match en.vocabulary.id(text) {
        Some(id) => vec![id],
        None => en.vocabulary.content(text),
    };
    let ids: Vec<u32> = ids.into_iter().filter(|&id| en.vectors[id as usize].iter().any(|x| *x != 0.0)).collect();
    if ids.is_empty() || ids.len() > 6 {
        return None;
    }
    let rarity = |id: u32| (8.0 - en.zipf[id as usize]).max(0.5);
    let total: f32 = ids.iter().map(|&id| rarity(id)).sum();
    let mut vector = vec![0f32; en.vectors[0].len()];
    for &id in &ids {
        vector.iter_mut().zip(&en.vectors[id as usize]).for_each(|(v, x)| *v += rarity(id) / total * x);
    }
    normalise(&mut vector);
    let quality = if ids.len() == 1 { 1.0 } else { 0.4 };
    Some((ids.iter().map(|&id| (id, rarity(id) / total)).collect(), vector, quality))
}

/// Mean vector of the known ones among some words; nothing if none is known.
fn mean<'a>(known: &BTreeMap<String, Placement>, words: impl Iterator<Item = &'a str>) -> Option<Vec<f32>> {
    let mut sum: Option<Vec<f32>> = None;
    for word in words {
        if let Some(p) = known.get(word) {
            let sum = sum.get_or_insert_with(|| vec![0f32; p.vector.len()]);
            sum.iter_mut().zip(&p.vector).for_each(|(s, x)| *s += x);
        }
    }
    sum.map(|mut v| {
        normalise(&mut v);
        v
    })
}

/// Word forms of a language, their base forms and frequencies.
struct Forms {
    /// Zipf frequency of each form.
    surface: HashMap<String, f32>,
    /// Form and base form.
    pairs: Vec<(String, String)>,
    /// Base form of each form, in lower case.
    base: HashMap<String, String>,
    /// Uses per billion words. A base form counts all its forms.
    uses: HashMap<String, f64>,
}

impl Forms {
    fn read(cache: &Cache, m: &Material) -> anyhow::Result<Self> {
        let surface = readers::wordfreq(cache, m.frequency_file)?;
        let pairs = readers::simplemma(cache, m.code)?;
        let base: HashMap<String, String> = pairs.iter().map(|(f, l)| (f.to_lowercase(), l.to_lowercase())).collect();
        let mut uses: HashMap<String, f64> = HashMap::new();
        for (form, z) in &surface {
            let lemma = base.get(form).unwrap_or(form);
            let n = 10f64.powf(f64::from(*z));
            *uses.entry(lemma.clone()).or_default() += n;
            if lemma != form {
                *uses.entry(form.clone()).or_default() += n;
            }
        }
        Ok(Self { surface, pairs, base, uses })
    }

    fn zipf(&self, word: &str) -> f32 {
        self.uses.get(word).map_or(0.0, |n| n.log10() as f32)
    }

    fn is_inflected(&self, word: &str) -> bool {
        self.base.get(word).is_some_and(|lemma| lemma != word)
    }
}

/// Number of words placed by each method, for the summary.
struct Origins {
    dictionary: usize,
    shared: usize,
    thesaurus: usize,
    definitions: usize,
    family: usize,
}

/// Places every word that some source knows. Also returns the words placed by their family alone.
fn place_all(en: &English, m: &Material, forms: &Forms) -> (BTreeMap<String, Placement>, HashSet<String>, Origins) {
    let zipf = |w: &str| forms.zipf(w);
    let mut known = place(en, m, &zipf);
    let dictionary = known.len();
    for (word, vector) in &m.relative {
        if is_word(word) && !known.contains_key(word) {
            known.insert(word.clone(), Placement { english: Vec::new(), vector: vector.clone() });
        }
    }
    add_shared(&mut known, en, forms);
    let shared = known.len() - dictionary;
    let (thesaurus, definitions) = add_described(&mut known, m, forms);
    let related = related(&known, m, forms);
    let family = related.len();
    let by_family = related.iter().map(|(word, _)| word.clone()).collect();
    for (word, vector) in related {
        known.insert(word, Placement { english: Vec::new(), vector });
    }
    (known, by_family, Origins { dictionary, shared, thesaurus, definitions, family })
}

/// Names, and words spelled as in English and about as common there (*precedent*, *FBI*).
fn add_shared(known: &mut BTreeMap<String, Placement>, en: &English, forms: &Forms) {
    let bases: HashSet<String> = forms.pairs.iter().map(|(_, l)| l.to_lowercase()).collect();
    for word in forms.surface.keys().filter(|w| is_word(w)) {
        if known.contains_key(word) || forms.is_inflected(word) {
            continue;
        }
        let Some(id) = en.vocabulary.id(word) else { continue };
        let flags = en.vocabulary.words[id as usize].1;
        let gap = (forms.zipf(word) - en.zipf[id as usize]).abs();
        let letters = word.chars().count();
        let loan = letters > 3 && bases.contains(word) && gap < 1.5 || letters > 5 && forms.base.contains_key(word);
        let as_common = letters > 2 && gap < 0.4 && forms.zipf(word) >= 3.0;
        if flags.has(WordFlags::NAME) || (!flags.has(WordFlags::STOP) && (loan || as_common)) {
            let vector = en.vectors[id as usize].clone();
            known.insert(word.clone(), Placement { english: vec![(id, 1.0)], vector });
        }
    }
}

/// Words that only the thesaurus or a definition knows: the mean of their synonyms or of the defining words. Returns the
/// numbers of both.
fn add_described(known: &mut BTreeMap<String, Placement>, m: &Material, forms: &Forms) -> (usize, usize) {
    let mut added = Vec::new();
    let mut groups_of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for group in &m.groups {
        for word in group {
            groups_of.entry(word).or_default().extend(group.iter().filter(|w| *w != word).map(String::as_str));
        }
    }
    for (word, others) in &groups_of {
        let word = word.to_lowercase();
        if is_word(&word)
            && !known.contains_key(&word)
            && let Some(vector) = mean(known, others.iter().copied())
        {
            added.push((word, vector));
        }
    }
    let thesaurus = added.len();
    for (word, text) in &m.definitions {
        let word = word.to_lowercase();
        if is_word(&word) && !known.contains_key(&word) && !groups_of.contains_key(word.as_str()) {
            let tokens: Vec<String> = semantics::tokens::words_of(text)
                .map(|t| if known.contains_key(&t) { t } else { forms.base.get(&t).cloned().unwrap_or(t) })
                .filter(|t| t.chars().count() > 3)
                .collect();
            if let Some(vector) = mean(known, tokens.iter().map(String::as_str)) {
                added.push((word, vector));
            }
        }
    }
    let definitions = added.len() - thesaurus;
    for (word, vector) in added {
        known.entry(word).or_insert(Placement { english: Vec::new(), vector });
    }
    (thesaurus, definitions)
}

/// Frequent unknown words with the mean vector of the known words of the same stem.
fn related(known: &BTreeMap<String, Placement>, m: &Material, forms: &Forms) -> Vec<(String, Vec<f32>)> {
    let stem = |word: &str| semantics::lemmas::stem(m.code, word).into_owned();
    let mut family: HashMap<String, Vec<&str>> = HashMap::new();
    for word in known.keys() {
        family.entry(stem(word)).or_default().push(word);
    }
    let lemmas: BTreeSet<&String> = forms.uses.keys().filter(|w| forms.zipf(w) >= 3.0 && is_word(w)).collect();
    let mut related = Vec::new();
    for word in lemmas {
        if known.contains_key(word) || forms.is_inflected(word) {
            continue;
        }
        let stem = stem(word);
        if stem.chars().count() >= 4
            && let Some(list) = family.get(&stem)
            && let Some(vector) = mean(known, list.iter().copied())
        {
            related.push((word.clone(), vector));
        }
    }
    related
}

/// The words of the pack: base forms, most frequent first.
fn choose_words(
    known: &BTreeMap<String, Placement>,
    by_family: &HashSet<String>,
    m: &Material,
    forms: &Forms,
) -> Vec<(String, f32)> {
    let covered =
        |w: &str| forms.base.get(w).is_some_and(|l| l != w && known.contains_key(l) && forms.zipf(l) > forms.zipf(w));
    let mut chosen: Vec<(String, f32)> =
        known.keys().filter(|w| !covered(w)).map(|w| (w.clone(), forms.zipf(w))).collect();
    chosen.retain(|(w, z)| *z > 0.0 || (!by_family.contains(w) && m.code != "sk" && !known[w].english.is_empty()));
    chosen.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    chosen.truncate(m.largest);
    chosen
}

fn flags(word: &str, placement: &Placement, en: &English, m: &Material, stop: &HashSet<&str>) -> WordFlags {
    let mut f = match guess_pos(m.code, word) {
        'v' => WordFlags::VERB,
        'a' => WordFlags::ADJECTIVE,
        _ => WordFlags::NOUN,
    };
    if stop.contains(word) {
        f |= WordFlags::STOP;
    }
    let is_name = |id: u32| en.vocabulary.words[id as usize].1.has(WordFlags::NAME);
    if placement.english.first().is_some_and(|&(id, share)| share > 0.5 && is_name(id)) {
        f |= WordFlags::NAME;
    }
    if placement.english.is_empty() {
        f |= WordFlags::DERIVED;
    }
    WordFlags(f)
}

/// Links of the thesaurus, and English links between translations.
fn links(vocabulary: &PackVocabulary, m: &Material, english: &[Vec<(u32, f32)>], out: &Path) -> anyhow::Result<Links> {
    let mut links = Links::new(vocabulary.len());
    for group in &m.groups {
        let Some(head) = vocabulary.id(&group[0].to_lowercase()) else { continue };
        for word in &group[1..] {
            if let Some(id) = vocabulary.id(&word.to_lowercase()) {
                links.add(head, Relation::Thesaurus, id);
            }
        }
    }
    let main: Vec<Vec<(u32, f32)>> =
        english.iter().map(|list| list.iter().copied().filter(|e| e.1 >= 0.2).take(3).collect()).collect();
    let mut back: HashMap<u32, Vec<u32>> = HashMap::new();
    for (id, list) in main.iter().enumerate() {
        for &(e, _) in list.iter().filter(|e| e.1 >= 0.3) {
            back.entry(e).or_default().push(id as u32);
        }
    }
    back.values_mut().for_each(|list| list.truncate(4));
    let translated = |e: u32| back.get(&e).map_or(&[][..], Vec::as_slice);
    let pack = semantics::Language::open(out.parent().unwrap_or(out), "en")?;
    for (id, list) in main.iter().enumerate().take(15_000) {
        for &(e, _) in list {
            for kind in Relation::ALL {
                use Relation::{Emoji, PhraseBefore, PhraseNext, Related, Thesaurus};
                if matches!(kind, Thesaurus | Related | PhraseNext | PhraseBefore | Emoji) {
                    continue;
                }
                for other in pack.relations().of(semantics::WordId(e), kind).take(25) {
                    translated(other.0).iter().for_each(|&to| links.add(id as u32, kind, to));
                }
            }
            translated(e).iter().for_each(|&same| links.add(id as u32, Relation::Synonym, same));
        }
    }
    Ok(links)
}

/// Builds and writes the packs of a language. Returns its vectors by word, for closely related languages.
pub fn build(cache: &Cache, out: &Path, en: &English, m: &Material) -> anyhow::Result<HashMap<String, Vec<f32>>> {
    let forms = Forms::read(cache, m)?;
    let (known, by_family, origins) = place_all(en, m, &forms);
    let chosen = choose_words(&known, &by_family, m, &forms);
    let stop: HashSet<&str> = m.stop.split_whitespace().collect();
    let flagged = chosen.iter().map(|(w, _)| (w.clone(), flags(w, &known[w], en, m, &stop))).collect();
    let mut vocabulary = PackVocabulary::new(flagged);
    let is_frequent = |form: &str| forms.surface.contains_key(&form.to_lowercase()) || m.code != "pl";
    let frequent: Vec<(String, String)> = forms.pairs.iter().filter(|(f, _)| is_frequent(f)).cloned().collect();
    let (lemma_table, lemma_forms) = vocabulary.set_lemmas(&frequent);
    let n = vocabulary.len();
    let vectors: Vec<Vec<f32>> = chosen.iter().map(|(w, _)| known[w].vector.clone()).collect();
    let english: Vec<Vec<(u32, f32)>> = chosen.iter().map(|(w, _)| known[w].english.clone()).collect();
    let links = links(&vocabulary, m, &english, out)?;
    let (definitions, definitions_of) = glosses(&vocabulary, m, &vectors);

    let mut w = Writer::new();
    Vocabulary::write(&mut w, &vocabulary.words);
    Vectors::write(&mut w, en.vectors[0].len(), &vectors, &[]);
    links.write(&mut w);
    if !definitions.is_empty() {
        Glosses::write(&mut w, &definitions, &definitions_of, true);
    }
    write_pivots(&mut w, &english, en);
    let sample: Vec<(String, Vec<f32>)> =
        chosen.iter().zip(&vectors).take(40_000).map(|((w, _), v)| (w.clone(), v.clone())).collect();
    ngrams::NGrams::write(&mut w, en.vectors[0].len(), &ngrams::fit(&sample, en.vectors[0].len(), 1 << 12, 6));
    w.write(&out.join(format!("{}.gpl.pack", m.code)))?;

    let fingerprint = vocabulary.fingerprint();
    let mut w = Writer::new();
    w.add("words.fingerprint", &[fingerprint]);
    let mut emoji = Links::new(n);
    for (_, keywords) in readers::emoji(cache, m.code)? {
        let ids: Vec<u32> = keywords.iter().flat_map(|k| vocabulary.content(k)).collect();
        for (i, &a) in ids.iter().enumerate().filter(|_| ids.len() <= 20) {
            ids[..i].iter().for_each(|&b| emoji.add(a, Relation::Emoji, b));
        }
    }
    emoji.write(&mut w);
    w.write(&out.join(format!("{}.permissive.pack", m.code)))?;
    super::write_frequencies(&out.join(format!("{}.by-sa.pack", m.code)), fingerprint, chosen.iter().map(|c| c.1))?;
    let mut w = Writer::new();
    w.add("words.fingerprint", &[fingerprint]);
    Lemmas::write(&mut w, &lemma_table, &lemma_forms);
    w.write(&out.join(format!("{}.odbl.pack", m.code)))?;
    let lemmas = vocabulary.words.iter().filter(|w| w.1.has(WordFlags::LEMMA)).count();
    println!(
        "{}: {n} words, {lemmas} lemmas: {} by dictionary, {} shared or borrowed, {} by thesaurus, {} by definition, {} \
         by family; {}; {} glosses",
        m.code,
        origins.dictionary,
        origins.shared,
        origins.thesaurus,
        origins.definitions,
        origins.family,
        links.summary(),
        definitions.len()
    );
    Ok(chosen.into_iter().zip(vectors).map(|((w, _), v)| (w, v)).collect())
}

/// Writes the English translations of each word with their shares.
fn write_pivots(w: &mut Writer, english: &[Vec<(u32, f32)>], en: &English) {
    let kept: Vec<Vec<(u32, f32)>> =
        english.iter().map(|list| list.iter().copied().filter(|e| e.1 >= 0.1).take(4).collect()).collect();
    let ids: Vec<Vec<u32>> = kept.iter().map(|l| l.iter().map(|e| e.0).collect()).collect();
    Lists::write(w, "pivot", ids.iter().map(Vec::as_slice));
    w.add("pivot.shares", &kept.iter().flatten().map(|e| (e.1 * 255.0).round().min(255.0) as u8).collect::<Vec<u8>>());
    w.add("pivot.fingerprint", &[en.vocabulary.fingerprint()]);
}

fn glosses(vocabulary: &PackVocabulary, m: &Material, vectors: &[Vec<f32>]) -> (Vec<GlossEntry>, Vec<Vec<u32>>) {
    let mut entries = Vec::new();
    let mut of = vec![Vec::new(); vocabulary.len()];
    for (word, text) in &m.definitions {
        let Some(id) = vocabulary.id(&word.to_lowercase()) else { continue };
        let mut tokens = vocabulary.content(text);
        tokens.retain(|&t| t != id);
        tokens.truncate(40);
        if tokens.is_empty() {
            continue;
        }
        of[id as usize].push(entries.len() as u32);
        let defining = tokens.len() as u8;
        let text = text.chars().take(160).collect();
        entries.push(GlossEntry { words: vec![id], tokens, defining, vector_length: 0.0, text });
    }
    set_lengths(&mut entries, vectors, vocabulary.len());
    (entries, of)
}
