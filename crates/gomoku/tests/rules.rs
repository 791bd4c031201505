//! The rules by example: winning lines, forbidden points, set-ups that are refused, counts from files.

use gomoku::formats::plain;
use gomoku::rules::{
    Color, Forbidden, MoveError, Perft, Point, Position, PositionSetup, Rule, SetupError, Status, Stone, forbidden,
    perft,
};

/// A board drawn as text: `X` black, `O` white, rows from the top.
fn drawn(rule: Rule, rows: &[&str], to_move: Color) -> Position {
    let mut setup = PositionSetup { to_move, ..PositionSetup::empty(rule, rows.len() as u8) };
    for (y, row) in rows.iter().enumerate() {
        for (x, mark) in row.split_whitespace().enumerate() {
            let color = match mark {
                "X" => Color::Black,
                "O" => Color::White,
                _ => continue,
            };
            setup.stones.push(Stone { point: Point::new(x as u8, y as u8), color });
        }
    }
    setup.position().unwrap()
}

/// Plays black at the middle of a horizontal line in the middle of a board of nine and says whether that wins.
fn black_wins(rule: Rule, line: &str) -> bool {
    let empty = ". . . . . . . . .";
    let rows: Vec<&str> = (0..9).map(|y| if y == 4 { line } else { empty }).collect();
    let mut position = drawn(rule, &rows, Color::Black);
    position.play(Point::new(4, 4)).is_ok() && matches!(position.status(), Status::Won { by: Color::Black, .. })
}

#[test]
fn which_lines_win() {
    use Rule::{Caro, CaroExact, Freestyle, Renju, Standard};
    // (line with the middle empty, rules under which a black stone there wins)
    let cases: [(&str, &[Rule]); 6] = [
        (". . X X . X X . .", &[Freestyle, Standard, Renju, Caro, CaroExact]),
        (". X X X . X X . .", &[Freestyle, Caro]),
        (". O X X . X X O .", &[Freestyle, Standard, Renju]),
        (". O X X . X X . .", &[Freestyle, Standard, Renju, Caro, CaroExact]),
        ("O X X X . X X O .", &[Freestyle, Caro]),
        ("X X X X . O . . .", &[Freestyle, Standard, Renju, Caro, CaroExact]),
    ];
    for (line, winning) in cases {
        for rule in Rule::ALL {
            assert_eq!(black_wins(rule, line), winning.contains(&rule), "{line} under {rule}");
        }
    }
}

#[test]
fn white_wins_with_six_in_renju_only_black_does_not() {
    let rows = [
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        "O O O . O O .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
    ];
    let mut position = drawn(Rule::Renju, &rows, Color::White);
    position.play(Point::new(3, 3)).unwrap();
    assert!(matches!(position.status(), Status::Won { by: Color::White, .. }));
}

/// What the rules say of black at the first `*` of the drawing.
fn verdict(rows: &[&str]) -> Option<Forbidden> {
    let position = drawn(Rule::Renju, rows, Color::Black);
    let marked = rows
        .iter()
        .enumerate()
        .find_map(|(y, row)| row.split_whitespace().position(|mark| mark == "*").map(|x| Point::new(x as u8, y as u8)));
    forbidden(position.board(), marked.expect("a point is marked"))
}

