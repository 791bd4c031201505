//! What the players know of a language: how strongly a clue calls up a word, by several models.

mod clues;
mod glosses;
mod lines;
mod matrix;
mod model;
mod native;
mod person;
mod study;
mod tongue;

pub(crate) use lines::Lines;
pub use matrix::{Column, Columns, Matrix, MatrixError};
pub use model::Model;
pub use native::Doubt;
pub use person::{Person, Taken};
pub use tongue::Tongue;
