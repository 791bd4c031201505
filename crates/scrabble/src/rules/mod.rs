//! The rules: boards, plays, scoring, turns, challenges and endings.

mod bag;
mod board;
mod dictionary;
mod layout;
mod play;
mod position;
mod score;

pub use bag::{Bag, full_set};
pub use board::{ANY, BLANK, LaneSet, Lanes, MAX_SQUARES, Orientation, TileBoard, Undo, letter};
pub use dictionary::{Dictionary, Graph};
pub use layout::{Layout, LayoutError, MAX_SIDE, Premium};
pub use play::Play;
pub use position::{MIN_BAG_FOR_EXCHANGE, PASSES_TO_END, PlayerMove, TwoPlayerGame, rack_value, remove, unseen};
pub use score::{BINGO, PlayError, ScoredPlay, check_play};