#[test]
fn forbidden_points_by_example() {
    // Two open threes cross.
    let double_three = [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . X . . . .",
        ". . . X * X . . .",
        ". . . . X . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ];
    assert_eq!(verdict(&double_three), Some(Forbidden::DoubleThree));
    // One of them is stopped: a three and a half is allowed.
    let mut stopped = double_three;
    stopped[2] = ". . . . O . . . .";
    assert_eq!(verdict(&stopped), None);
    // Two fours in one line, and a five that overrules everything.
    let empty = ". . . . . . . . .";
    let with = |line| [empty, empty, empty, empty, line, empty, empty, empty, empty];
    assert_eq!(verdict(&with("X . X * X . X . .")), Some(Forbidden::DoubleFour));
    assert_eq!(verdict(&with(". X X X * X X . .")), Some(Forbidden::Overline));
    assert_eq!(verdict(&with(". . X X * X X . .")), None);
    // A straight four is one four.
    assert_eq!(verdict(&with(". . X X * X . . .")), None);
}

#[test]
fn a_three_counts_only_if_its_four_is_allowed() {
    // As above, but both points that would make the rising three a straight four are overlines of another row.
    let rows = [
        ". . . . . . . . . . .",
        ". . . . . . . . . . .",
        ". . . . . . . . . . .",
        ". . . . . X . . . . .",
        ". . . . X * X . . . .",
        ". . . . . X . . . . .",
        "X X X X X . X . . . .",
        ". . . . . . . . . . .",
        ". . . . . . . . . . .",
        ". . . . . . . . . . .",
        ". . . . . . . . . . .",
    ];
    // The set-up has five in a row already; what counts here is only the judgement of the marked point.
    let mut shorter = rows;
    shorter[6] = ". X X X X . X . . . .";
    // F5 (below the column) would be an overline, but F9 (above it) makes the straight four: still two threes.
    assert_eq!(verdict(&shorter), Some(Forbidden::DoubleThree));
    // With the upper side taken, no straight four is left in the column.
    shorter[2] = ". . . . . O . . . . .";
    assert_eq!(verdict(&shorter), None);
}

#[test]
fn black_is_told_why_and_white_may() {
    let mut position =
        PositionSetup::alternating(Rule::Renju, 15, plain::read("g8a1i8a3h7a5h9a7", 15).unwrap()).position().unwrap();
    let middle = Point::parse("H8", 15).unwrap();
    let refused = position.play(middle).unwrap_err();
    assert_eq!(refused, MoveError::Forbidden { point: "H8".to_owned(), why: Forbidden::DoubleThree });
    assert_eq!(refused.to_string(), "H8 is forbidden to black in renju: double three");
    position.play(Point::parse("A9", 15).unwrap()).unwrap();
    position.play(middle).unwrap();
}

#[test]
fn a_full_board_without_a_line_is_a_draw() {
    // Columns in pairs of two colours, shifted every other row: no five anywhere on a board of five.
    let mut setup = PositionSetup::empty(Rule::Freestyle, 5);
    for point in Point::all(5) {
        let black = (point.x / 2 + point.y).is_multiple_of(2);
        setup.stones.push(Stone { point, color: if black { Color::Black } else { Color::White } });
    }
    assert_eq!(setup.position().unwrap().status(), &Status::Drawn);
}

#[test]
fn set_ups_are_checked() {
    let refused = |size, stones: Vec<Stone>| {
        PositionSetup { stones, ..PositionSetup::empty(Rule::Freestyle, size) }.position().unwrap_err()
    };
    let stone = |x, y, color| Stone { point: Point::new(x, y), color };
    assert_eq!(refused(4, Vec::new()), SetupError::Size(4));
    assert_eq!(refused(23, Vec::new()).to_string(), "a board of 23 is not played; sizes run from 5 to 22");
    let twice = vec![stone(1, 1, Color::Black), stone(1, 1, Color::White)];
    assert_eq!(refused(15, twice).to_string(), "stone 2 stands at B14, which is already taken");
    let both: Vec<Stone> = (0..5).flat_map(|x| [stone(x, 0, Color::Black), stone(x, 1, Color::White)]).collect();
    assert_eq!(refused(15, both), SetupError::BothWon);
}

#[test]
fn undo_gives_back_the_position_before() {
    let mut position = Position::new(Rule::Standard, 15).unwrap();
    let mut before = Vec::new();
    for point in plain::read("h8i9h9i10h10i11h11i12h12", 15).unwrap() {
        before.push(position.clone());
        position.play(point).unwrap();
    }
    assert!(position.is_over());
    while let Some(earlier) = before.pop() {
        position.undo().unwrap();
        assert_eq!(position, earlier);
    }
    assert_eq!(position.undo(), None);
}

/// The counts of `fixtures/gomoku/perft.tsv` that can be checked quickly; `parlour gomoku perft --file` checks all.
#[test]
fn counts_of_small_boards_are_as_filed() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/gomoku/perft.tsv")).unwrap();
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [rule, size, stones, depth, sequences, positions, wins, draws] = fields[..] else {
            panic!("{line:?} has not eight fields")
        };
        let number = |text: &str| text.parse::<u64>().unwrap();
        if number(sequences) > 60_000 {
            continue;
        }
        let (rule, size) = (rule.parse().unwrap(), size.parse().unwrap());
        let position = PositionSetup::alternating(rule, size, plain::read(stones, size).unwrap()).position().unwrap();
        let expected = Perft {
            sequences: number(sequences),
            positions: number(positions),
            wins: number(wins),
            draws: number(draws),
        };
        assert_eq!(perft(&position, number(depth) as u32), expected, "{line}");
        checked += 1;
    }
    assert!(checked >= 8, "{checked} counts");
}

#[test]
fn without_lines_the_counts_are_products_of_free_points() {
    // 25·24·23·22 ordered placements; each board of two black and two white stones is reached in 2!·2! ways.
    let count = perft(&Position::new(Rule::Freestyle, 5).unwrap(), 4);
    assert_eq!(count.sequences, 25 * 24 * 23 * 22);
    assert_eq!(count.positions, 25 * 24 * 23 * 22 / 4);
    assert_eq!((count.wins, count.draws), (0, 0));
}
