//! Measures: rankings against people's turns, fitting, games between unlike players.

mod crossplay;
mod crossplay_report;
mod fit;
mod independent_check;
mod legality;
mod people;
mod rankings;
mod score;
mod selfplay;
mod tables;

pub use crossplay::{CrossPlay, crossplay, play_board, random_board};
pub use crossplay_report::{CrossPlayReport, Difference};
pub use fit::{FitReport, fit, folds};
pub use independent_check::illegal;
pub use legality::{LabelledPair, LegalityReport, legality_report, read_labelled_pairs};
pub use people::{FirstClues, PeopleReport, first_clues, halves, people};
pub use rankings::{RankingReport, average_precision, evaluate, rank_turn, ranked_records};
pub use score::{Marked, clue_score};
pub use selfplay::{SelfPlayGame, SelfPlayReport, play_game, selfplay};
pub use tables::{TableRow, by_number, players, similarity_tables};
