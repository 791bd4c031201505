//! Pictures of positions as SVG.

use std::fmt::Write;

use crate::rules::{Color, Position, Rule, Status, forbidden_points};

/// What a picture shows besides the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureStyle {
    /// Number the stones in the order they were placed.
    pub numbers: bool,
    /// Letters and numbers along the edges.
    pub coordinates: bool,
    /// In renju with black to move: mark forbidden points.
    pub forbidden: bool,
}

impl Default for PictureStyle {
    fn default() -> Self {
        Self { numbers: true, coordinates: true, forbidden: true }
    }
}

/// Distance of two lines.
const STEP: u32 = 32;

/// Draws a position. Only numbers and coordinates need fonts.
pub fn write(position: &Position, style: PictureStyle) -> String {
    let size = u32::from(position.size());
    let margin = if style.coordinates { STEP + 8 } else { STEP - 8 };
    let span = (size - 1) * STEP;
    let side = span + 2 * margin;
    let at = |v: u8| margin + u32::from(v) * STEP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" viewBox=\"0 0 {side} {side}\" \
         font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#e3b871\"/>\n<path stroke=\"#4a3510\" fill=\"none\" d=\""
    );
    for i in 0..position.size() {
        let _ = write!(svg, "M{} {margin}v{span}M{margin} {}h{span}", at(i), at(i));
    }
    svg.push_str("\"/>\n");
    for (x, y) in stars(position.size()) {
        let _ = writeln!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"#4a3510\"/>", at(x), at(y));
    }
    if style.coordinates {
        for i in 0..position.size() {
            let letter = (b'A' + i) as char;
            let (low, row) = (side - 12, position.size() - i);
            let _ =
                writeln!(svg, "<text x=\"{}\" y=\"{low}\" font-size=\"13\" fill=\"#4a3510\">{letter}</text>", at(i));
            let _ = writeln!(svg, "<text x=\"14\" y=\"{}\" font-size=\"13\" fill=\"#4a3510\">{row}</text>", at(i) + 5);
        }
    }
    let line = match position.status() {
        Status::Won { line, .. } => line.as_slice(),
        Status::Running | Status::Drawn => &[],
    };
    for (i, stone) in position.stones().iter().enumerate() {
        let (cx, cy) = (at(stone.point.x), at(stone.point.y));
        let (fill, ink) = if stone.color == Color::Black { ("#111", "#fff") } else { ("#fdfdfd", "#111") };
        let newest = i + 1 == position.stones().len();
        let rim = if line.contains(&stone.point) {
            "#d01515\" stroke-width=\"3"
        } else if newest {
            "#1560d0\" stroke-width=\"3"
        } else {
            "#111"
        };
        let _ = writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"14\" fill=\"{fill}\" stroke=\"{rim}\"/>");
        if style.numbers {
            let _ = writeln!(svg, "<text x=\"{cx}\" y=\"{}\" font-size=\"12\" fill=\"{ink}\">{}</text>", cy + 4, i + 1);
        }
    }
    let black_moves = position.rule() == Rule::Renju && position.to_move() == Color::Black && !position.is_over();
    if style.forbidden && black_moves {
        for (point, _) in forbidden_points(position.board()) {
            let (x, y) = (at(point.x), at(point.y));
            let _ = writeln!(
                svg,
                "<path stroke=\"#d01515\" stroke-width=\"3\" d=\"M{} {}l14 14m0 -14l-14 14\"/>",
                x - 7,
                y - 7
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The marked points of boards large enough to have them.
fn stars(size: u8) -> Vec<(u8, u8)> {
    if size < 9 || size.is_multiple_of(2) {
        return Vec::new();
    }
    let (near, middle) = (3, size / 2);
    let far = size - 1 - near;
    vec![(near, near), (near, far), (middle, middle), (far, near), (far, far)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Record;
    use crate::formats::plain;

    #[test]
    fn every_stone_is_drawn_and_numbered() {
        let points = plain::read("h8h9i8i9j8j9", 15).unwrap();
        let position = Record::of_points(15, points).position(Rule::Renju).unwrap();
        let svg = write(&position, PictureStyle::default());
        assert_eq!(svg.matches("r=\"14\"").count(), 6);
        assert!(svg.contains(">6</text>") && svg.contains(">O</text>"));
        let bare = write(&position, PictureStyle { numbers: false, coordinates: false, forbidden: false });
        assert!(!bare.contains("<text"));
    }
}
