//! The search against plain minimax on a game small enough to be solved by hand: nim.

use std::sync::atomic::AtomicBool;

use search::{AlphaBeta, End, FORCED, Limits, MATE, Tree};

/// Heaps of stones; who takes the last stone wins.
#[derive(Clone)]
struct Nim(Vec<u8>, Vec<(usize, u8)>);

impl Tree for Nim {
    type Move = (usize, u8);

    fn key(&self) -> u64 {
        self.0.iter().fold(self.1.len() as u64 % 2, |key, &heap| key * 31 + u64::from(heap))
    }

    fn end(&self) -> Option<End> {
        self.0.iter().all(|&heap| heap == 0).then_some(End::Lost)
    }

    fn evaluate(&mut self) -> i32 {
        0
    }

    fn proof(&mut self, _: u32) -> Option<i32> {
        None
    }

    fn moves(&mut self, into: &mut Vec<(usize, u8)>) {
        for (i, &heap) in self.0.iter().enumerate() {
            into.extend((1..=heap).map(|take| (i, take)));
        }
    }

    fn make(&mut self, chosen: (usize, u8)) {
        self.0[chosen.0] -= chosen.1;
        self.1.push(chosen);
    }

    fn unmake(&mut self, chosen: (usize, u8)) {
        assert_eq!(self.1.pop(), Some(chosen));
        self.0[chosen.0] += chosen.1;
    }
}

/// Plies to the end under best play, positive for a win of the side to move.
fn minimax(nim: &mut Nim, ply: i32) -> i32 {
    if nim.end().is_some() {
        return -(MATE - ply);
    }
    let mut moves = Vec::new();
    nim.moves(&mut moves);
    let mut best = i32::MIN;
    for chosen in moves {
        nim.make(chosen);
        best = best.max(-minimax(nim, ply + 1));
        nim.unmake(chosen);
    }
    best
}

#[test]
fn finds_the_shortest_win_and_the_longest_loss_of_every_small_nim() {
    for a in 0..4 {
        for b in 0..4 {
            for c in 1..4 {
                let mut nim = Nim(vec![a, b, c], Vec::new());
                let limits = Limits { nodes: u64::MAX, time: None, depth: 12 };
                let found = AlphaBeta::new(12).search(&mut nim, limits, &AtomicBool::new(false), |_| {}).unwrap();
                assert_eq!(found.score, minimax(&mut nim, 0), "heaps {a} {b} {c}");
                assert_eq!(found.score > FORCED, a ^ b ^ c != 0, "the nim sum decides");
            }
        }
    }
}

#[test]
fn a_node_budget_is_kept_and_the_answer_is_reproducible() {
    let limits = Limits { nodes: 500, time: None, depth: 40 };
    let search = || {
        let mut nim = Nim(vec![7, 8, 9, 10], Vec::new());
        AlphaBeta::new(10).search(&mut nim, limits, &AtomicBool::new(false), |_| {}).unwrap()
    };
    assert!(search().nodes <= 500);
    assert_eq!(search(), search());
}
