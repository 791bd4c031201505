//! A tiny crossword, and the game with it in its library.

use crossword::formats::{gdowski, ipuz};
use crossword::table::{Crossword, LanguageResourceCache, PuzzleLibrary};

/// The puzzle as a file, with or without its solution.
pub fn small(solved: bool) -> String {
    let text = "3 3\n...\n.#.\n...\n2\nfeline\njog\n2\nvehicle\ndigits\n";
    let mut puzzle = gdowski::read(text).expect("a good file");
    if solved {
        gdowski::read_solution(&mut puzzle, "2 2\ncat\nrun\ncar\nten\n").expect("it fits");
    }
    ipuz::write(&puzzle).expect("everything has an ipuz form")
}

/// The game with that puzzle.
pub fn game() -> Crossword {
    let text = small(true);
    let library = PuzzleLibrary::read([("en/01".to_owned(), text.as_str())]).expect("a good file");
    Crossword::new(library, LanguageResourceCache::new(Vec::new(), |code| Err(format!("no {code} in a test"))))
}
