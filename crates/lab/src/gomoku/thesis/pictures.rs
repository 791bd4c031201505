//! The figures of the thesis as bar charts.

use super::bars::{Bars, bars};
use super::games::Variety;
use super::matches::Opponent;
use super::policy::LAYERS;
use super::{Accuracy, ThesisReport};

/// All figures with their file names.
pub fn pictures(report: &ThesisReport) -> Vec<(&'static str, String)> {
    vec![
        ("accuracy", accuracy(report)),
        ("kernels", kernels(report)),
        ("matches", matches(report)),
        ("lengths", histogram(report, "Games by length", "moves of a game", |seen| &seen.lengths, &LENGTHS)),
        (
            "repetitions",
            histogram(report, "Different games by how often they were played", "times", |seen| &seen.repeated, &TIMES),
        ),
    ]
}

const LENGTHS: [(&str, usize); 9] = [
    ("to 19", 0),
    ("20–29", 20),
    ("30–39", 30),
    ("40–49", 40),
    ("50–59", 50),
    ("60–79", 60),
    ("80–99", 80),
    ("100–149", 100),
    ("150 on", 150),
];
const TIMES: [(&str, usize); 7] =
    [("once", 1), ("twice", 2), ("3–5", 3), ("6–10", 6), ("11–20", 11), ("21–50", 21), ("51 on", 51)];

fn layer_names() -> Vec<String> {
    LAYERS.iter().map(|layers| layers.name.to_owned()).collect()
}

fn accuracy(report: &ThesisReport) -> String {
    let of = |moves: &str, of: fn(&Accuracy) -> f64| -> Vec<Option<f64>> {
        report.accuracy.iter().filter(|row| row.moves == moves).map(|row| Some(of(row))).collect()
    };
    let series = [
        Bars { name: "all moves: top-1", shares: of("all", |row| row.test[0]) },
        Bars { name: "winners: top-1", shares: of("winners", |row| row.test[0]) },
        Bars { name: "all moves: top-5", shares: of("all", |row| row.test[1]) },
        Bars { name: "winners: top-5", shares: of("winners", |row| row.test[1]) },
    ];
    bars("Top-1 and top-5 accuracy on held-out games", "network", &layer_names(), &series)
}

fn kernels(report: &ThesisReport) -> String {
    let of =
        |of: fn(&Accuracy) -> f64| -> Vec<Option<f64>> { report.kernels.iter().map(|row| Some(of(row))).collect() };
    let series = [
        Bars { name: "learned: top-1", shares: of(|row| row.train[0]) },
        Bars { name: "test: top-1", shares: of(|row| row.test[0]) },
        Bars { name: "test: top-5", shares: of(|row| row.test[1]) },
    ];
    let names: Vec<String> = report.kernels.iter().map(|row| row.name.clone()).collect();
    bars("Accuracy of three layers by the order of their kernels", "kernels", &names, &series)
}

fn matches(report: &ThesisReport) -> String {
    let names: Vec<(String, Opponent, &str)> = Opponent::ALL
        .into_iter()
        .flat_map(|opponent| {
            ["all", "winners"].map(|moves| (format!("{}, {moves}", opponent.label()), opponent, moves))
        })
        .collect();
    let series: Vec<Bars<'_>> = names
        .iter()
        .map(|(name, opponent, moves)| Bars {
            name,
            shares: LAYERS.iter().map(|l| report.score(&format!("{} {moves}", l.name), *opponent)).collect(),
        })
        .collect();
    bars("Points without search, by opponent and moves learned", "network", &layer_names(), &series)
}

/// Shares of counted values in classes, each given by its lower bound.
fn histogram(
    report: &ThesisReport,
    title: &str,
    axis: &str,
    of: fn(&Variety) -> &[(usize, usize)],
    classes: &[(&str, usize)],
) -> String {
    let shares = |counts: &[(usize, usize)]| -> Vec<Option<f64>> {
        let all: usize = counts.iter().map(|(_, count)| count).sum();
        let mut sums = vec![0; classes.len()];
        for (value, count) in counts {
            let class = classes.iter().rposition(|(_, from)| value >= from).unwrap_or_default();
            sums[class] += count;
        }
        sums.into_iter().map(|sum| Some(sum as f64 / all.max(1) as f64)).collect()
    };
    let series = [
        Bars { name: "random openings", shares: shares(of(&report.random)) },
        Bars { name: "empty board", shares: shares(of(&report.empty)) },
    ];
    let names: Vec<String> = classes.iter().map(|(name, _)| (*name).to_owned()).collect();
    bars(title, axis, &names, &series)
}
