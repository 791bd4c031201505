//! crossword
