//! WordNet's database files: synsets with glosses, pointers, and how common each sense is.

use anyhow::Context;
use semantics::Relation;
use std::collections::HashMap;
use std::path::Path;

/// One meaning.
pub struct Synset {
    /// Words and phrases, as written (underscores as spaces).
    pub words: Vec<String>,
    /// The definition.
    pub definition: String,
    /// Sentences and phrases that show its use.
    pub examples: Vec<String>,
    /// Links: kind, number of the other synset, which word here and there (0: all).
    pub links: Vec<(Relation, usize, usize, usize)>,
    /// Part of speech: n, v, a, r.
    pub pos: char,
    /// A single thing with a name (links to its kind by `@i`).
    pub instance: bool,
}

/// The whole database.
pub struct WordNet {
    pub synsets: Vec<Synset>,
    /// Senses of every lower-case word or phrase, commonest first.
    pub senses: HashMap<String, Vec<usize>>,
}

const FILES: [(&str, char); 4] = [("noun", 'n'), ("verb", 'v'), ("adj", 'a'), ("adv", 'r')];

fn relation(symbol: &str) -> Option<Relation> {
    Some(match symbol {
        "@" | "@i" => Relation::Hypernym,
        "~" | "~i" => Relation::Hyponym,
        "!" => Relation::Antonym,
        "+" | "\\" | "<" => Relation::Derived,
        s if s.starts_with('%') => Relation::Part,
        s if s.starts_with('#') => Relation::Whole,
        _ => Relation::Related,
    })
}

/// Reads the database from the folder with `data.noun` and the rest.
pub fn read(folder: &Path) -> anyhow::Result<WordNet> {
    let mut synsets = Vec::new();
    let mut by_offset: HashMap<(char, u32), usize> = HashMap::new();
    let mut raw_links = Vec::new();
    for (file, pos) in FILES {
        let text = super::readers::text(&folder.join(format!("data.{file}")))?;
        for line in text.lines().filter(|l| !l.starts_with(' ')) {
            let (head, gloss) = line.split_once('|').context("a WordNet line has no gloss")?;
            let mut fields = head.split_whitespace();
            let offset: u32 = fields.next().context("empty line")?.parse()?;
            let count = usize::from_str_radix(fields.nth(2).context("no word count")?, 16)?;
            let mut words = Vec::with_capacity(count);
            for _ in 0..count {
                let word = fields.next().context("too few words")?;
                words.push(word.split('(').next().unwrap_or(word).replace('_', " "));
                fields.next();
            }
            let pointers: usize = fields.next().context("no pointer count")?.parse()?;
            let (mut links, mut instance) = (Vec::new(), false);
            for _ in 0..pointers {
                let symbol = fields.next().context("pointer cut short")?;
                let target: u32 = fields.next().context("pointer cut short")?.parse()?;
                let target_pos = fields.next().and_then(|p| p.chars().next()).context("pointer cut short")?;
                let ends = fields.next().context("pointer cut short")?;
                let (from, to) = (usize::from_str_radix(&ends[..2], 16)?, usize::from_str_radix(&ends[2..], 16)?);
                instance |= symbol == "@i";
                if let Some(kind) = relation(symbol) {
                    links.push((kind, target_pos, target, from, to));
                }
            }
            let mut parts = gloss.split(';').map(str::trim);
            let mut definition = parts.next().unwrap_or("").to_owned();
            let mut examples = Vec::new();
            for part in parts {
                if part.starts_with('"') || !examples.is_empty() {
                    examples.push(part.trim_matches('"').to_owned());
                } else {
                    definition.push_str("; ");
                    definition.push_str(part);
                }
            }
            by_offset.insert((pos, offset), synsets.len());
            raw_links.push(links);
            synsets.push(Synset { words, definition, examples, links: Vec::new(), pos, instance });
        }
    }
    for (i, links) in raw_links.into_iter().enumerate() {
        for (kind, pos, offset, from, to) in links {
            let pos = if pos == 's' { 'a' } else { pos };
            let target = *by_offset.get(&(pos, offset)).context("a WordNet pointer leads nowhere")?;
            synsets[i].links.push((kind, target, from, to));
        }
    }
    let counts = sense_counts(folder)?;
    let mut senses: HashMap<String, Vec<(i64, usize, usize)>> = HashMap::new();
    for (file, pos) in FILES {
        let text = super::readers::text(&folder.join(format!("index.{file}")))?;
        for line in text.lines().filter(|l| !l.starts_with(' ')) {
            let mut fields = line.split_whitespace();
            let lemma = fields.next().context("empty index line")?.to_owned();
            let kinds: usize = fields.nth(2).context("no pointer count")?.parse()?;
            let offsets = fields.skip(kinds + 2);
            for (number, offset) in offsets.enumerate() {
                let id = by_offset[&(pos, offset.parse::<u32>()?)];
                let uses = counts.get(&(lemma.clone(), pos, number + 1)).copied().unwrap_or(0);
                senses.entry(lemma.replace('_', " ")).or_default().push((-uses, number, id));
            }
        }
    }
    let senses = senses
        .into_iter()
        .map(|(word, mut list)| {
            list.sort_unstable();
            (word, list.into_iter().map(|s| s.2).collect())
        })
        .collect();
    Ok(WordNet { synsets, senses })
}

fn sense_counts(folder: &Path) -> anyhow::Result<HashMap<(String, char, usize), i64>> {
    let text = super::readers::text(&folder.join("cntlist.rev"))?;
    let mut counts = HashMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [key, number, count] = fields[..] else { continue };
        let Some((lemma, rest)) = key.split_once('%') else { continue };
        let pos = match rest.as_bytes().first() {
            Some(b'1') => 'n',
            Some(b'2') => 'v',
            Some(b'4') => 'r',
            _ => 'a',
        };
        counts.insert((lemma.to_owned(), pos, number.parse()?), count.parse()?);
    }
    Ok(counts)
}
