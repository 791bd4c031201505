//! The bilingual dictionaries and other sources of Czech, Polish and Slovak.

use super::super::{fetch::Cache, sources};
use super::project::{Material, Translation};
use super::readers;
use std::collections::HashMap;

const STOP_CS: &str = "a aby ale ani ano asi až bez být bude by byl byla bylo byli co což další do ho i já jak jako je \
    jeho jej její jejich jen jenž ještě ji jiný jsem jsi jsou jsme k kde kdo když ke který která které li má mezi mít mi \
    mne mu můj my na nad nebo není než ni nic o od on ona oni pak po pod podle pokud pro proto protože před přes při s se \
    si sice své svůj ta tak také takže tam te tedy ten tento to toho tom tomu tu ty u už v však ve více vy z za ze že \
    něco někdo nějaký kdo každý všechen druh způsob týkající";
const STOP_PL: &str = "a aby ale albo ani bardzo bez bo by być był była było były co czy dla do gdy gdzie go i ich ile im \
    inny iż ja jak jako je jego jej jest jeszcze jeśli już każdy kiedy kto który która które lub ma mieć mi może można na nad \
    nie nich niż no o od on ona oni oraz po pod przed przez przy również są się swój ta tak taki także tam te tego ten to \
    tu ty tylko tym u w we więc wszystko z za ze zob że żeby coś ktoś rodzaj sposób np";
const STOP_SK: &str = "a aby aj ak ako ale alebo ani áno asi až bez bol bola bolo boli by byť čo do ho i ich ja je jeho \
    jej k kde keď kto ktorý ktorá ktoré ku ma mať medzi mi na nad nie o od on ona oni po pod podľa pre pred pri s sa sme sú \
    svoj ta tak tam te tento ten to tu ty u už v vo však z za zo že";

/// Czech: the English–Czech dictionary, the thesaurus, the dictionary of foreign words.
pub fn czech(cache: &Cache) -> anyhow::Result<Material> {
    let folder = cache.get(&sources::ENG_CES)?.join("usr/share/dictd");
    let mut translations = Vec::new();
    for entry in readers::dictd(&folder, "freedict-eng-ces")? {
        let mut lines = entry.lines();
        let head = lines.next().unwrap_or("");
        let (english, tag) = match head.split_once(" <") {
            Some((e, t)) => (e.trim(), Some(t.trim_end_matches('>'))),
            None => (head.trim(), None),
        };
        for word in lines.flat_map(|body| body.split([',', ';'])) {
            let word = word.split(['(', '[']).next().unwrap_or("").trim();
            let word = word.strip_suffix(" se").or_else(|| word.strip_suffix(" si")).unwrap_or(word);
            translations.push(Translation {
                word: word.to_lowercase(),
                english: english.to_owned(),
                pos: tag.and_then(|t| part_of_speech(t.split(',').next().unwrap_or(""))),
            });
        }
    }
    let thesaurus = cache.get(&sources::MYTHES_CS)?.join("usr/share/mythes/th_cs_CZ_v2.dat");
    Ok(Material {
        code: "cs",
        translations,
        groups: readers::mythes(&thesaurus, false)?,
        definitions: foreign_words(cache)?,
        frequency_file: "large_cs.msgpack.gz",
        stop: STOP_CS,
        largest: 47_500,
        relative: HashMap::new(),
    })
}

fn part_of_speech(tag: &str) -> Option<char> {
    match tag.trim().to_lowercase().as_str() {
        "n" | "noun" => Some('n'),
        "v" | "verb" => Some('v'),
        "adj" | "adjective" => Some('a'),
        "adv" | "adverb" => Some('r'),
        _ => None,
    }
}

