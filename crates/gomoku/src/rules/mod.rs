//! The game itself: boards, winning lines, forbidden points, openings.

mod board;
mod forbidden;
pub mod oracle;
mod perft;
mod point;
mod position;
mod rule;
mod setup;
mod win;

pub use board::{Board, Cell, Direction};
pub use forbidden::{Forbidden, forbidden, forbidden_points};
pub use perft::{Perft, perft};
pub use point::{MAX_SIZE, MIN_SIZE, Point, PointError, PointName};
pub use position::{MoveError, Position, Status};
pub use rule::{Color, Rule, UnknownRule};
pub use setup::{Setup, SetupError, Stone};
pub(crate) use win::run_wins;
pub use win::winning_line;
