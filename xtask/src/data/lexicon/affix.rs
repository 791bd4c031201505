//! Hunspell dictionaries unfolded: every root with every suffix and prefix its flags allow.

use anyhow::{Context, Result};
use std::collections::HashMap;

/// One ending or beginning that a flag allows.
struct Rule {
    strip: String,
    add: String,
    /// Flags of the form made, for a second ending.
    flags: Vec<char>,
    condition: Vec<Class>,
}

/// What one letter of a condition accepts.
enum Class {
    Any,
    Only(Vec<char>),
    Not(Vec<char>),
}

impl Class {
    fn fits(&self, c: char) -> bool {
        match self {
            Class::Any => true,
            Class::Only(set) => set.contains(&c),
            Class::Not(set) => !set.contains(&c),
        }
    }
}

#[derive(Default)]
struct Affixes {
    rules: Vec<Rule>,
    cross: bool,
}

/// An affix file.
pub struct AffixFile {
    suffixes: HashMap<char, Affixes>,
    prefixes: HashMap<char, Affixes>,
}

/// A form with whether its root can be inflected at all.
pub struct Form {
    pub text: String,
    pub inflected: bool,
}

fn condition(text: &str) -> Vec<Class> {
    if text == "." {
        return Vec::new();
    }
    let mut classes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        classes.push(match c {
            '[' => {
                let set: Vec<char> = chars.by_ref().take_while(|&c| c != ']').collect();
                match set.split_first() {
                    Some((&'^', rest)) => Class::Not(rest.to_vec()),
                    _ => Class::Only(set),
                }
            }
            '.' => Class::Any,
            c => Class::Only(vec![c]),
        });
    }
    classes
}

impl AffixFile {
    /// Reads the SFX and PFX tables; everything else in the file is about suggestions.
    pub fn parse(text: &str) -> Result<Self> {
        let mut file = Self { suffixes: HashMap::new(), prefixes: HashMap::new() };
        for (number, line) in text.lines().enumerate() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let table = match fields.first() {
                Some(&"SFX") => &mut file.suffixes,
                Some(&"PFX") => &mut file.prefixes,
                _ => continue,
            };
            let at = || format!("affix file, line {}: {line:?}", number + 1);
            let flag = fields.get(1).and_then(|f| f.chars().next()).with_context(at)?;
            let entry = table.entry(flag).or_default();
            if fields.len() == 4 && matches!(fields[2], "Y" | "N") && fields[3].parse::<u32>().is_ok() {
                entry.cross = fields[2] == "Y";
                continue;
            }
            let zero = |s: &str| if s == "0" { String::new() } else { s.to_owned() };
            let (add, flags) = fields.get(3).with_context(at)?.split_once('/').unwrap_or((fields[3], ""));
            let flags = flags.chars().collect();
            let condition = condition(fields.get(4).copied().unwrap_or("."));
            entry.rules.push(Rule { strip: zero(fields[2]), add: zero(add), flags, condition });
        }
        Ok(file)
    }

    /// The forms that a root's flags make of it by one ending, each with its flag.
    pub fn inflections(&self, root: &str, flags: &str) -> Vec<(char, String)> {
        let made = |flag: char| {
            let rules = self.suffixes.get(&flag).into_iter().flat_map(|a| &a.rules);
            rules.filter_map(move |rule| Some((flag, suffixed(root, rule)?)))
        };
        flags.chars().flat_map(made).collect()
    }

    /// All forms of a root with its flags.
    pub fn forms(&self, root: &str, flags: &str, out: &mut Vec<Form>) {
        let inflected = flags.chars().any(|f| self.suffixes.contains_key(&f));
        let mut forms = vec![(root.to_owned(), true)];
        for flag in flags.chars() {
            let Some(affixes) = self.suffixes.get(&flag) else { continue };
            for rule in &affixes.rules {
                let Some(form) = suffixed(root, rule) else { continue };
                for &second in &rule.flags {
                    let more = self.suffixes.get(&second).into_iter().flat_map(|a| &a.rules);
                    forms.extend(more.filter_map(|r| suffixed(&form, r)).map(|f| (f, affixes.cross)));
                }
                forms.push((form, affixes.cross));
            }
        }
        for flag in flags.chars() {
            let Some(affixes) = self.prefixes.get(&flag) else { continue };
            for rule in &affixes.rules {
                for (form, cross) in &forms {
                    if ((*cross && affixes.cross) || form == root)
                        && let Some(text) = prefixed(form, rule)
                    {
                        out.push(Form { text, inflected });
                    }
                }
            }
        }
        out.extend(forms.into_iter().map(|(text, _)| Form { text, inflected }));
    }
}

fn suffixed(root: &str, rule: &Rule) -> Option<String> {
    let stem = root.strip_suffix(rule.strip.as_str())?;
    let mut last = root.chars().rev();
    rule.condition
        .iter()
        .rev()
        .all(|class| last.next().is_some_and(|c| class.fits(c)))
        .then(|| format!("{stem}{}", rule.add))
}

fn prefixed(root: &str, rule: &Rule) -> Option<String> {
    let stem = root.strip_prefix(rule.strip.as_str())?;
    let mut first = root.chars();
    rule.condition
        .iter()
        .all(|class| first.next().is_some_and(|c| class.fits(c)))
        .then(|| format!("{}{stem}", rule.add))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_follow_their_conditions() {
        let file = AffixFile::parse("SFX H Y 2\nSFX H 0 u [^aeo]\nSFX H o a o\nPFX N Y 1\nPFX N 0 ne .\n").unwrap();
        let mut out = Vec::new();
        file.forms("hrad", "H", &mut out);
        file.forms("slovo", "HN", &mut out);
        let mut texts: Vec<&str> = out.iter().map(|f| f.text.as_str()).collect();
        texts.sort_unstable();
        assert_eq!(texts, ["hrad", "hradu", "neslova", "neslovo", "slova", "slovo"]);
        assert_eq!(file.inflections("slovo", "HN"), [('H', "slova".to_owned())]);
    }
}
