//! Legality of clues: whether a clue may be given, and why not.

use super::word_family::{part_of, related};
use semantics::{Language, Relation};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Strictness of the rules for clues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    /// Refuses the open word itself, its inflections, and compounds of one with the other.
    Relaxed,
    /// Also refuses words of one derivational family.
    #[default]
    Standard,
    /// Also refuses one word anywhere inside the other, stems with a similarity of 85 % or more (Jareš 2019), and words with
    /// the same first four or more letters that differ in a short ending only.
    Strict,
}

/// Why a clue is refused, as a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    NotOneWord,
    OnBoard,
    SameLemma,
    SharedRoot,
    Contains,
    SimilarRoot,
    Derived,
    Repeated,
}

impl RefusalKind {
    /// The stable code of the rules' refusal.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotOneWord => "codenames.clue.not_one_word",
            Self::OnBoard => "codenames.clue.on_board",
            Self::SameLemma => "codenames.clue.same_lemma",
            Self::SharedRoot => "codenames.clue.shared_root",
            Self::Contains => "codenames.clue.contains",
            Self::SimilarRoot => "codenames.clue.similar_root",
            Self::Derived => "codenames.clue.derived",
            Self::Repeated => "codenames.clue.repeated",
        }
    }
}

/// Why a clue is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClueRefusal {
    pub kind: RefusalKind,
    /// The open word it collides with, if it is about one.
    pub word: Option<String>,
    /// The reason in English.
    pub message: String,
}

/// Decides which clues are legal in one language.
#[derive(Clone, Copy)]
pub struct ClueLegality<'a> {
    language: Option<&'a Language>,
    strictness: Strictness,
    /// Rules version 1 went by spelling and stems alone; games that were begun with it replay by it.
    families: bool,
}

/// A word in lower case without accents, for comparing spellings.
pub fn fold(text: &str) -> String {
    text.trim()
        .to_lowercase()
        .chars()
        .map(|c| match c {
            'á' | 'ä' | 'ą' | 'à' | 'â' => 'a',
            'č' | 'ć' | 'ç' => 'c',
            'ď' => 'd',
            'é' | 'ě' | 'ę' | 'è' | 'ê' => 'e',
            'í' | 'ï' => 'i',
            'ĺ' | 'ľ' | 'ł' => 'l',
            'ň' | 'ń' | 'ñ' => 'n',
            'ó' | 'ô' | 'ö' => 'o',
            'ŕ' | 'ř' => 'r',
            'š' | 'ś' => 's',
            'ť' => 't',
            'ú' | 'ů' | 'ü' => 'u',
            'ý' => 'y',
            'ž' | 'ź' | 'ż' => 'z',
            other => other,
        })
        .collect()
}

/// Similarity of two spellings: 1 − Levenshtein distance / longer length.
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = if x == y { before } else { 1 + before.min(row[j]).min(row[j + 1]) };
            before = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    1.0 - row[b.len()] as f64 / a.len().max(b.len()).max(1) as f64
}

/// Whether two spellings share their first four or more letters and differ in a short ending only.
fn same_beginning(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let rest = a.chars().count().max(b.chars().count()) - common;
    common >= 4 && rest <= 4 && rest <= common
}

impl<'a> ClueLegality<'a> {
    /// The rules of a language; without a language they go by spelling alone.
    pub const fn new(language: Option<&'a Language>, strictness: Strictness) -> Self {
        Self { language, strictness, families: true }
    }

    /// The rules that games of a rules version were begun with.
    #[must_use]
    pub const fn of_rules_version(self, version: u32) -> Self {
        Self { families: version > 1, ..self }
    }

    /// Refuses a clue that may not be given while these words are open.
    pub fn check<S: AsRef<str>>(&self, clue: &str, open: &[S]) -> Result<(), ClueRefusal> {
        let text = clue.trim();
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        if letters < 2 || text.chars().any(|c| !(c.is_alphabetic() || c == '\'' || c == '-' || c == '’')) {
            return Err(ClueRefusal {
                kind: RefusalKind::NotOneWord,
                word: None,
                message: format!("“{text}” is not one word of letters"),
            });
        }
        open.iter().try_for_each(|word| self.pair(text, word.as_ref()))
    }

