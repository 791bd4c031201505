//! Typed requests beside the table: hint, analysis, threats, heat map, review, files and pictures.
//!
//! What a table service says of its view, the service of the same name with `_position` says of any position.

mod analyse;
mod files;
mod hint;
mod question;
mod review;
mod threats;

use game::Service;

use crate::Gomoku;

/// All services of the game.
pub fn all() -> Vec<Service<Gomoku>> {
    let mut services = Vec::new();
    services.extend(hint::services());
    services.extend(analyse::services());
    services.extend(threats::services());
    services.extend(review::services());
    services.extend(files::services());
    services
}
