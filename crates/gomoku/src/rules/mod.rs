//! The rules: boards, winning lines, forbidden points, positions.

mod board;
mod forbidden;
pub mod oracle;
mod perft;
mod point;
mod position;
mod rule;
mod setup;
mod win;

pub use board::{Board, Direction, PointState};
pub use forbidden::{Forbidden, forbidden, forbidden_points};
pub use perft::{Perft, perft};
pub use point::{MAX_SIZE, MIN_SIZE, Point, PointError, PointName};
pub use position::{MoveError, Position, Status};
pub use rule::{Color, Rule, UnknownRule};
pub use setup::{PositionSetup, SetupError, Stone};
pub(crate) use win::run_wins;
pub use win::winning_line;
