//! Printing: one layout on A4 pages, written as SVG or PDF.

mod layout;
mod pdf;
mod shapes;
mod svg;
mod widths;

pub use layout::PrintedLetters;

use crate::rules::Puzzle;

/// The puzzle as one SVG picture, its pages one below the other.
pub fn svg(puzzle: &Puzzle, letters: PrintedLetters) -> String {
    svg::write(&layout::pages(puzzle, letters))
}

/// The puzzle as a PDF file.
pub fn pdf(puzzle: &Puzzle, letters: PrintedLetters) -> Vec<u8> {
    pdf::write(&puzzle.meta.title, &layout::pages(puzzle, letters))
}

#[cfg(test)]
mod tests;
