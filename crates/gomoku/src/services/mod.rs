//! Typed requests beside the table, one file per service: hint, analysis, threats, heat map, review, files and pictures.
//!
//! A service `NAME` answers about the table of the caller; `NAME_position` answers the same about any position.

mod analyse;
mod export;
mod heatmap;
mod hint;
mod import;
mod opening;
mod picture;
mod request;
mod review;
mod threats;

use game::Service;

use crate::Gomoku;

/// All services of the game.
pub fn all() -> Vec<Service<Gomoku>> {
    [
        hint::services(),
        analyse::services(),
        threats::services(),
        heatmap::services(),
        review::services(),
        import::services(),
        export::services(),
        picture::services(),
        opening::services(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
