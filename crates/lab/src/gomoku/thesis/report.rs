//! Tables and figures of the thesis, as text, JSON and SVG.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::matches::Opponent;
use super::pictures::pictures;
use super::policy::{KERNELS, LAYERS};
use super::{Accuracy, Sizes, ThesisReport, VALUE_PASSES};
use crate::gomoku::train::write_whole;

/// Scores (in percent) of the thesis networks L2 to L6 against the programs Imro, Mentat and Gmotor: trained on all
/// moves, and on winners' moves; one figure is unreadable.
const THESIS: [(&str, [[Option<u8>; 5]; 2]); 3] = [
    ("Imro", [[Some(4), Some(6), Some(50), Some(37), Some(50)], [None, Some(15), Some(42), Some(42), Some(50)]]),
    ("Mentat", [[Some(7), Some(12), Some(45), Some(53), Some(70)], [Some(6), Some(11), Some(50), Some(51), Some(55)]]),
    ("Gmotor", [[Some(2), Some(5), Some(7), Some(12), Some(10)], [Some(2), Some(4), Some(9), Some(9), Some(7)]]),
];

/// Writes `report.md`, `report.json` and the pictures into a folder.
pub fn write(folder: &Path, report: &ThesisReport) -> io::Result<()> {
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
    let _ = writeln!(out, "| network | field | moves | train top-1 | top-5 | test top-1 | top-5 |");
    let _ = writeln!(out, "|---|---|---|---|---|---|---|");
    for row in rows {
        let [a, b] = row.train.map(percent);
        let [c, d] = row.test.map(percent);
        let _ = writeln!(out, "| {} | {1}×{1} | {2} | {a} | {b} | {c} | {d} |", row.name, row.field, row.moves);
    }
    out.push('\n');
}

/// The tables.
pub fn text(report: &ThesisReport) -> String {
    let mut out = String::from("# Gomoku lab: the tables of the thesis\n\n");
    let Sizes { positions, winners, passes, test_positions } = report.sizes;
    let _ = writeln!(
        out,
        "Made by `{}`. Board 19 × 19, freestyle. {} networks, each trained from nothing by {passes} {} over {positions} positions \
         of all moves, or {winners} of winners' moves, under random symmetries; tested on {test_positions} positions of games that \
         no network learned from. Top-1 is the share of positions whose played move is the most likely, \
         top-5 that of the five most likely. Intervals are 95%.\n\n## Games\n",
        report.command,
        2 * LAYERS.len() + KERNELS.len() + 2,
        if passes == 1 { "pass" } else { "passes" },
    );
    let _ = writeln!(out, "| openings | games | different | mean length | thesis |\n|---|---|---|---|---|");
    for (name, seen, thesis) in [
        ("random", &report.random, "16,831 games, 16,379 different"),
        ("empty board", &report.empty, "19,753 games, 3,953 different"),
    ] {
        let _ = writeln!(out, "| {name} | {} | {} | {:.1} | {thesis} |", seen.games, seen.unique, seen.mean_length);
    }
    out.push_str(
        "\n![Games by length](lengths.svg)\n![Different games by how often they were played](repetitions.svg)\n",
    );
    out.push_str("\n## Accuracy by number of layers (%)\n\n");
    accuracy_table(&mut out, &report.accuracy.iter().collect::<Vec<_>>());
    out.push_str("![Accuracy by number of layers](accuracy.svg)\n\n## Accuracy by order of kernels (%)\n\n");
    accuracy_table(&mut out, &report.kernels.iter().collect::<Vec<_>>());
    out.push_str("![Accuracy by order of kernels](kernels.svg)\n\n");
    out.push_str("## Training with the sign turned on lost games (%)\n\n");
    accuracy_table(&mut out, &[&report.flipped]);
    out.push_str("## Without search: points of the network (%)\n\n| moves learned | against | L2 | L3 | L4 | L5 | L6 |\n|---|---|---|---|---|---|---|\n");
    for (kind, moves) in ["all", "winners"].into_iter().enumerate() {
        for opponent in Opponent::ALL {
            let score = |layers: usize| {
                let name = format!("L{layers} {moves}");
                report.played(&name, opponent).map_or("–".into(), |m| {
                    format!("{} ± {}", percent(m.score), percent(numerics::normal_quantile(0.975) * m.error))
                })
            };
            let cells: Vec<String> = (2..=6).map(score).collect();
            let _ = writeln!(out, "| {moves} | {} | {} |", opponent.label(), cells.join(" | "));
        }
        for (program, figures) in THESIS {
            let cells = figures[kind].map(|figure| figure.map_or("unreadable".into(), |f| f.to_string()));
            let _ = writeln!(out, "| {moves} | {program} (thesis) | {} |", cells.join(" | "));
        }
    }
    out.push_str("\n![Points without search](matches.svg)\n\n## With search, and the sign turned: points (%)\n\n| player | against | games | points |\n|---|---|---|---|\n");
    for m in report.matches.iter().filter(|m| !m.player.ends_with(" all") && !m.player.ends_with(" winners")) {
        let (score, error) = (percent(m.score), percent(numerics::normal_quantile(0.975) * m.error));
        let _ = writeln!(out, "| {} | {} | {} | {score} ± {error} |", m.player, m.opponent, m.games);
    }
    let v = &report.values;
    let _ = writeln!(
        out,
        "\n## Value network\n\nTrained by {} passes, finished boards being one in three. Log-loss on positions of other games {:.3}, of a constant {:.3}. Of {} finished boards it gives the side with five {:.3}, the other {:.3} (the network of the thesis gave neither near 1 nor near 0).",
        VALUE_PASSES * passes,
        v.loss,
        v.constant,
        v.boards,
        v.winner,
        v.loser
    );
    out
}
