//! The rules: boards, plays, scoring, turns, challenges and endings.

mod bag;
mod board;
mod dictionary;
mod layout;
mod play;
mod position;
mod score;

pub use bag::{Bag, full_set};
pub use board::{ANY, BLANK, Board, Direction, LaneSet, Lanes, MAX_SQUARES, Undo, letter};
pub use dictionary::{Dictionary, Graph};
pub use layout::{Layout, LayoutError, MAX_SIDE, Premium};
pub use play::Play;
pub use position::{EXCHANGE_NEEDS, IDLE_END, Position, Turn, remove, unseen, worth};
pub use score::{BINGO, Illegal, Scored, check_play};
