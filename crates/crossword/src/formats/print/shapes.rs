//! What a printed page is made of; lengths in points, measured from the upper left corner.

/// Width and height of an A4 page.
pub const PAGE: (f64, f64) = (595.0, 842.0);

/// Where a text's point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
}

/// One mark on a page. Grey goes from 0 (black) to 1 (white).
#[derive(Clone, Debug, PartialEq)]
pub enum PageElement {
    Filled { x: f64, y: f64, width: f64, height: f64, grey: f64 },
    Framed { x: f64, y: f64, width: f64, height: f64 },
    Line { from: (f64, f64), to: (f64, f64), thick: f64 },
    Circle { centre: (f64, f64), radius: f64 },
    Text { x: f64, y: f64, size: f64, bold: bool, anchor: Anchor, text: String },
}

/// The marks of one page, in the order they are drawn.
pub type Page = Vec<PageElement>;
