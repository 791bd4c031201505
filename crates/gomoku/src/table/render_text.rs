//! A view as plain text.

use std::fmt::Write;

use super::{Phase, View};
use crate::rules::{Color, Point};

/// Draws the board with its coordinates; the newest stone stands in brackets, forbidden points are `!`.
pub fn render_text(view: &View) -> String {
    let mut text = String::new();
    let mark = |point: Point| {
        view.stones.iter().find(|s| (s.x, s.y) == (point.x, point.y)).map_or_else(
            || if view.forbidden.iter().any(|f| (f.spot.x, f.spot.y) == (point.x, point.y)) { '!' } else { '.' },
            |s| if s.color == Color::Black { 'X' } else { 'O' },
        )
    };
    let newest = view.stones.last().map(|s| Point { x: s.x, y: s.y });
    for y in 0..view.size {
        let _ = write!(text, "{:2}", view.size - y);
        for x in 0..view.size {
            let point = Point { x, y };
            let before = match newest {
                Some(last) if last == point => '(',
                Some(last) if last.y == y && last.x + 1 == x => ')',
                _ => ' ',
            };
            let _ = write!(text, "{before}{}", mark(point));
        }
        let closing = newest.is_some_and(|last| last.y == y && last.x + 1 == view.size);
        text.push_str(if closing { ")\n" } else { "\n" });
    }
    text.push_str("  ");
    for x in 0..view.size {
        let _ = write!(text, " {}", (b'A' + x) as char);
    }
    let _ = writeln!(text, "\n{}", status(view));
    text
}

fn status(view: &View) -> String {
    if !view.line.is_empty() {
        let names: Vec<&str> = view.line.iter().map(|spot| spot.name.as_str()).collect();
        return format!("{} wins: {}", view.to_move.opponent(), names.join(" "));
    }
    let Some(seat) = view.acting else { return "a draw".to_owned() };
    match view.phase {
        Phase::ThreeStones => format!("{seat} places three stones, now {}", view.to_move),
        Phase::ChooseOrAdd => format!("{seat} takes a colour or adds two stones"),
        Phase::TwoStones => format!("{seat} places two stones, now {}", view.to_move),
        Phase::Choose => format!("{seat} takes a colour"),
        Phase::Play => format!("{} to move ({seat})", view.to_move),
    }
}