/// The StarDict dictionary of foreign words: index of zero-ended words with offset and length.
fn foreign_words(cache: &Cache) -> anyhow::Result<Vec<(String, String)>> {
    let folder = cache.get(&sources::CZECH_FOREIGN)?.join("usr/share/stardict/dic");
    let index = std::fs::read(folder.join("czech-cizi.idx"))?;
    let bodies = readers::gunzip(&folder.join("czech-cizi.dict.dz"))?;
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(end) = index[at..].iter().position(|&b| b == 0).map(|e| at + e) {
        let Some(numbers) = index.get(end + 1..end + 9) else { break };
        let number = |i: usize| u32::from_be_bytes(numbers[i..i + 4].try_into().expect("four bytes")) as usize;
        let (offset, length) = (number(0), number(4));
        let word = String::from_utf8_lossy(&index[at..end]).into_owned();
        if let Some(body) = bodies.get(offset..offset + length) {
            // the definition stands in <b>…</b>; pronunciation and field in other tags
            let body = String::from_utf8_lossy(body);
            let text: Vec<&str> =
                body.split("<b>").skip(1).map(|p| p.split("</b>").next().unwrap_or("").trim()).collect();
            out.push((word, text.join("; ")));
        }
        at = end + 9;
    }
    Ok(out)
}

/// Polish: the Polish–English dictionary with its definitions, the English–Polish one, the thesaurus.
pub fn polish(cache: &Cache) -> anyhow::Result<Material> {
    let path = cache.get(&sources::POL_ENG)?.join("usr/share/dictd/freedict-pol-eng.dict.dz");
    let text = String::from_utf8(readers::gunzip(&path)?)?;
    let (mut translations, mut definitions) = (Vec::new(), Vec::new());
    let (mut head, mut pos, mut fresh) = (String::new(), None, false);
    for line in text.lines() {
        if line.contains(" /") && line.ends_with('>') && !line.starts_with([' ', '(']) {
            head = line.split(" /").next().unwrap_or("").trim().to_lowercase();
            pos = line
                .rsplit('<')
                .next()
                .and_then(|t| part_of_speech(t.trim_end_matches('>').split(',').next().unwrap_or("")));
            fresh = true;
            continue;
        }
        let plain = line.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
        if head.is_empty() || plain.is_empty() {
            continue;
        }
        let numbered = line.starts_with(|c: char| c.is_ascii_digit());
        let looks_english = plain.is_ascii() && !plain.starts_with('(');
        if (fresh || numbered) && looks_english {
            for english in plain.split([',', ';']) {
                let english = english.split('(').next().unwrap_or("").trim();
                if !english.is_empty() {
                    translations.push(Translation { word: head.clone(), english: english.to_owned(), pos });
                }
            }
        } else {
            let text = strip_brackets(plain);
            if text.len() > 3 {
                definitions.push((head.clone(), text));
            }
        }
        fresh = false;
    }
    english_polish(cache, &mut translations)?;
    let thesaurus = cache.get(&sources::MYTHES_PL)?.join("usr/share/mythes/th_pl_PL_v2.dat");
    Ok(Material {
        code: "pl",
        translations,
        groups: readers::mythes(&thesaurus, true)?,
        definitions,
        frequency_file: "large_pl.msgpack.gz",
        stop: STOP_PL,
        largest: 38_000,
        relative: HashMap::new(),
    })
}

