//! The game itself: boards, winning lines, forbidden points, openings.

mod rule;

pub use rule::{Color, Point, Rule};
