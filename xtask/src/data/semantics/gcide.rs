//! The GNU collaborative dictionary (Webster 1913 and later): headwords, senses, phrases, quotations.

use anyhow::Result;
use std::path::Path;

/// One headword with its senses.
pub struct GcideEntry {
    pub word: String,
    /// Definitions without labels, notes and quotations.
    pub senses: Vec<String>,
}

/// What the dictionary gives.
pub struct Gcide {
    pub entries: Vec<GcideEntry>,
    /// Phrases the dictionary explains under their main word.
    pub phrases: Vec<String>,
    /// Quotations: running text.
    pub quotations: Vec<String>,
}

/// Reads the dictionary from its dictzip file.
pub fn read(path: &Path) -> Result<Gcide> {
    let text = String::from_utf8_lossy(&super::readers::gunzip(path)?).into_owned();
    let mut out = Gcide { entries: Vec::new(), phrases: Vec::new(), quotations: Vec::new() };
    let (mut body, mut quote) = (String::new(), String::new());
    let mut words: Vec<String> = Vec::new();
    for line in text.lines().chain(["End \\"]) {
        let indent = line.len() - line.trim_start().len();
        if indent == 0 && line.contains('\\') {
            finish(&mut out, &words, &body);
            body.clear();
            words = heads(line);
        } else if indent >= 8 {
            quote.push_str(line.trim());
            quote.push(' ');
            continue;
        } else {
            body.push_str(line.trim());
            body.push('\n');
        }
        if !quote.is_empty() {
            let text = quote.split("--").next().unwrap_or("").trim().to_owned();
            out.quotations.push(text);
            quote.clear();
        }
    }
    Ok(out)
}

fn heads(line: &str) -> Vec<String> {
    line.split('\\')
        .step_by(2)
        .map(|part| part.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase())
        .filter(|w| !w.is_empty() && w.split(' ').count() <= 3 && !w.contains(['[', ',', '.', '(']))
        .take(2)
        .collect()
}

fn finish(out: &mut Gcide, words: &[String], body: &str) {
    if words.is_empty() || body.is_empty() {
        return;
    }
    // etymologies, sources, usage labels and cross-references stand in brackets
    let mut plain = String::with_capacity(body.len());
    let (mut square, mut round, mut brace) = (0, 0, String::new());
    let mut in_brace = false;
    for c in body.chars() {
        match c {
            '[' => square += 1,
            ']' => square = (square - 1).max(0),
            '(' => round += 1,
            ')' => round = (round - 1).max(0),
            '{' => in_brace = true,
            '}' => {
                in_brace = false;
                let phrase = brace.split_whitespace().collect::<Vec<_>>().join(" ");
                if phrase.contains(' ') {
                    out.phrases.push(phrase.to_lowercase());
                }
                brace.clear();
            }
            _ if square > 0 || round > 0 => {}
            _ if in_brace => {
                brace.push(c);
                plain.push(c);
            }
            _ => plain.push(c),
        }
    }
    let mut senses = Vec::new();
    for sense in split_senses(&plain) {
        let sense = sense.split("--").next().unwrap_or("").split('"').next().unwrap_or("");
        let sense = sense.split_whitespace().collect::<Vec<_>>().join(" ");
        if sense.len() > 3 {
            senses.push(sense);
        }
    }
    for word in words {
        out.entries.push(GcideEntry { word: word.clone(), senses: senses.clone() });
    }
}

/// Cuts a body at lines that start with a number and a full stop, and at blank lines.
fn split_senses(body: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for line in body.lines() {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = digits.len() < line.len() && digits.starts_with(". ");
        if numbered || line.is_empty() {
            out.push(String::new());
        }
        let last = out.last_mut().expect("never empty");
        last.push_str(if numbered { &digits[2..] } else { line });
        last.push(' ');
    }
    out
}
