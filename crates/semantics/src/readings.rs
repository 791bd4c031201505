//! Ambiguous word forms with their readings.
//!
//! One line per form, sorted: the form, a tab, then pairs of base form and kind. Only ambiguous forms are listed; every
//! other form has one base form, in the lemma table.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use thiserror::Error;

/// The grammatical kind of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadingKind {
    /// Declined, nominative.
    FirstCase,
    /// Declined, another case.
    OtherCase,
    /// Neither declined nor conjugated.
    Fixed,
    /// A verb with a tense.
    Tense,
    /// A verb without one: infinitive, imperative.
    Tenseless,
}

impl ReadingKind {
    const ALL: [(ReadingKind, &'static str); 5] = [
        (ReadingKind::FirstCase, "1"),
        (ReadingKind::OtherCase, "x"),
        (ReadingKind::Fixed, "f"),
        (ReadingKind::Tense, "t"),
        (ReadingKind::Tenseless, "v"),
    ];

    fn sign(self) -> &'static str {
        Self::ALL.iter().find(|k| k.0 == self).map_or("", |k| k.1)
    }

    fn parse(sign: &str) -> Option<ReadingKind> {
        Self::ALL.iter().find(|k| k.1 == sign).map(|k| k.0)
    }

    /// Whether it is a verb's.
    pub fn verb(self) -> bool {
        matches!(self, ReadingKind::Tense | ReadingKind::Tenseless)
    }
}

/// One reading of a form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    pub base: String,
    pub kind: ReadingKind,
}

/// What is wrong with a list of readings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("readings, line {line}: {text:?} is not `FORM<tab>BASE KIND …` with kinds 1, x, f, t or v")]
pub struct ReadingsError {
    pub line: usize,
    pub text: String,
}

/// The ambiguous forms of a language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    forms: BTreeMap<String, Vec<Reading>>,
}

impl Readings {
    /// Reads a list; lines that begin with `#` are comments.
    pub fn parse(text: &str) -> Result<Readings, ReadingsError> {
        let mut forms = BTreeMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
            let wrong = || ReadingsError { line: number + 1, text: line.to_owned() };
            let (form, rest) = line.split_once('\t').ok_or_else(wrong)?;
            let parts: Vec<&str> = rest.split(' ').collect();
            let mut readings = Vec::with_capacity(parts.len() / 2);
            for pair in parts.chunks(2) {
                let &[base, sign] = pair else { return Err(wrong()) };
                let kind = ReadingKind::parse(sign).filter(|_| !base.is_empty()).ok_or_else(wrong)?;
                readings.push(Reading { base: base.to_owned(), kind });
            }
            forms.insert(form.to_owned(), readings);
        }
        Ok(Readings { forms })
    }

    /// Reads `DATA/readings/LANG.txt`; a language without that file has no ambiguous forms. The error names the file.
    pub fn open(data: &Path, lang: &str) -> Result<Readings, String> {
        let path = data.join("readings").join(format!("{lang}.txt"));
        match std::fs::read_to_string(&path) {
            Ok(text) => Readings::parse(&text).map_err(|error| format!("{}: {error}", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Readings::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// The list as it is read.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (form, readings) in &self.forms {
            let all: Vec<String> = readings.iter().map(|r| format!("{} {}", r.base, r.kind.sign())).collect();
            let _ = writeln!(text, "{form}\t{}", all.join(" "));
        }
        text
    }

    /// Adds a reading of a form; of two cases of one base form the first counts, and a tense beside none.
    pub fn add(&mut self, form: &str, base: &str, kind: ReadingKind) {
        let readings = self.forms.entry(form.to_owned()).or_default();
        match readings.iter_mut().find(|r| r.base == base && r.kind.verb() == kind.verb()) {
            Some(known) => known.kind = known.kind.min(kind),
            None => readings.push(Reading { base: base.to_owned(), kind }),
        }
    }

    /// Leaves out forms that `keep` does not want, after it has had a look at their readings.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut Vec<Reading>) -> bool) {
        self.forms.retain(|form, readings| keep(form, readings));
        self.forms.values_mut().for_each(|readings| readings.sort());
    }

    /// All readings of a form; none if it is not ambiguous.
    pub fn of(&self, form: &str) -> &[Reading] {
        self.forms.get(form).map_or(&[], Vec::as_slice)
    }

    /// How many forms are ambiguous.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let mut readings = Readings::default();
        readings.add("triky", "triko", ReadingKind::OtherCase);
        readings.add("triky", "trik", ReadingKind::OtherCase);
        readings.add("triky", "trik", ReadingKind::FirstCase);
        readings.retain(|_, _| true);
        assert_eq!(readings.to_text(), "triky\ttrik 1 triko x\n");
        assert_eq!(Readings::parse(&readings.to_text()), Ok(readings));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for bad in ["triky", "triky\ttrik", "triky\ttrik 1 triko", "triky\ttrik 7", "triky\t 1"] {
            let error = Readings::parse(&format!("# comment\n{bad}\n")).unwrap_err();
            assert_eq!((error.line, error.text.as_str()), (2, bad));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "([a-z #\t1xftv]|\n){0,60}") {
            if let Ok(readings) = Readings::parse(&text) {
                prop_assert_eq!(Readings::parse(&readings.to_text()), Ok(readings));
            }
        }
    }
}