fn strip_brackets(text: &str) -> String {
    let mut depth = 0;
    let kept: String = text
        .chars()
        .filter(|&c| {
            depth += i32::from(c == '(');
            let keep = depth == 0;
            depth -= i32::from(c == ')' && depth > 0);
            keep
        })
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Entries `word /…/ <N>`, then numbered or plain lines of translations; `I.  <Adv> 1.  …` opens a
/// part of speech within an entry.
fn english_polish(cache: &Cache, translations: &mut Vec<Translation>) -> anyhow::Result<()> {
    let path = cache.get(&sources::ENG_POL)?.join("usr/share/dictd/freedict-eng-pol.dict.dz");
    let text = String::from_utf8(readers::gunzip(&path)?)?;
    let (mut english, mut pos) = (String::new(), None);
    for line in text.lines() {
        if !line.starts_with(' ') && line.contains(" /") {
            english = line.split(" /").next().unwrap_or("").trim().to_lowercase();
            pos = tag_of(line);
            continue;
        }
        if line.contains('<') {
            pos = tag_of(line);
        }
        let plain = strip_brackets(line.rsplit('>').next().unwrap_or(line));
        for word in plain.split([',', ';']) {
            let word = word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
            let word = word.strip_suffix(" się").unwrap_or(&word).to_owned();
            if !english.is_empty() && !word.is_empty() {
                translations.push(Translation { word, english: english.clone(), pos });
            }
        }
    }
    Ok(())
}

fn tag_of(line: &str) -> Option<char> {
    let tag = line.rsplit('<').next()?.split('>').next()?;
    part_of_speech(tag)
}

/// Slovak: the small dictionary, emoji names shared with English and Czech, the thesaurus, and
/// Czech words that are written alike.
pub fn slovak(cache: &Cache, czech: &HashMap<String, Vec<f32>>) -> anyhow::Result<Material> {
    let path = cache.get(&sources::SLK_ENG)?.join("usr/share/dictd/freedict-slk-eng.dict.dz");
    let text = String::from_utf8_lossy(&readers::gunzip(&path)?).into_owned();
    let mut translations = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2) {
        let head = pair[0].split([' ', '<', '/']).next().unwrap_or("").trim();
        if pair[0].starts_with(|c: char| c.is_alphabetic()) && !pair[1].is_empty() {
            for english in pair[1].split([',', ';']) {
                let english = english.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
                if english.is_ascii() && !english.is_empty() {
                    translations.push(Translation {
                        word: head.to_lowercase(),
                        english: english.to_owned(),
                        pos: None,
                    });
                }
            }
        }
    }
    // keywords of one emoji that are a single word in both languages are translations of one another
    let english: HashMap<String, Vec<String>> = readers::emoji(cache, "en")?.into_iter().collect();
    for (emoji, keywords) in readers::emoji(cache, "sk")? {
        let others = english.get(&emoji).map_or(&[][..], Vec::as_slice);
        for word in keywords.iter().filter(|k| !k.contains(' ')) {
            for other in others.iter().filter(|k| !k.contains(' ')) {
                translations.push(Translation { word: word.clone(), english: other.clone(), pos: None });
            }
        }
    }
    let thesaurus = cache.get(&sources::MYTHES_SK)?.join("usr/share/mythes/th_sk_SK_v2.dat");
    let groups = readers::mythes(&thesaurus, false)?;
    let frequency_file = "small_sk.msgpack.gz";
    let mut skeletons: HashMap<String, Vec<&str>> = HashMap::new();
    for word in czech.keys() {
        skeletons.entry(skeleton(word)).or_default().push(word);
    }
    let mut relative = HashMap::new();
    let frequent = readers::wordfreq(cache, frequency_file)?;
    let base: HashMap<String, String> =
        readers::simplemma(cache, "sk")?.into_iter().map(|(f, l)| (f.to_lowercase(), l.to_lowercase())).collect();
    let mut candidates: std::collections::BTreeSet<String> =
        frequent.keys().map(|w| base.get(w).cloned().unwrap_or_else(|| w.clone())).collect();
    candidates.extend(groups.iter().flatten().map(|w| w.to_lowercase()).filter(|w| !w.contains(' ')));
    candidates.extend(base.values().cloned());
    for word in candidates {
        let exact = czech.get(&word);
        let alike = skeletons.get(&skeleton(&word)).filter(|l| l.len() == 1).map(|l| &czech[l[0]]);
        if let Some(vector) = exact.or(alike) {
            relative.insert(word, vector.clone());
        }
    }
    Ok(Material {
        code: "sk",
        translations,
        groups,
        definitions: Vec::new(),
        frequency_file,
        stop: STOP_SK,
        largest: 14_000,
        relative,
    })
}

/// A spelling without what Czech and Slovak write differently: diacritics, infinitive endings,
/// diphthongs.
fn skeleton(word: &str) -> String {
    let plain: String = word
        .chars()
        .map(|c| match c {
            'á' | 'ä' => 'a',
            'č' => 'c',
            'ď' => 'd',
            'é' | 'ě' => 'e',
            'í' | 'ý' | 'y' => 'i',
            'ĺ' | 'ľ' => 'l',
            'ň' => 'n',
            'ó' => 'o',
            'ô' | 'ú' | 'ů' => 'u',
            'ŕ' | 'ř' => 'r',
            'š' => 's',
            'ť' => 't',
            'ž' => 'z',
            c => c,
        })
        .collect();
    plain.replace("ou", "u").replace("ie", "i").replace("ia", "a").replace("iu", "u").replace("dz", "z")
}
