//! Crosswords: puzzles and their file formats, solving from the clues, hints, and construction of new puzzles.
//!
//! ```
//! use crossword::formats::PuzzleFormat;
//! use crossword::rules::EntryDirection;
//!
//! // A puzzle in Gdowski's text format: size, grid, across clues, down clues.
//! let text = b"3 3\n...\n.#.\n...\n2\nfeline\njog\n2\nvehicle\ndigits\n";
//! let mut puzzle = PuzzleFormat::sniff(text).expect("a known format").read(text)?;
//! let first_across = puzzle.of(EntryDirection::Across).next().expect("two across entries").clone();
//! assert_eq!((first_across.label.as_str(), first_across.clue.as_str()), ("1", "feline"));
//!
//! // Write its answer, then save the puzzle as ipuz, which holds everything.
//! for (&cell, letter) in first_across.cells.iter().zip(["C", "A", "T"]) {
//!     puzzle.grid.cell_mut(cell).solution = Some(letter.to_owned());
//! }
//! assert_eq!(puzzle.answer(&first_across).as_deref(), Some("CAT"));
//! let ipuz = PuzzleFormat::Ipuz.write(&puzzle)?;
//! assert_eq!(PuzzleFormat::Ipuz.read(&ipuz)?, puzzle);
//! # Ok::<(), crossword::formats::PuzzleFormatError>(())
//! ```

pub mod engine;
pub mod formats;
pub mod rules;
mod services;
pub mod table;
