use super::*;
use crate::rules::{CellKind, GridCell, PuzzleGrid, PuzzleMeta};

/// A grid of open rows with a clue for every run.
fn puzzle(width: usize, height: usize, clue: &str) -> Puzzle {
    let cell = |at: usize| GridCell {
        kind: if at == 1 { CellKind::Block } else { CellKind::Open },
        solution: (at != 1).then(|| "Ž".to_owned()),
        fill: (at == 0).then(|| "A".to_owned()),
        bar_right: at == 2,
        shape: (at == 3).then_some(crate::rules::CellShape::Circle),
        ..GridCell::default()
    };
    let mut grid = PuzzleGrid::new(width, (0..width * height).map(cell).collect()).expect("a rectangle");
    let mut entries = grid.number_runs();
    entries.iter_mut().for_each(|entry| entry.clue = clue.to_owned());
    let meta = PuzzleMeta { title: "Řeka (1) <&>".into(), language: "cs".into(), ..PuzzleMeta::default() };
    Puzzle { meta, grid, entries, extras: serde_json::Map::new() }
}

/// Every object of the file lies where the table says.
fn check_places(file: &[u8]) -> usize {
    let text = String::from_utf8(file.to_vec()).expect("ours is ASCII");
    let start: usize =
        text.rsplit("startxref\n").next().and_then(|end| end.lines().next()?.parse().ok()).expect("a place");
    let table: Vec<&str> = text[start..].lines().skip(3).take_while(|line| line.ends_with(" n ")).collect();
    for (number, line) in table.iter().enumerate() {
        let place: usize = line[..10].parse().expect("ten digits");
        assert!(text[place..].starts_with(&format!("{} 0 obj", number + 1)), "object {number}");
    }
    text.matches("/Type /Page ").count()
}

#[test]
fn letters_are_shown_as_asked() {
    let puzzle = puzzle(5, 5, "Něco (vodního)");
    let count = |letters| svg(&puzzle, letters).matches(">Ž<").count();
    assert_eq!(
        (count(PrintedLetters::Given), count(PrintedLetters::Written), count(PrintedLetters::Solution)),
        (0, 0, 24)
    );
    assert!(
        svg(&puzzle, PrintedLetters::Written).contains(">A<") && !svg(&puzzle, PrintedLetters::Given).contains(">A<")
    );
    let picture = svg(&puzzle, PrintedLetters::Given);
    assert!(picture.contains("Vodorovně") && picture.contains("Řeka (1) &lt;&amp;&gt;"), "{picture}");
    roxmltree::Document::parse(&picture).expect("well-formed");
}

#[test]
fn files_are_sound_and_long_lists_take_more_pages() {
    let short = pdf(&puzzle(5, 5, "Něco"), PrintedLetters::Solution);
    assert_eq!(check_places(&short), 1);
    assert!(String::from_utf8_lossy(&short).contains("/Zcaron"), "letters have names");
    let long = pdf(&puzzle(30, 30, &"dlouhá nápověda ".repeat(40)), PrintedLetters::Given);
    assert!(check_places(&long) > 2);
}

#[test]
fn lines_are_never_too_wide() {
    bolero::check!().with_type::<String>().for_each(|text: &String| {
        for line in super::widths::lines(text, 9.0, 100.0) {
            let wide = super::widths::width(&line, 9.0, false);
            assert!(wide <= 100.0 || line.chars().count() == 1, "{line:?} is {wide}");
        }
        roxmltree::Document::parse(&svg(&puzzle(3, 2, text), PrintedLetters::Given))
            .expect("well-formed whatever is written");
        check_places(&pdf(&puzzle(3, 2, text), PrintedLetters::Given));
    });
}
