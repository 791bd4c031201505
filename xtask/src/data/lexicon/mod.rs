//! `cargo xtask data lexicon`: Scrabble lexicons and word frequencies for four languages.

pub mod affix;
mod frequency;

use super::fetch::Cache;
use super::sources::{HUNSPELL_CS, HUNSPELL_SK, PackageSource, WAMERICAN_HUGE, WORDFREQ, WPOLISH};
use affix::{AffixFile, Form};
use anyhow::{Context, Result};
use lexicon::{Alphabet, Lexicon, LexiconBuilder};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

#[derive(clap::Args)]
pub struct Args {
    /// Only these languages
    #[arg(long, value_delimiter = ',', default_values_t = ["en".to_owned(), "cs".to_owned(), "pl".to_owned(), "sk".to_owned()])]
    languages: Vec<String>,
}

/// The longest word that fits a board.
const LONGEST: usize = 15;

/// Words of a frequency list that are kept per language.
const FREQUENT: usize = 40_000;

pub fn run(args: Args, root: &Path) -> Result<()> {
    let cache = Cache::new(root);
    let folder = root.join("data/lexicon");
    std::fs::create_dir_all(&folder)?;
    for code in &args.languages {
        let (source, words) = match code.as_str() {
            "en" => (WAMERICAN_HUGE, english(&cache)?),
            "cs" => (HUNSPELL_CS, czech(&cache)?),
            "pl" => (WPOLISH, polish(&cache)?),
            "sk" => (HUNSPELL_SK, slovak(&cache)?),
            other => anyhow::bail!("no lexicon for {other:?}: en, cs, pl, sk"),
        };
        let mut builder = LexiconBuilder::new(Alphabet::shipped(code)?).max_length(LONGEST);
        words.iter().for_each(|word| builder.add_text(word));
        let lexicon = builder.build()?;
        let bytes = lexicon.save(&folder.join(format!("{code}.lex")))?;
        std::fs::write(folder.join(format!("{code}.LICENCE")), licence(&cache, &source)?)?;
        let frequent = frequencies(&cache, code, &lexicon, &folder)?;
        eprintln!("{code}: {} words, {bytes} bytes, {frequent} frequencies", lexicon.word_count());
    }
    let text = "Word frequencies (*.freq) are selected from PyPI wordfreq 3.1.1 by Robyn Speer, CC BY-SA 4.0\n\
        (https://creativecommons.org/licenses/by-sa/4.0/); they keep that licence.\n";
    std::fs::write(folder.join("frequencies.LICENCE"), text)?;
    write_sources(root)
}

fn lines(text: &str) -> HashSet<&str> {
    text.lines().filter(|l| !l.starts_with('#')).flat_map(str::split_whitespace).collect()
}

fn english(cache: &Cache) -> Result<Vec<String>> {
    let path = cache.get(&WAMERICAN_HUGE)?.join("usr/share/dict/american-english-huge");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let short = lines(include_str!("short-en.txt"));
    let deny = lines(include_str!("deny-en.txt"));
    let keep = |word: &&str| {
        let plain = word.bytes().all(|b| b.is_ascii_lowercase());
        let vowel = word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        plain && !deny.contains(word) && (short.contains(word) || (word.len() > 2 && vowel))
    };
    Ok(text.lines().filter(keep).map(str::to_owned).collect())
}

/// Unfolds a hunspell dictionary; roots with capitals, digits or dots are names, units and abbreviations.
fn hunspell(cache: &Cache, source: &PackageSource, name: &str, keep: impl Fn(&Form) -> bool) -> Result<Vec<String>> {
    let folder = cache.get(source)?.join("usr/share/hunspell");
    let read = |ending: &str| {
        let path = folder.join(format!("{name}.{ending}"));
        std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))
    };
    let affixes = AffixFile::parse(&read("aff")?)?;
    let mut words = Vec::new();
    let mut forms = Vec::new();
    for line in read("dic")?.lines().skip(1) {
        let entry = line.split(['\t', ' ']).next().unwrap_or("");
        let (stem, flags) = entry.split_once('/').unwrap_or((entry, ""));
        // q marks words that must not be written
        if stem.is_empty() || flags.contains('q') || !stem.chars().all(|c| c.is_alphabetic() && c.is_lowercase()) {
            continue;
        }
        forms.clear();
        affixes.forms(stem, flags, &mut forms);
        words.extend(forms.drain(..).filter(&keep).map(|form| form.text));
    }
    Ok(words)
}

/// Whether a Slavic word can be spoken: a vowel, or an r or l between other letters.
fn speakable(word: &str) -> bool {
    word.contains(|c| "aáäeéěiíoóôuúůyý".contains(c))
        || (word.chars().count() > 2 && word.contains(['r', 'l', 'ŕ', 'ĺ']))
}

