use super::*;
use crate::rules::{CellKind, CellShape, EntryDirection, GridCell, PuzzleGrid, PuzzleMeta};

/// A 3 × 3 puzzle with a block in the middle, a rebus, a circle and a letter already written.
fn sample() -> Puzzle {
    let cells = "CAT.A#E.RUN".chars().filter(|&c| c != '.').map(|c| match c {
        '#' => GridCell { kind: CellKind::Block, ..GridCell::default() },
        letter => GridCell { solution: Some(letter.to_string()), ..GridCell::default() },
    });
    let mut grid = PuzzleGrid::new(3, cells.collect()).expect("nine cells");
    grid.cell_mut(2).solution = Some("TEN".to_owned());
    grid.cell_mut(0).shape = Some(CellShape::Circle);
    grid.cell_mut(1).fill = Some("A".to_owned());
    let clues = |list: [&str; 2]| list.map(str::to_owned).to_vec();
    let meta = PuzzleMeta {
        title: "Tiny “quotes”".into(),
        author: "Ann".into(),
        notes: "A note".into(),
        ..PuzzleMeta::default()
    };
    Puzzle::from_runs(meta, grid, clues(["Tom with ten", "Jog"]), clues(["Motor", "Ten en"])).expect("four entries")
}

#[test]
fn a_puzzle_survives() {
    let puzzle = sample();
    let bytes = write(&puzzle).expect("it fits");
    assert_eq!(read(&bytes).expect("what was written can be read"), puzzle);
    let file = Puz::parse(&bytes).expect("well formed");
    assert!(file.checksum_faults().is_empty());
    assert_eq!(file.write(), bytes);
}

#[test]
fn other_letters_need_version_two() {
    let mut puzzle = sample();
    puzzle.meta.author = "Řehoř".into();
    let bytes = write(&puzzle).expect("texts may be UTF-8");
    assert_eq!(&bytes[0x18..0x1b], b"2.0");
    assert_eq!(read(&bytes).expect("readable").meta.author, "Řehoř");
    puzzle.grid.cell_mut(0).solution = Some("Č".into());
    assert!(write(&puzzle).expect_err("letters may not").message.contains('Č'));
}

#[test]
fn a_locked_file_gives_no_solution() {
    let bytes = write(&sample()).expect("it fits");
    let mut file = Puz::parse(&bytes).expect("well formed");
    file.scramble = 4;
    let puzzle = to_puzzle(&file).expect("grid and clues are readable");
    assert!(file.locked() && !puzzle.has_solution());
}

#[test]
fn damage_is_named() {
    let bytes = write(&sample()).expect("it fits");
    let told = |bytes: &[u8]| read(bytes).expect_err("damaged").message;
    assert!(told(b"nothing of the kind").contains("ACROSS&DOWN is missing"));
    assert!(told(&bytes[..40]).contains("header is cut off"));
    assert!(told(&bytes[..58]).contains("the solution grid"));
    assert!(told(&bytes[..90]).contains("clue"), "{}", told(&bytes[..90]));
    let mut odd = bytes.clone();
    odd[0x2e] += 1;
    assert!(read(&odd).is_err());
    let mut flipped = bytes;
    flipped[0x36] ^= 1;
    assert_eq!(Puz::parse(&flipped).expect("still readable").checksum_faults(), ["file", "masked"]);
}

#[test]
fn bars_are_refused() {
    let mut puzzle = sample();
    puzzle.grid.cell_mut(3).bar_below = true;
    assert!(write(&puzzle).expect_err("no bars in .puz").message.contains("bars"));
    assert_eq!(puzzle.of(EntryDirection::Down).count(), 2);
}

#[test]
fn no_input_panics_and_what_is_read_is_written_back() {
    let good = write(&sample()).expect("it fits");
    bolero::check!().for_each(|bytes: &[u8]| {
        let mut damaged = good.clone();
        for pair in bytes.chunks_exact(2) {
            let at = usize::from(pair[0]) % damaged.len();
            damaged[at] = pair[1];
        }
        for input in [bytes, &damaged] {
            if let Ok(file) = Puz::parse(input) {
                assert_eq!(file.write(), input);
                let _ = to_puzzle(&file);
            }
        }
    });
}
