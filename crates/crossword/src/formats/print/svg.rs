//! Pages as one SVG picture.

use super::shapes::{Anchor, PAGE, Page, PageElement};
use std::fmt::Write;

/// The pages one below the other.
pub fn write(pages: &[Page]) -> String {
    let (width, height) = (PAGE.0, PAGE.1 * pages.len() as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (number, page) in pages.iter().enumerate() {
        let _ = writeln!(out, "<g transform=\"translate(0 {})\">", number as f64 * PAGE.1);
        page.iter().for_each(|mark| out += &draw(mark));
        out += "</g>\n";
    }
    out + "</svg>\n"
}

fn draw(mark: &PageElement) -> String {
    match mark {
        PageElement::Filled { x, y, width, height, grey } => {
            let level = (grey * 255.0).round() as u8;
            format!(
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"rgb({level},{level},{level})\"/>\n"
            )
        }
        PageElement::Framed { x, y, width, height } => format!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"none\" stroke=\"black\" stroke-width=\"0.6\"/>\n"
        ),
        PageElement::Line { from, to, thick } => format!(
            "<path d=\"M{:.2} {:.2}L{:.2} {:.2}\" stroke=\"black\" stroke-width=\"{thick}\"/>\n",
            from.0, from.1, to.0, to.1
        ),
        PageElement::Circle { centre, radius } => format!(
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" fill=\"none\" stroke=\"black\" stroke-width=\"0.5\"/>\n",
            centre.0, centre.1
        ),
        PageElement::Text { x, y, size, bold, anchor, text } => {
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            let anchor = if *anchor == Anchor::Middle { " text-anchor=\"middle\"" } else { "" };
            format!(
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size:.2}\"{weight}{anchor}>{}</text>\n",
                escaped(text)
            )
        }
    }
}

/// Text without what XML means something by, and without characters it forbids.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
