//! gomoku
