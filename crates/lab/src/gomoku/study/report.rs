//! The study's tables and pictures, as text, JSON and SVG.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::matches::Opponent;
use super::{Accuracy, Report};
use crate::gomoku::chart::{Series, lines};
use crate::gomoku::train::write_whole;

/// What the study's networks scored (in percent) against the programs Imro, Mentat and Gmotor, L2 to L6: trained on all
/// moves, and on winners' moves; one figure is unreadable.
const STUDY: [(&str, [[Option<u8>; 5]; 2]); 3] = [
    ("Imro", [[Some(4), Some(6), Some(50), Some(37), Some(50)], [None, Some(15), Some(42), Some(42), Some(50)]]),
    ("Mentat", [[Some(7), Some(12), Some(45), Some(53), Some(70)], [Some(6), Some(11), Some(50), Some(51), Some(55)]]),
    ("Gmotor", [[Some(2), Some(5), Some(7), Some(12), Some(10)], [Some(2), Some(4), Some(9), Some(9), Some(7)]]),
];

/// Writes `report.md`, `report.json` and the pictures into a folder.
pub fn write(folder: &Path, report: &Report) -> io::Result<()> {
    write_whole(&folder.join("report.json"), &serde_json::to_vec_pretty(report)?)?;
    write_whole(&folder.join("report.md"), text(report).as_bytes())?;
    for (name, picture) in pictures(report) {
        write_whole(&folder.join(format!("{name}.svg")), picture.as_bytes())?;
    }
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn accuracy_table(out: &mut String, rows: &[&Accuracy]) {
    let _ = writeln!(out, "| network | sees | moves | learned: first | among five | test: first | among five |");
    let _ = writeln!(out, "|---|---|---|---|---|---|---|");
    for row in rows {
        let [a, b] = row.train.map(percent);
        let [c, d] = row.test.map(percent);
        let _ = writeln!(out, "| {} | {1}×{1} | {2} | {a} | {b} | {c} | {d} |", row.name, row.field, row.moves);
    }
    out.push('\n');
}

/// The tables.
pub fn text(report: &Report) -> String {
    let mut out = String::from("# Gomoku lab: the study's tables\n\n## Games\n\n");
    let _ = writeln!(out, "| openings | games | different | mean length | study |\n|---|---|---|---|---|");
    for (name, seen, study) in [
        ("random", &report.random, "16,831 games, 16,379 different"),
        ("empty board", &report.empty, "19,753 games, 3,953 different"),
    ] {
        let _ = writeln!(out, "| {name} | {} | {} | {:.1} | {study} |", seen.games, seen.unique, seen.mean_length);
    }
    out.push_str("\n## Accuracy by number of layers (%)\n\n");
    accuracy_table(&mut out, &report.accuracy.iter().collect::<Vec<_>>());
    out.push_str("## Accuracy by order of kernels (%)\n\n");
    accuracy_table(&mut out, &report.kernels.iter().collect::<Vec<_>>());
    out.push_str("## Training with the sign turned on lost games (%)\n\n");
    accuracy_table(&mut out, &[&report.flipped]);
    out.push_str("## Without search: points of the network (%)\n\n| moves learned | against | L2 | L3 | L4 | L5 | L6 |\n|---|---|---|---|---|---|---|\n");
    for (kind, moves) in ["all", "winners"].into_iter().enumerate() {
        for opponent in Opponent::ALL {
            let score = |layers: usize| {
                let name = format!("L{layers} {moves}");
                let found = report.matches.iter().find(|m| m.player == name && m.opponent == opponent.label());
                found.map_or("–".into(), |m| format!("{} ± {}", percent(m.score), percent(1.96 * m.error)))
            };
            let cells: Vec<String> = (2..=6).map(score).collect();
            let _ = writeln!(out, "| {moves} | {} | {} |", opponent.label(), cells.join(" | "));
        }
        for (program, figures) in STUDY {
            let cells = figures[kind].map(|figure| figure.map_or("unreadable".into(), |f| f.to_string()));
            let _ = writeln!(out, "| {moves} | {program} (study) | {} |", cells.join(" | "));
        }
    }
    out.push_str("\n## With search, and the sign turned: points (%)\n\n| player | against | games | points |\n|---|---|---|---|\n");
    for m in report.matches.iter().filter(|m| !m.player.ends_with(" all") && !m.player.ends_with(" winners")) {
        let (score, error) = (percent(m.score), percent(1.96 * m.error));
        let _ = writeln!(out, "| {} | {} | {} | {score} ± {error} |", m.player, m.opponent, m.games);
    }
    let v = &report.values;
    let _ = writeln!(
        out,
        "\n## Value network\n\nLog-loss on positions of other games {:.3}, of a constant {:.3}. Of {} finished boards it gives the side with five {:.3}, the other {:.3} (the study's gave neither near 1 nor near 0).",
        v.loss, v.constant, v.boards, v.winner, v.loser
    );
    out
}

fn pictures(report: &Report) -> Vec<(&'static str, String)> {
    let by_layers = |moves: &str, of: fn(&Accuracy) -> f64| -> Vec<(f64, f64)> {
        let rows = report.accuracy.iter().filter(|row| row.moves == moves);
        rows.enumerate().map(|(at, row)| ((at + 2) as f64, of(row))).collect()
    };
    let accuracy = lines(
        "Test accuracy by layers",
        "layers",
        &[
            Series { name: "all moves, first", points: by_layers("all", |row| row.test[0]) },
            Series { name: "all moves, among five", points: by_layers("all", |row| row.test[1]) },
            Series { name: "winners, first", points: by_layers("winners", |row| row.test[0]) },
            Series { name: "winners, among five", points: by_layers("winners", |row| row.test[1]) },
        ],
    );
    let of_kernels = |of: fn(&Accuracy) -> f64| -> Vec<(f64, f64)> {
        report.kernels.iter().enumerate().map(|(at, row)| ((at + 1) as f64, of(row))).collect()
    };
    let kernels = lines(
        "Accuracy by order of kernels",
        "architecture",
        &[
            Series { name: "learned", points: of_kernels(|row| row.train[0]) },
            Series { name: "test", points: of_kernels(|row| row.test[0]) },
        ],
    );
    let shares = |counts: &[(usize, usize)]| -> Vec<(f64, f64)> {
        let all: usize = counts.iter().map(|(_, count)| count).sum();
        counts.iter().map(|&(at, count)| (at as f64, count as f64 / all.max(1) as f64)).collect()
    };
    let histogram = |title: &str, label: &str, of: fn(&super::Variety) -> &[(usize, usize)]| {
        let series = [
            Series { name: "random openings", points: shares(of(&report.random)) },
            Series { name: "empty board", points: shares(of(&report.empty)) },
        ];
        lines(title, label, &series)
    };
    vec![
        ("accuracy", accuracy),
        ("kernels", kernels),
        ("lengths", histogram("Share of games by length", "moves", |seen| &seen.lengths)),
        ("repetitions", histogram("Share of different games by repetition", "times", |seen| &seen.repeated)),
    ]
}
