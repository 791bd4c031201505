//! scrabble
