//! Crosswords: the six file formats, archives, word lists, clue books, imported memories of clues.

use super::{FuzzTarget, target, text, texts, told};
use crossword::formats::Format;
use crossword::maker::ClueBook;
use crossword::memory::{Builder, ClueMemory};
use crossword::solver::WordList;
use std::sync::Arc;

const STUDY: &str = "3 3\n...\n.#.\n...\n2\nPet\nSmall dogs\n2\nHead cover\nOf the sea\n";

const IPUZ: &str = r##"{"version":"http://ipuz.org/v2","kind":["http://ipuz.org/crossword#1"],"dimensions":{"width":3,"height":3},
"puzzle":[[1,0,2],[0,"#",0],[3,0,0]],"solution":[["C","A","T"],["A","#","E"],["P","E","A"]],
"clues":{"Across":[[1,"Pet"],[3,"Green one"]],"Down":[[1,"Hat"],[2,"Drink"]]}}"##;

/// The small puzzle in one of the formats, or nothing where it cannot be written.
fn written(format: Format) -> Vec<Vec<u8>> {
    let puzzle = Format::Ipuz.read(IPUZ.as_bytes()).expect("a good puzzle");
    let mut inputs: Vec<Vec<u8>> = format.write(&puzzle).into_iter().collect();
    if format == Format::Study {
        inputs.push(STUDY.as_bytes().to_vec());
    }
    inputs
}

/// Reads a puzzle; what can be written again must be read again with the same entries.
fn round(format: Format, bytes: &[u8]) -> String {
    let read = format.read(bytes);
    if let Ok(puzzle) = &read
        && let Ok(again) = format.write(puzzle)
    {
        let again = format.read(&again);
        assert!(again.is_ok(), "what was written cannot be read: {:?}", again.err());
    }
    told(read, |puzzle| puzzle.entries.len())
}

/// The memory of a few clues.
fn memory() -> Vec<u8> {
    let mut builder = Builder::default();
    for (answer, clue) in [("OREO", "Black-and-white cookie"), ("ORCA", "Black-and-white swimmer"), ("AREA", "Size")] {
        builder.add(answer, clue).expect("few pairs");
    }
    builder.finish()
}

pub fn targets() -> Vec<FuzzTarget> {
    vec![
        target!("crossword.ipuz", "puzzles as ipuz", written(Format::Ipuz), |bytes| round(Format::Ipuz, bytes)),
        target!("crossword.puz", "puzzles of Across Lite", written(Format::Puz), |bytes| round(Format::Puz, bytes)),
        target!("crossword.jpz", "puzzles as JPZ (XML, plain or in an archive)", written(Format::Jpz), |bytes| {
            round(Format::Jpz, bytes)
        }),
        target!("crossword.xd", "puzzles as .xd", written(Format::Xd), |bytes| round(Format::Xd, bytes)),
        target!("crossword.exolve", "puzzles of Exolve", written(Format::Exolve), |bytes| round(Format::Exolve, bytes)),
        target!("crossword.study", "puzzles of the study", written(Format::Study), |bytes| round(Format::Study, bytes)),
        target!(
            "crossword.any",
            "puzzles of any format, told apart by their beginning",
            Format::ALL.into_iter().flat_map(written).collect(),
            |bytes| told(crossword::formats::read(bytes), |puzzle| puzzle.entries.len())
        ),
        target!("crossword.lists", "word lists with scores", texts(&["OREO;50\nORCA;40\n# no\nAREA\n"]), |bytes| {
            told(WordList::parse(&text(bytes)), |_| 1)
        }),
        target!("crossword.book", "books of clues", texts(&["OREO\t1\tCookie\nORCA\t3\tSwimmer\n"]), |bytes| {
            told(ClueBook::parse("en", &text(bytes)), |_| 1)
        }),
        target!("crossword.memory", "imported clues: damaged files are refused", vec![memory()], |bytes| {
            let read = ClueMemory::open(Arc::new(bytes.to_vec()));
            if let Ok(memory) = &read {
                memory.recall("Black-and-white cookie", 4, 10);
                memory.answers(4);
            }
            told(read, |_| 1)
        }),
    ]
}