fn czech(cache: &Cache) -> Result<Vec<String>> {
    let short = lines(include_str!("short-cs.txt"));
    hunspell(cache, &HUNSPELL_CS, "cs_CZ", |form| {
        let length = form.text.chars().count();
        length <= LONGEST
            && (short.contains(form.text.as_str())
                || (speakable(&form.text) && (length > 3 || (form.inflected && length > 1))))
    })
}

fn slovak(cache: &Cache) -> Result<Vec<String>> {
    let short = lines(include_str!("short-sk.txt"));
    let deny = lines(include_str!("deny-sk.txt"));
    hunspell(cache, &HUNSPELL_SK, "sk_SK", |form| {
        let length = form.text.chars().count();
        length <= LONGEST
            && !deny.contains(form.text.as_str())
            && (short.contains(form.text.as_str()) || (speakable(&form.text) && (length > 2 || form.inflected)))
    })
}

fn polish(cache: &Cache) -> Result<Vec<String>> {
    let path = cache.get(&WPOLISH)?.join("usr/share/dict/polish");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let short = lines(include_str!("short-pl.txt"));
    let keep = |word: &&str| {
        let length = word.chars().count();
        let vowel = word.contains(|c| "aąeęioóuy".contains(c));
        let spoken = short.contains(word) || (length > 2 && vowel);
        spoken && length <= LONGEST && word.chars().all(char::is_lowercase)
    };
    Ok(text.lines().filter(keep).map(str::to_owned).collect())
}

/// The package's own copyright file.
fn licence(cache: &Cache, source: &PackageSource) -> Result<String> {
    let path = cache.get(source)?.join("usr/share/doc").join(source.package).join("copyright");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let head = format!(
        "The words of this lexicon come from the Debian package {} {}: {}.\nThe lexicon keeps that licence. \
         The package's copyright file follows.\n\n",
        source.package, source.version, source.licence
    );
    Ok(head + &text)
}

/// Writes the most frequent words of the lexicon with their Zipf values.
fn frequencies(cache: &Cache, code: &str, lexicon: &Lexicon, folder: &Path) -> Result<usize> {
    let data = cache.get(&WORDFREQ)?.join("wordfreq/data");
    let large = data.join(format!("large_{code}.msgpack.gz"));
    let path = if large.exists() { large } else { data.join(format!("small_{code}.msgpack.gz")) };
    let mut out = String::from("# word, Zipf value; from wordfreq 3.1.1, CC BY-SA 4.0\n");
    let words = frequency::read(&path)?;
    let known = words.iter().filter(|(word, _)| lexicon.contains_text(word)).take(FREQUENT);
    let mut count = 0;
    for (word, zipf) in known {
        writeln!(out, "{word}\t{zipf:.2}")?;
        count += 1;
    }
    std::fs::write(folder.join(format!("{code}.freq")), out)?;
    Ok(count)
}

/// Replaces this group's part of data/SOURCES.md.
fn write_sources(root: &Path) -> Result<()> {
    const BEGIN: &str = "<!-- lexicon: written by cargo xtask data lexicon -->\n";
    const END: &str = "<!-- end of lexicon -->\n";
    let mut part = String::from(BEGIN);
    part += "## data/lexicon\n\n| file | package | version | licence | used for |\n|---|---|---|---|---|\n";
    let rows = [
        ("en.lex", WAMERICAN_HUGE),
        ("cs.lex", HUNSPELL_CS),
        ("pl.lex", WPOLISH),
        ("sk.lex", HUNSPELL_SK),
        ("*.freq", WORDFREQ),
    ];
    for (file, s) in rows {
        let registry = s.registry.name();
        writeln!(part, "| {file} | {registry} {} | {} | {} | {} |", s.package, s.version, s.licence, s.used_for)?;
    }
    part += "| *.leaves, *.outlook, *.winprob, *.weights | learned here by self-play (`parlour scrabble leaves`, `outlook`, `chances`, `evolve`) | | MIT OR Apache-2.0 | \
        what tiles are worth keeping, chances to win, the weighted player |\n\n";
    part += END;
    let path = root.join("data/SOURCES.md");
    let old = std::fs::read_to_string(&path).unwrap_or_else(|_| "# Where the data comes from\n\n".to_owned());
    let new = match (old.find(BEGIN), old.find(END)) {
        (Some(from), Some(to)) => format!("{}{part}{}", &old[..from], &old[to + END.len()..]),
        _ => old + &part,
    };
    std::fs::write(&path, new)?;
    Ok(())
}
