//! Crosswords: the six file formats, archives, word lists, clue collections, clue databases.

use super::{FuzzTarget, target, text, texts, told};
use crossword::engine::clue_database::{ClueDatabase, ClueDatabaseBuilder};
use crossword::engine::maker::ClueCollection;
use crossword::engine::solver::WordList;
use crossword::formats::PuzzleFormat;
use std::sync::Arc;

const GDOWSKI: &str = "3 3\n...\n.#.\n...\n2\nPet\nSmall dogs\n2\nHead cover\nOf the sea\n";

const IPUZ: &str = r##"{"version":"http://ipuz.org/v2","kind":["http://ipuz.org/crossword#1"],"dimensions":{"width":3,"height":3},
"puzzle":[[1,0,2],[0,"#",0],[3,0,0]],"solution":[["C","A","T"],["A","#","E"],["P","E","A"]],
"clues":{"Across":[[1,"Pet"],[3,"Green one"]],"Down":[[1,"Hat"],[2,"Drink"]]}}"##;

/// The small puzzle in one of the formats, or nothing where it cannot be written.
fn written(format: PuzzleFormat) -> Vec<Vec<u8>> {
    let puzzle = PuzzleFormat::Ipuz.read(IPUZ.as_bytes()).expect("a good puzzle");
    let mut inputs: Vec<Vec<u8>> = format.write(&puzzle).into_iter().collect();
    if format == PuzzleFormat::Gdowski {
        inputs.push(GDOWSKI.as_bytes().to_vec());
    }
    inputs
}

/// Reads a puzzle; what can be written again must be read again with the same entries.
fn round(format: PuzzleFormat, bytes: &[u8]) -> String {
    let read = format.read(bytes);
    if let Ok(puzzle) = &read
        && let Ok(again) = format.write(puzzle)
    {
        let again = format.read(&again);
        assert!(again.is_ok(), "what was written cannot be read: {:?}", again.err());
    }
    told(read, |puzzle| puzzle.entries.len())
}

/// The database of a few clues.
fn database() -> Vec<u8> {
    let mut builder = ClueDatabaseBuilder::default();
    for (answer, clue) in [("OREO", "Black-and-white cookie"), ("ORCA", "Black-and-white swimmer"), ("AREA", "Size")] {
        builder.add(answer, clue).expect("few pairs");
    }
    builder.finish()
}

pub fn targets() -> Vec<FuzzTarget> {
    vec![
        target!("crossword.ipuz", "puzzles as ipuz", written(PuzzleFormat::Ipuz), |bytes| round(
            PuzzleFormat::Ipuz,
            bytes
        )),
        target!("crossword.puz", "puzzles of Across Lite", written(PuzzleFormat::Puz), |bytes| round(
            PuzzleFormat::Puz,
            bytes
        )),
        target!("crossword.jpz", "puzzles as JPZ (XML, plain or in an archive)", written(PuzzleFormat::Jpz), |bytes| {
            round(PuzzleFormat::Jpz, bytes)
        }),
        target!("crossword.xd", "puzzles as .xd", written(PuzzleFormat::Xd), |bytes| round(PuzzleFormat::Xd, bytes)),
        target!("crossword.exolve", "puzzles of Exolve", written(PuzzleFormat::Exolve), |bytes| round(
            PuzzleFormat::Exolve,
            bytes
        )),
        target!(
            "crossword.gdowski",
            "puzzles in Gdowski's text format",
            written(PuzzleFormat::Gdowski),
            |bytes| round(PuzzleFormat::Gdowski, bytes)
        ),
        target!(
            "crossword.any",
            "puzzles of any format, told apart by their beginning",
            PuzzleFormat::ALL.into_iter().flat_map(written).collect(),
            |bytes| told(crossword::formats::read(bytes), |puzzle| puzzle.entries.len())
        ),
        target!("crossword.lists", "word lists with scores", texts(&["OREO;50\nORCA;40\n# no\nAREA\n"]), |bytes| {
            told(WordList::parse(&text(bytes)), |_| 1)
        }),
        target!("crossword.clues", "clue collections", texts(&["OREO\t1\tCookie\nORCA\t3\tSwimmer\n"]), |bytes| {
            told(ClueCollection::parse("en", &text(bytes)), |_| 1)
        }),
        target!("crossword.database", "imported clues: damaged files are refused", vec![database()], |bytes| {
            let read = ClueDatabase::open(Arc::new(bytes.to_vec()));
            if let Ok(database) = &read {
                database.recall("Black-and-white cookie", 4, 10);
                database.answers(4);
            }
            told(read, |_| 1)
        }),
    ]
}
