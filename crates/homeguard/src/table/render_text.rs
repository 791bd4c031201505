//! Renders a view as plain text.

use std::fmt::Write as _;

use super::view::View;

/// The board with soldiers 1 and 2 (home), 3 and 4 (away), rocks `#`, trees `^`, portals as letters.
pub(crate) fn render_text(view: &View) -> String {
    let mut rows: Vec<Vec<char>> = view
        .map
        .rows
        .iter()
        .map(|row| {
            row.chars()
                .map(|mark| match mark {
                    '0' => '#',
                    '1' => '^',
                    '2' | '3' | ' ' => '.',
                    other => other,
                })
                .collect()
        })
        .collect();
    for soldier in &view.soldiers {
        if let Some(cell) = rows.get_mut(usize::from(soldier.at.y)).and_then(|r| r.get_mut(usize::from(soldier.at.x))) {
            *cell = char::from(b'1' + soldier.number);
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.into_iter().map(String::from).collect();
        let _ = writeln!(text, "{}", cells.join(" "));
    }
    let hp: Vec<String> = view.soldiers.iter().map(|s| format!("{} {}", s.number + 1, s.hp)).collect();
    let _ = writeln!(text, "round {}, hit points {}", view.round, hp.join(", "));
    let _ = writeln!(text, "kills {}:{}, score {:+}", view.kills[0], view.kills[1], view.score);
    if let Some(lead) = view.control_to_win {
        let _ = writeln!(text, "middle control {:+}, a lead of {lead} wins", view.control);
    }
    if let Some(last) = view.rounds.last() {
        for shot in &last.shots {
            let _ = writeln!(text, "{} hit {} for {}", shot.shooter + 1, shot.target + 1, shot.damage);
        }
        for fall in &last.falls {
            let _ = writeln!(text, "{} fell", fall.soldier + 1);
        }
    }
    if let Some(orders) = view.own_orders {
        let _ = writeln!(text, "given: {} {}", orders[0].short(), orders[1].short());
    }
    if let Some(ended) = &view.ended {
        let winner = ended.winner.map_or("nobody".to_owned(), |seat| format!("seat {}", seat + 1));
        let _ = writeln!(text, "over: {winner}, {}", ended.reason);
    }
    text
}
