//! Claimed wins replayed by the rules alone against every defence.

use std::time::Duration;

use gomoku::engine::{ProofNode, SolveKind, SolverRequest, Verdict, solve, solve_request};
use gomoku::rules::{Color, Point, Position, PositionSetup, Rule, Stone};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

fn winner(position: &Position, point: Point) -> bool {
    let mut next = position.clone();
    next.play(point).is_ok() && next.is_over() && !next.board().is_full()
}

/// Plays the solver's moves for the attacker against all legal replies; panics on the first that escapes.
fn replay(position: &Position, attacker: Color, kind: SolveKind, left: usize, checked: &mut usize) {
    *checked += 1;
    if position.legal_points().any(|p| winner(position, p)) {
        return;
    }
    let stones: Vec<(Point, Color)> = position.stones().iter().map(|s| (s.point, s.color)).collect();
    let rule = position.rule();
    let solution =
        solve(rule, position.size(), &stones, attacker, kind, Duration::from_secs(20)).expect("a legal position");
    assert_eq!(solution.verdict, Verdict::Win, "{rule}: the win is lost at {stones:?}");
    assert!(left > 0, "{rule}: the win does not come to an end at {stones:?}");
    let mut next = position.clone();
    next.play(solution.line[0]).expect("a legal attack");
    let replies: Vec<Point> = next.legal_points().collect();
    for reply in replies {
        assert!(!winner(&next, reply), "{rule}: {reply:?} wins for the defender at {stones:?}");
        let mut after = next.clone();
        after.play(reply).expect("a legal reply");
        replay(&after, attacker, kind, left - 1, checked);
    }
}

/// Checks a proof by the rules: every reply that it does not list must lose to fours.
fn check_proof(position: &Position, proof: &ProofNode) {
    let mut next = position.clone();
    next.play(proof.attack).expect("a legal attack");
    if next.is_over() {
        return;
    }
    let attacker = position.to_move();
    for reply in next.legal_points().collect::<Vec<Point>>() {
        assert!(!winner(&next, reply), "{reply:?} wins for the defender");
        let mut after = next.clone();
        after.play(reply).expect("a legal reply");
        match proof.replies.iter().find(|(listed, _)| *listed == reply) {
            Some((_, rest)) => check_proof(&after, rest),
            None if after.legal_points().any(|point| winner(&after, point)) => {}
            None => {
                let stones: Vec<(Point, Color)> = after.stones().iter().map(|s| (s.point, s.color)).collect();
                let time = Duration::from_secs(20);
                let fours = solve(after.rule(), after.size(), &stones, attacker, SolveKind::Vcf, time).expect("legal");
                assert_eq!(fours.verdict, Verdict::Win, "the proof forgets {reply:?} at {stones:?}");
            }
        }
    }
}

#[test]
fn the_main_search_completes_what_threats_do_not_find() {
    // a reproducible budget: the same verdict and nodes twice
    let list = stones("H8 I9 H9 H10 J8 I8 I10 G9 K7 G7");
    let request = SolverRequest {
        rule: Rule::Freestyle,
        size: 15,
        stones: &list,
        attacker: Color::Black,
        kind: SolveKind::Vct,
        time: None,
        nodes: Some(30_000),
        proof: 0,
    };
    let (one, two) = (solve_request(&request).expect("legal"), solve_request(&request).expect("legal"));
    assert_eq!((one.verdict, one.nodes, &one.line), (two.verdict, two.nodes, &two.line));
    assert!(one.nodes < 60_000, "{} nodes", one.nodes);
}

