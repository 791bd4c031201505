//! Measures: rankings against people's turns, fitting, games between unlike players.

mod audit;
mod crossplay;
mod crossplay_report;
mod fit;
mod people;
mod rankings;
mod score;
mod selfplay;
mod tables;

pub use audit::illegal;
pub use crossplay::{CrossPlay, crossplay, play_board, random_board};
pub use crossplay_report::{CrossPlayReport, Difference};
pub use fit::{FitReport, fit, folds};
pub use people::{FirstClues, PeopleReport, first_clues, halves, people};
pub use rankings::{Report, average_precision, evaluate, rank_turn, ranked_records};
pub use score::{Marked, clue_score};
pub use selfplay::{Played, SelfPlayReport, play_game, selfplay};
pub use tables::{Line, by_number, players, similarity_tables};
