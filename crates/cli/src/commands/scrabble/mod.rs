//! `parlour scrabble`

pub mod lexicons;