#[test]
fn claimed_wins_hold_against_every_defence() {
    let mut random = Random(2026);
    let (mut wins, mut proofs) = (0, 0);
    for rule in [Rule::Freestyle, Rule::Renju, Rule::Standard, Rule::Caro] {
        for _ in 0..40 {
            let mut stones: Vec<Stone> = Vec::new();
            while stones.len() < 10 {
                let point = Point { x: 2 + random.below(6) as u8, y: 2 + random.below(6) as u8 };
                if stones.iter().all(|s| s.point != point) {
                    let color = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
                    stones.push(Stone { point, color });
                }
            }
            for attacker in [Color::Black, Color::White] {
                let setup = PositionSetup { rule, size: 10, stones: stones.clone(), to_move: attacker };
                let Ok(position) = setup.position() else { continue };
                if position.is_over() {
                    continue;
                }
                let list: Vec<(Point, Color)> = stones.iter().map(|s| (s.point, s.color)).collect();
                let answer =
                    solve(rule, 10, &list, attacker, SolveKind::Vct, Duration::from_millis(30)).expect("legal");
                // short wins only: every reply is tried at every step
                if answer.verdict == Verdict::Win && answer.line.len() <= 7 && wins < 10 {
                    wins += 1;
                    replay(&position, attacker, SolveKind::Vct, 12, &mut 0);
                    let request = SolverRequest {
                        rule,
                        size: 10,
                        stones: &list,
                        attacker,
                        kind: SolveKind::Vct,
                        time: None,
                        nodes: Some(200_000),
                        proof: 2_000,
                    };
                    let again = solve_request(&request).expect("legal");
                    if let Some(proof) = &again.proof {
                        proofs += 1;
                        check_proof(&position, proof);
                    }
                }
            }
        }
    }
    assert!(wins >= 6, "only {wins} wins were found to replay");
    assert!(proofs >= 3, "only {proofs} of {wins} wins came with a proof");
}

/// Puts names such as `H8` on a 15 × 15 board, black first.
fn stones(names: &str) -> Vec<(Point, Color)> {
    names
        .split_whitespace()
        .enumerate()
        .map(|(i, n)| (Point::parse(n, 15).expect("a point"), if i % 2 == 0 { Color::Black } else { Color::White }))
        .collect()
}

#[test]
fn a_four_three_is_a_win_and_its_line_ends_in_five() {
    // black: a blocked three on the row and an open two on the column, crossing at K8
    let list = stones("H8 G8 I8 A1 J8 A15 K9 O1 K10 O15");
    let answer = solve(Rule::Freestyle, 15, &list, Color::Black, SolveKind::Vcf, Duration::from_secs(2))
        .expect("a legal position");
    assert_eq!(answer.verdict, Verdict::Win);
    let mut all: Vec<Stone> = list.iter().map(|&(point, color)| Stone { point, color }).collect();
    all.truncate(10);
    let mut position = PositionSetup { rule: Rule::Freestyle, size: 15, stones: all, to_move: Color::Black }
        .position()
        .expect("legal");
    for point in &answer.line {
        position.play(*point).expect("a legal move of the line");
    }
    assert!(position.is_over());
}

#[test]
fn white_wins_in_renju_when_the_only_answer_is_forbidden() {
    // white makes a four whose fifth point is an overline for black: E8 F8 G8 · I8 J8 black on the row
    let list = [
        ("E8", Color::Black),
        ("F8", Color::Black),
        ("G8", Color::Black),
        ("I8", Color::Black),
        ("J8", Color::Black),
        ("H7", Color::White),
        ("H6", Color::White),
        ("H5", Color::White),
        ("H3", Color::Black),
    ]
    .map(|(name, colour)| (Point::parse(name, 15).expect("a point"), colour));
    let answer =
        solve(Rule::Renju, 15, &list, Color::White, SolveKind::Vcf, Duration::from_secs(2)).expect("a legal position");
    assert_eq!(answer.verdict, Verdict::Win);
    let freestyle = solve(Rule::Freestyle, 15, &list, Color::Black, SolveKind::Vcf, Duration::from_secs(2))
        .expect("a legal position");
    assert_eq!(freestyle.verdict, Verdict::Win, "without the rule black simply completes six");
}
