//! The engine's board against the rules: patterns after any moves and undos, fives, forbidden points.

use gomoku::engine::geometry::Cell;
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::pattern_tables::Class;
use gomoku::rules::{Color, Point, PositionSetup, Rule, Stone};

const RULES: [Rule; 5] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

fn assert_same(a: &PatternBoard, b: &PatternBoard) {
    assert_eq!(a.hash(), b.hash());
    assert_eq!(a.candidates(), b.candidates());
    for colour in [Color::Black, Color::White] {
        assert_eq!(a.counts(colour), b.counts(colour));
        assert_eq!(a.hot(colour), b.hot(colour));
        assert_eq!(a.evaluate(colour), b.evaluate(colour));
        a.empties().for_each(|cell| {
            assert_eq!(a.code(cell, colour), b.code(cell, colour));
            assert_eq!(a.class(cell, colour), b.class(cell, colour));
        });
    }
}

#[test]
fn patterns_after_moves_and_undos_equal_those_of_a_fresh_board() {
    let mut random = Random(7);
    for rule in RULES {
        for size in [5u8, 15, 20, 22] {
            let mut position = PatternBoard::new(rule, size).expect("a playable size");
            let mut colour = Color::Black;
            for _ in 0..60 {
                let cell =
                    Cell::of(Point { x: random.below(size as usize) as u8, y: random.below(size as usize) as u8 });
                if random.below(3) == 0 && !position.moves().is_empty() {
                    position.undo();
                } else if position.is_empty(cell) {
                    position.place(cell, colour);
                    colour = colour.opponent();
                }
            }
            let stones: Vec<(Point, Color)> = position.moves().iter().map(|&(c, k)| (c.point(), k)).collect();
            let mut fresh = PatternBoard::new(rule, size).expect("a playable size");
            fresh.set(&stones).expect("distinct stones");
            assert_same(&position, &fresh);
        }
    }
}

/// Random stones crowded enough that fives and forbidden shapes occur.
fn crowded(random: &mut Random, size: u8, count: usize) -> Vec<Stone> {
    let mut stones: Vec<Stone> = Vec::new();
    while stones.len() < count {
        let point = Point { x: random.below(size as usize) as u8, y: random.below(size as usize) as u8 };
        if stones.iter().all(|s| s.point != point) {
            let color = if random.below(5) < 3 { Color::Black } else { Color::White };
            stones.push(Stone { point, color });
        }
    }
    stones
}

#[test]
fn fives_and_forbidden_points_are_those_of_the_rules() {
    let mut random = Random(99);
    let mut forbidden_seen = 0;
    for rule in RULES {
        for round in 0..60 {
            let size = 9;
            let stones = crowded(&mut random, size, 18 + round % 20);
            let setup = PositionSetup { rule, size, stones: stones.clone(), to_move: Color::Black };
            let Ok(board) = setup.position() else { continue };
            if board.is_over() {
                continue;
            }
            let mut position = PatternBoard::new(rule, size).expect("a playable size");
            let list: Vec<(Point, Color)> = stones.iter().map(|s| (s.point, s.color)).collect();
            position.set(&list).expect("distinct stones");
            for point in Point::all(size) {
                let cell = Cell::of(point);
                if !position.is_empty(cell) {
                    continue;
                }
                let forbidden = board.forbidden(point).is_some();
                assert_eq!(position.is_forbidden(cell), forbidden, "{rule} {list:?} {point:?}");
                forbidden_seen += usize::from(forbidden);
                for colour in [Color::Black, Color::White] {
                    let mut next =
                        PositionSetup { to_move: colour, ..setup.clone() }.position().expect("the same stones");
                    let wins = next.play(point).is_ok() && next.is_over() && !next.board().is_full();
                    let five = position.class(cell, colour) == Class::Five as u8;
                    assert_eq!(five, wins, "{rule} {list:?} {point:?} {colour:?}");
                }
            }
        }
    }
    assert!(forbidden_seen > 30, "only {forbidden_seen} forbidden points were met");
}
