//! The study's tables 5.3 (measures alone), 5.4 (combinations) and 6.1 (by number) from turns of people.

use super::rankings::{average_precision, evaluate};
use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::formats::TurnRecord;
use crate::players::{Operative, OperativeKind};
use rayon::prelude::*;
use semantics::WordId;
use semantics::cooccurrence::Measures;

/// One line of a table: what was ranked by, and its mean average precision.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    pub name: &'static str,
    pub ap: f64,
}

/// What the two models say of a clue and a word.
#[derive(Clone, Copy)]
struct Pair {
    /// max(0, cosine), and whether both words have vectors of their own.
    vectors: f64,
    known: bool,
    /// Counts of common sentences, where both words were counted.
    counts: Option<Measures>,
    study: f64,
}

impl Pair {
    /// NPMI between 0 and 1; nothing where the words never stand together.
    fn npmi(&self) -> Option<f64> {
        self.counts.filter(|m| m.together > 0.0).map(|m| (m.npmi + 1.0) / 2.0)
    }
}

/// A column of table 5.3 or 5.4: its name and what it ranks by.
type Measure = (&'static str, fn(&Pair) -> f64);

const ALONE: [Measure; 7] = [
    ("vectors, unknown words count 0", |p| if p.known { p.vectors } else { -1.0 }),
    ("vectors, unknown words approximated", |p| p.vectors),
    ("NPMI", |p| p.npmi().unwrap_or(0.0)),
    ("PMI", |p| p.counts.map_or(-1e9, |m| m.pmi.max(-1e9))),
    ("PPMI", |p| p.counts.map_or(0.0, |m| m.ppmi)),
    ("co-occurrence ratio", |p| p.counts.map_or(0.0, |m| m.ratio)),
    ("chi squared", |p| p.counts.map_or(0.0, |m| m.chi2)),
];

const TOGETHER: [Measure; 6] = [
    ("mean of non-zero", |p| p.npmi().map_or(p.vectors, |n| if p.vectors > 0.0 { (n + p.vectors) / 2.0 } else { n })),
    ("mean", |p| (p.npmi().unwrap_or(0.0) + p.vectors) / 2.0),
    ("geometric mean", |p| (p.npmi().unwrap_or(0.0) * p.vectors).sqrt()),
    ("NPMI then vectors", |p| p.npmi().map_or(p.vectors, |n| 1.0 + n)),
    ("the larger", |p| p.npmi().unwrap_or(0.0).max(p.vectors)),
    ("case analysis with definitions", |p| p.study),
];

fn pairs(lm: &LanguageModel, turn: &TurnRecord) -> Vec<Pair> {
    let language = lm.language();
    let forms = |text: &str| -> Vec<WordId> {
        let id = language.find_form(text);
        id.into_iter().flat_map(|id| [id, language.lemma(id)]).collect()
    };
    let clue = turn.clue.to_lowercase();
    let said = forms(&clue);
    let words: Vec<String> = turn.board.iter().map(|w| w.to_lowercase()).collect();
    let study = lm.scores(ScoringModel::Jares, &clue, &words);
    let learned = |ids: &[WordId]| ids.iter().any(|&i| language.vectors().has(i));
    words
        .iter()
        .zip(study)
        .map(|(word, study)| {
            let there = forms(word);
            let counts = language.cooccurrence().and_then(|counts| {
                let each = said.iter().flat_map(|&a| there.iter().map(move |&b| (a, b)));
                each.filter(|&(a, b)| counts.total(a) > 0 && counts.total(b) > 0)
                    .map(|(a, b)| counts.measures(a, b))
                    .max_by(|a, b| a.npmi.total_cmp(&b.npmi))
            });
            Pair {
                vectors: f64::from(language.similarity(&clue, word).unwrap_or(0.0).max(0.0)),
                known: learned(&said) && learned(&there),
                counts,
                study: f64::from(study),
            }
        })
        .collect()
}

fn mean(rows: &[(Vec<Pair>, &TurnRecord)], measure: fn(&Pair) -> f64) -> f64 {
    let of = |(pairs, turn): &(Vec<Pair>, &TurnRecord)| {
        let mut order: Vec<(f64, usize)> = pairs.iter().map(measure).zip(0..).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let words: Vec<&str> = order.iter().map(|o| turn.board[o.1].as_str()).collect();
        average_precision(&words, &turn.targets)
    };
    let values: Vec<f64> = rows.iter().filter_map(of).collect();
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// Tables 5.3 and 5.4: every measure alone, and the combinations of vectors and NPMI.
pub fn similarity_tables(lm: &LanguageModel, turns: &[TurnRecord]) -> [Vec<TableRow>; 2] {
    let rows: Vec<(Vec<Pair>, &TurnRecord)> = turns.par_iter().map(|t| (pairs(lm, t), t)).collect();
    let lines =
        |measures: &[Measure]| measures.iter().map(|&(name, f)| TableRow { name, ap: mean(&rows, f) }).collect();
    [lines(&ALONE), lines(&TOGETHER)]
}

/// The players of table 6.1, in the order it prints them.
pub fn players() -> [(&'static str, Operative); 5] {
    let player = |name, kind| (name, Operative { kind });
    [
        player("vectors", OperativeKind::SingleModel(ScoringModel::Vectors)),
        player("glosses", OperativeKind::SingleModel(ScoringModel::Glosses)),
        player("study without strategy", OperativeKind::Jares { strategy: false }),
        player("study", OperativeKind::Jares { strategy: true }),
        player("strong", OperativeKind::Posterior),
    ]
}

/// A line of table 6.1: all turns, then those with the numbers 1 to 7 and those without one; `None` where there is no turn.
pub fn by_number(lm: &LanguageModel, operative: &Operative, turns: &[TurnRecord]) -> Vec<Option<f64>> {
    let of = |some: &[TurnRecord]| (!some.is_empty()).then(|| evaluate(lm, operative, some).ap_targets);
    let mut line = vec![of(turns)];
    for n in 1..=7u8 {
        let some: Vec<TurnRecord> = turns.iter().filter(|t| t.count() == n).cloned().collect();
        line.push(of(&some));
    }
    line
}
