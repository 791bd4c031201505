//! Readers of the packages' own formats.

use super::super::fetch::Cache;
use super::super::sources;
use anyhow::{Context, bail, ensure};
use flate2::read::MultiGzDecoder;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::process::Command;

/// Reads a file as text in UTF-8.
pub fn text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(std::fs::read(path).with_context(|| path.display().to_string())?)
        .with_context(|| format!("{}: not UTF-8", path.display()))
}

/// Reads a gzipped file (dictzip is gzip with an index in its header).
pub fn gunzip(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    let mut out = Vec::new();
    MultiGzDecoder::new(file).read_to_end(&mut out).with_context(|| path.display().to_string())?;
    Ok(out)
}

/// Entries of a dictd dictionary, each once, in the order of the file: the index gives for every
/// headword the place and length of its entry, as numbers to the base 64.
pub fn dictd(folder: &Path, name: &str) -> anyhow::Result<Vec<String>> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let number = |text: &str| text.chars().try_fold(0usize, |n, c| Some(n * 64 + DIGITS.find(c)?));
    let bodies = gunzip(&folder.join(format!("{name}.dict.dz")))?;
    let index = text(&folder.join(format!("{name}.index")))?;
    let mut places = std::collections::BTreeSet::new();
    for line in index.lines().filter(|l| !l.starts_with("00")) {
        let fields: Vec<&str> = line.split('\t').collect();
        if let [_, offset, length] = fields[..] {
            places.extend(number(offset).zip(number(length)));
        }
    }
    let entries = places.iter().filter_map(|&(offset, length)| bodies.get(offset..offset + length));
    Ok(entries.map(|b| String::from_utf8_lossy(b).into_owned()).collect())
}

/// Zipf frequencies of all words of a language from wordfreq's list: arrays of words, one array per
/// hundredth of a Bel below certainty, in MessagePack after a small header.
pub fn wordfreq(cache: &Cache, file: &str) -> anyhow::Result<HashMap<String, f32>> {
    let path = cache.get(&sources::WORDFREQ)?.join("wordfreq/data").join(file);
    let bytes = gunzip(&path)?;
    let mut at = 0;
    let buckets = array(&bytes, &mut at).with_context(|| path.display().to_string())?;
    let mut out = HashMap::new();
    for centibel in 0..buckets {
        if bytes[at] & 0xf0 == 0x80 {
            for _ in 0..2 * (bytes[at] & 0x0f) as usize {
                at += 1;
                if bytes[at] & 0xe0 == 0xa0 {
                    at += (bytes[at] & 0x1f) as usize;
                }
            }
            at += 1;
            continue;
        }
        let words = array(&bytes, &mut at)?;
        for _ in 0..words {
            let word = string(&bytes, &mut at)?;
            // the first entry is the header, so bucket n holds words of −(n − 1) centibels
            out.insert(word.to_owned(), 9.0 - (centibel as f32 - 1.0) / 100.0);
        }
    }
    ensure!(out.len() > 1000, "{}: only {} words", path.display(), out.len());
    Ok(out)
}

fn take<'a>(bytes: &'a [u8], at: &mut usize, n: usize) -> anyhow::Result<&'a [u8]> {
    let slice = bytes.get(*at..*at + n).context("the list ends early")?;
    *at += n;
    Ok(slice)
}

fn array(bytes: &[u8], at: &mut usize) -> anyhow::Result<usize> {
    Ok(match take(bytes, at, 1)?[0] {
        tag if tag & 0xf0 == 0x90 => (tag & 0x0f) as usize,
        0xdc => u16::from_be_bytes(take(bytes, at, 2)?.try_into()?) as usize,
        0xdd => u32::from_be_bytes(take(bytes, at, 4)?.try_into()?) as usize,
        tag => bail!("expected an array at byte {at}, found tag {tag:#x}"),
    })
}

fn string<'a>(bytes: &'a [u8], at: &mut usize) -> anyhow::Result<&'a str> {
    let n = match take(bytes, at, 1)?[0] {
        tag if tag & 0xe0 == 0xa0 => (tag & 0x1f) as usize,
        0xd9 => take(bytes, at, 1)?[0] as usize,
        0xda => u16::from_be_bytes(take(bytes, at, 2)?.try_into()?) as usize,
        tag => bail!("expected a string at byte {at}, found tag {tag:#x}"),
    };
    Ok(std::str::from_utf8(take(bytes, at, n)?)?)
}

/// Inflected forms with their base forms, through simplemma's own reader.
pub fn simplemma(cache: &Cache, language: &str) -> anyhow::Result<Vec<(String, String)>> {
    let package = cache.get(&sources::SIMPLEMMA)?;
    let script = "import sys\n\
        from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory\n\
        d = DefaultDictionaryFactory().get_dictionary(sys.argv[1])\n\
        out = open(1, 'w', encoding='utf-8', newline='\\n')\n\
        for k in sorted(d): out.write(f'{k}\\t{d[k]}\\n')\n";
    let output = Command::new("python3")
        .args(["-c", script, language])
        .env("PYTHONPATH", &package)
        .output()
        .context("cannot start python3")?;
    ensure!(output.status.success(), "simplemma: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().filter_map(|l| l.split_once('\t')).map(|(f, l)| (f.to_owned(), l.to_owned())).collect())
}

/// Groups of words of a MyThes thesaurus: each meaning's head first, then its synonyms, notes in
/// brackets dropped.
pub fn mythes(path: &Path, latin2: bool) -> anyhow::Result<Vec<Vec<String>>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let text = if latin2 { from_latin2(&bytes) } else { String::from_utf8(bytes)? };
    let mut groups = Vec::new();
    let mut head = String::new();
    for line in text.lines().skip(1) {
        let mut fields = line.split('|');
        let first = fields.next().unwrap_or("").trim();
        let rest: Vec<&str> = fields.collect();
        if rest.len() == 1 && rest[0].chars().all(|c| c.is_ascii_digit()) && !first.is_empty() && first != "-" {
            head = first.to_owned();
            continue;
        }
        let mut group = vec![head.clone()];
        group.extend(
            rest.iter()
                .filter(|w| !w.contains("antonim") && !w.contains("antonym"))
                .map(|w| w.split('(').next().unwrap_or("").trim().to_owned())
                .filter(|w| !w.is_empty()),
        );
        groups.push(group);
    }
    Ok(groups)
}

/// Decodes ISO 8859-2.
pub fn from_latin2(bytes: &[u8]) -> String {
    const HIGH: &str =
        "\u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";
    let high: Vec<char> = HIGH.chars().collect();
    bytes
        .iter()
        .map(|&b| match b {
            0..0x80 => b as char,
            0x80..0xa0 => ' ',
            _ => high[b as usize - 0xa0],
        })
        .collect()
}

/// Keywords of every emoji of a language (CLDR), keyed by the emoji.
pub fn emoji(cache: &Cache, language: &str) -> anyhow::Result<Vec<(String, Vec<String>)>> {
    let path = cache.get(&sources::CLDR)?.join("package/annotations").join(language).join("annotations.json");
    let json: serde_json::Value = serde_json::from_str(&text(&path)?)?;
    let map = json["annotations"]["annotations"].as_object().context("annotations.json has another shape")?;
    let mut out: Vec<(String, Vec<String>)> = map
        .iter()
        .map(|(emoji, value)| {
            let list = value["default"].as_array().into_iter().flatten();
            (emoji.clone(), list.filter_map(|k| k.as_str()).map(str::to_lowercase).collect())
        })
        .collect();
    out.sort();
    Ok(out)
}
