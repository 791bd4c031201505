//! A view as plain text, for terminals and golden playthroughs.

use super::View;
use std::fmt::Write;

/// The grid (`.` empty, lower case pencil, `!` after wrong letters), then the clues.
pub fn render_text(view: &View) -> String {
    let mut out = format!("{} {}×{}\n", view.title, view.width, view.height);
    for row in view.cells.chunks(view.width.max(1)) {
        for cell in row {
            let letter = match (cell.kind, cell.letters.as_deref()) {
                ("open", None) => ".".to_owned(),
                ("open", Some(letters)) if cell.pencil => letters.to_lowercase(),
                ("open", Some(letters)) => letters.to_owned(),
                ("block", _) => "#".to_owned(),
                _ => " ".to_owned(),
            };
            let mark = if cell.wrong { '!' } else { ' ' };
            let _ = write!(out, "{letter}{mark}");
        }
        out.push('\n');
    }
    for (number, clue) in view.clues.iter().enumerate() {
        let told = clue.enumeration.as_deref().map(|told| format!(" ({told})")).unwrap_or_default();
        let _ = writeln!(out, "{:>3}. {} {}: {}{told}", number + 1, clue.label, clue.direction, clue.clue);
    }
    for hint in &view.hints {
        let pattern = hint.pattern.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "hint {} {:?}: {} {pattern} {}",
            hint.entry + 1,
            hint.step,
            hint.notes.join(" "),
            hint.lines.join("; ")
        );
    }
    if view.solved {
        out.push_str("solved\n");
    }
    out
}