    /// Refuses a clue because of one open word.
    pub fn pair(&self, clue: &str, word: &str) -> Result<(), ClueRefusal> {
        let refuse = |kind: RefusalKind, what: &str| {
            let shown = word.to_uppercase();
            Err(ClueRefusal { kind, word: Some(word.to_owned()), message: format!("“{clue}” {what} {shown}") })
        };
        let squeeze = |text: &str| fold(text).replace([' ', '-', '\'', '’'], "");
        let (c, w) = (squeeze(clue), squeeze(word));
        if c == w {
            return refuse(RefusalKind::OnBoard, "is the open word");
        }
        let (short, long) = if c.len() < w.len() { (&c, &w) } else { (&w, &c) };
        let contained = match (self.language, self.families) {
            (Some(language), true) if self.strictness < Strictness::Strict => {
                let (clue, word) = (clue.to_lowercase(), word.to_lowercase());
                let (part, whole) = if c.len() < w.len() { (&clue, &word) } else { (&word, &clue) };
                part_of(language, part, whole)
            }
            _ => {
                let edge = long.starts_with(short.as_str()) || long.ends_with(short.as_str());
                short.chars().count() >= 3 && edge
                    || self.strictness >= Strictness::Standard && long.contains(short.as_str())
            }
        };
        if contained {
            let what = if c.len() < w.len() { "is contained in" } else { "contains" };
            return refuse(RefusalKind::Contains, what);
        }
        let parts = word.split([' ', '-']).filter(|p| p.chars().count() >= 3);
        for part in parts {
            if let Some(kind) = self.forms(clue, part) {
                return match kind {
                    RefusalKind::SameLemma => refuse(kind, "is a form of"),
                    RefusalKind::SharedRoot => refuse(kind, "shares a root with"),
                    RefusalKind::Derived => refuse(kind, "belongs to the same word family as"),
                    _ => refuse(kind, "has nearly the same root as"),
                };
            }
        }
        Ok(())
    }

    /// The fault of a clue against one part of an open word, by their forms.
    fn forms(&self, clue: &str, word: &str) -> Option<RefusalKind> {
        let (c, w) = (clue.to_lowercase(), word.to_lowercase());
        let stems = |text: &str| match self.language {
            Some(language) => fold(&language.stem(text)),
            None => fold(text),
        };
        if let Some(language) = self.language {
            let family = self.families && self.strictness >= Strictness::Standard;
            let ids = (language.find_form(&c), language.find_form(&w));
            if let (Some(a), Some(b)) = ids {
                if language.lemma(a) == language.lemma(b) {
                    return Some(RefusalKind::SameLemma);
                }
                if family && related(language, &c, &w) {
                    return Some(RefusalKind::Derived);
                }
                if self.strictness == Strictness::Strict {
                    let (a, b) = (language.lemma(a), language.lemma(b));
                    if language.relations().holds(a, Relation::Derived, b)
                        || language.relations().holds(b, Relation::Derived, a)
                    {
                        return Some(RefusalKind::Derived);
                    }
                    // the stems of base forms, too: irregular forms hide a root
                    let (a, b) = (stems(language.words().text(a)), stems(language.words().text(b)));
                    if a == b || likeness(&a, &b) >= 0.85 {
                        return Some(RefusalKind::SimilarRoot);
                    }
                }
            }
        }
        if let Some(language) = self.language.filter(|_| self.families && self.strictness == Strictness::Standard) {
            return related(language, &c, &w).then_some(RefusalKind::Derived);
        }
        if self.strictness >= Strictness::Standard {
            let (a, b) = (stems(&c), stems(&w));
            let long_enough = a.chars().count().min(b.chars().count()) >= 3;
            if a == b || (long_enough && (a.starts_with(&b) || b.starts_with(&a)) && a.len().abs_diff(b.len()) <= 2) {
                return Some(RefusalKind::SharedRoot);
            }
            if self.strictness == Strictness::Strict
                && (likeness(&a, &b) >= 0.85 || same_beginning(&fold(&c), &fold(&w)))
            {
                return Some(RefusalKind::SimilarRoot);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(strictness: Strictness, clue: &str, word: &str) -> Option<RefusalKind> {
        ClueLegality::new(None, strictness).check(clue, &[word]).err().map(|r| r.kind)
    }

    #[test]
    fn spelling_alone_refuses_what_it_can_see() {
        assert_eq!(verdict(Strictness::Relaxed, "Snow", "snowman"), Some(RefusalKind::Contains));
        assert_eq!(verdict(Strictness::Relaxed, "letadlo", "LETADLO"), Some(RefusalKind::OnBoard));
        assert_eq!(verdict(Strictness::Standard, "scarce", "car"), Some(RefusalKind::Contains));
        assert_eq!(verdict(Strictness::Relaxed, "scarce", "car"), None);
        assert_eq!(verdict(Strictness::Relaxed, "ice cream", "car"), Some(RefusalKind::NotOneWord));
        assert_eq!(verdict(Strictness::Strict, "hvězdný", "hvězdna"), Some(RefusalKind::SimilarRoot));
        assert_eq!(verdict(Strictness::Strict, "ocean", "car"), None);
        assert_eq!(verdict(Strictness::Strict, "marina", "marine"), Some(RefusalKind::SimilarRoot));
        assert_eq!(verdict(Strictness::Standard, "marina", "marine"), None);
    }

    #[test]
    fn edit_distance_by_hand() {
        assert!((likeness("kitten", "sitting") - (1.0 - 3.0 / 7.0)).abs() < 1e-12);
        assert_eq!(likeness("", ""), 1.0);
    }
}
