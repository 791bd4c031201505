//! `cargo xtask data readings`: forms that can be read as forms of several words, with case and tense, as far as the
//! study's rules for ambiguous clues ask (Codenames, section 5.4.1).
//!
//! Polish comes from a real analyser (Morfeusz with its dictionary). For Czech and Slovak the registries have none: there
//! the spelling dictionaries say which forms a word has, and rules over endings which case or tense a form is.

mod czech;
mod slovak;

use super::fetch::Cache;
use super::lexicon::affix::AffixFile;
use super::semantics::{licences, readers};
use super::sources::{HUNSPELL_CS, HUNSPELL_SK, MORFEUSZ, PackageSource};
use anyhow::{Context, Result, ensure};
use semantics::Language;
use semantics::readings::{ReadingKind, Readings};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

pub fn run(root: &Path) -> Result<()> {
    let cache = Cache::new(root);
    let folder = root.join("data/readings");
    std::fs::create_dir_all(&folder)?;
    for code in ["cs", "pl", "sk"] {
        let language = Language::open(&root.join("data"), code).context("the packs of word meaning come first")?;
        let mut readings = match code {
            "cs" => hunspell(&cache, &HUNSPELL_CS, "cs_CZ", |line, form| czech::kind(line.0, line.1, form))?,
            "sk" => hunspell(&cache, &HUNSPELL_SK, "sk_SK", |line, form| slovak::kind(line.0, line.2, form))?,
            _ => polish(&cache)?,
        };
        // two readings at least that lead to different words of the vocabulary
        let known =
            |base: &str| language.find_form(base).map(|id| language.lemma(id)).filter(|&id| language.vectors().has(id));
        readings.retain(|_, all| {
            all.retain(|reading| known(&reading.base).is_some());
            all.iter().filter_map(|r| known(&r.base)).collect::<BTreeSet<_>>().len() > 1
        });
        std::fs::write(folder.join(format!("{code}.txt")), readings.to_text())?;
        eprintln!("{code}: {} ambiguous forms", readings.len());
    }
    licences::readings(&cache, root, &folder)?;
    // Morfeusz carries the notice of its dictionary inside the library
    let path = folder.join("pl.LICENCE");
    let notice = morfeusz(&cache, "import morfeusz2\nprint(morfeusz2.Morfeusz().dict_copyright())\n", String::new())?;
    Ok(std::fs::write(&path, readers::text(&path)? + &notice)?)
}

/// A dictionary line: word, flags and remarks; and a form of the word with the flag that made it.
type Line<'a> = (&'a str, &'a str, &'a str);

/// Unfolds a spelling dictionary; `kind` says what a form is, if it is one of the word.
fn hunspell(
    cache: &Cache,
    source: &PackageSource,
    name: &str,
    kind: impl Fn(Line<'_>, (Option<char>, &str)) -> Option<ReadingKind>,
) -> Result<Readings> {
    let folder = cache.get(source)?.join("usr/share/hunspell");
    let affixes = AffixFile::parse(&readers::text(&folder.join(format!("{name}.aff")))?)?;
    let mut readings = Readings::default();
    for line in readers::text(&folder.join(format!("{name}.dic")))?.lines().skip(1) {
        let (entry, remarks) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let (word, flags) = entry.split_once('/').unwrap_or((entry, ""));
        if word.is_empty() || !word.chars().all(|c| c.is_alphabetic() && c.is_lowercase()) {
            continue;
        }
        let line = (word, flags, remarks);
        let inflected = affixes.inflections(word, flags);
        for (flag, form) in inflected.iter().map(|(f, form)| (Some(*f), form.as_str())).chain([(None, word)]) {
            if let Some(kind) = kind(line, (flag, form)) {
                readings.add(form, word, kind);
            }
        }
    }
    Ok(readings)
}

/// What Morfeusz says of every word of the frequency list.
fn polish(cache: &Cache) -> Result<Readings> {
    let mut forms: Vec<String> = readers::wordfreq(cache, "large_pl.msgpack.gz")?.into_keys().collect();
    forms.retain(|form| form.chars().all(|c| c.is_alphabetic() && c.is_lowercase()));
    forms.sort();
    let script = "import sys, morfeusz2\n\
        m = morfeusz2.Morfeusz()\n\
        for line in open(0, encoding='utf-8'):\n    \
            form = line.strip()\n    \
            for _, _, (f, base, tag, _, _) in m.analyse(form):\n        \
                if f == form: print(form, base.split(':')[0], tag, sep='\\t')\n";
    let mut readings = Readings::default();
    for line in morfeusz(cache, script, forms.join("\n"))?.lines() {
        let mut fields = line.split('\t');
        if let (Some(form), Some(base), Some(tag)) = (fields.next(), fields.next(), fields.next())
            && base.chars().all(|c| c.is_alphabetic() && c.is_lowercase())
            && let Some(kind) = polish_kind(tag)
        {
            readings.add(form, base, kind);
        }
    }
    Ok(readings)
}

/// What a Python script with Morfeusz at hand makes of a text.
fn morfeusz(cache: &Cache, script: &str, text: String) -> Result<String> {
    let mut child = Command::new("python3")
        .args(["-X", "utf8", "-c", script])
        .env("PYTHONPATH", cache.get(&MORFEUSZ)?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start python3")?;
    let mut input = child.stdin.take().context("python3 has no input")?;
    let feeder = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "morfeusz2 ended with {}", output.status);
    feeder.join().map_err(|_| anyhow::anyhow!("the words could not be handed over"))??;
    Ok(String::from_utf8(output.stdout)?)
}

/// The kind of a tag of the national corpus: `subst:pl:nom.acc:f`, `fin:sg:ter:imperf`.
fn polish_kind(tag: &str) -> Option<ReadingKind> {
    let mut parts = tag.split(':');
    let class = parts.next()?;
    let case = |wanted: &str| tag.split(':').skip(1).any(|part| part.split('.').any(|value| value == wanted));
    match class {
        "subst" | "depr" | "adj" | "ger" | "num" | "ppron12" | "ppron3" | "ppas" | "pact" | "siebie" => {
            Some(if case("nom") { ReadingKind::FirstCase } else { ReadingKind::OtherCase })
        }
        "fin" | "praet" | "bedzie" | "winien" => Some(ReadingKind::Tense),
        "inf" | "impt" | "imps" | "pcon" | "pant" => Some(ReadingKind::Tenseless),
        "adv" | "interj" | "part" | "conj" | "comp" | "prep" | "pred" => Some(ReadingKind::Fixed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polish_tags_say_case_and_tense() {
        assert_eq!(polish_kind("subst:pl:nom.acc.voc:f"), Some(ReadingKind::FirstCase));
        assert_eq!(polish_kind("subst:sg:dat.loc:f"), Some(ReadingKind::OtherCase));
        assert_eq!(polish_kind("praet:sg:m1.m2.m3:imperf"), Some(ReadingKind::Tense));
        assert_eq!(polish_kind("impt:sg:sec:imperf"), Some(ReadingKind::Tenseless));
        assert_eq!(polish_kind("brev:pun"), None);
    }
}
