//! Simulation: stop reasons, independence of threads, and inference.

mod common;

use common::{dictionary, plays};
use game::Seed;
use scrabble::engine::movegen::MoveGenerator;
use scrabble::engine::simulation::{
    Allocation, KnownPosition, SimulationBudget, SimulationResult, StopReason, simulate,
};
use scrabble::engine::{Inference, MoveSort, OnePlyPlayer, PositionalModel, WinModel};
use scrabble::{Dictionary, Layout, LeaveModel, TileBoard, full_set, remove, with_graph};
use std::sync::atomic::AtomicBool;

const WORDS: &str = "aa ab ad ae ah ai al am an ar as at ax ay ba be bi by da de do ed el em en er es et ex go ha he hi ho \
    id if in is it la li lo ma me mi my na ne no of oh on or os ox oy pa pe pi re si so ta te ti to un up us we ya ye yo \
    cat cats scat tea teas eat eats seat rate rates crate crates trace react reacts stone onset tones notes zebra zebras";

/// A board with the highest-scoring way to lay a word first.
fn board_with(d: &Dictionary, layout: &Layout, word: &str) -> TileBoard {
    let mut board = TileBoard::new(layout);
    let tiles = d.alphabet().encode(word).unwrap();
    let first = plays(d, layout, &board, &tiles).into_iter().max_by_key(|p| (p.laid, p.score)).unwrap();
    with_graph!(d, graph => { board.place(graph, d.values(), &first); });
    board
}

const ITERATIONS: u64 = 60_000;

fn run(positional: Option<&PositionalModel>, candidates: usize, parallel: bool) -> SimulationResult {
    let d = dictionary(WORDS);
    let layout = Layout::named("standard").unwrap();
    let leaves = LeaveModel::zero(d.alphabet().len());
    let player = OnePlyPlayer { dictionary: &d, layout: &layout, leaves: &leaves, sort: MoveSort::Equity };
    let board = board_with(&d, &layout, "crate");
    let rack = d.alphabet().encode("zebrasi").unwrap();
    let mut unseen = full_set(d.alphabet());
    remove(&mut unseen, rack.iter().copied().chain(d.alphabet().encode("crate").unwrap()));
    let known_position = KnownPosition {
        board: &board,
        rack: &rack,
        unseen: &unseen,
        opponent_tiles: 7,
        opponent_known: &[],
        lead: 0,
        inference: None,
        positional,
    };
    let budget = SimulationBudget { parallel, ..SimulationBudget::best_arm(candidates, ITERATIONS, 3) };
    simulate(&player, &WinModel::default(), &known_position, budget, &AtomicBool::new(false))
}

#[test]
fn best_arm_ends_with_one_candidate_on_any_number_of_threads() {
    let alone = run(None, 12, false);
    assert!(alone.iterations < ITERATIONS, "{} iterations", alone.iterations);
    assert_eq!(alone.candidates.iter().filter(|c| !c.pruned).count(), 1);
    assert!(!alone.candidates[0].pruned);
    assert!(alone.candidates.iter().all(|c| c.iterations > 0), "without a prior every candidate is sampled");
    let together = run(None, 12, true);
    let summary =
        |s: &SimulationResult| s.candidates.iter().map(|c| (c.turn.clone(), c.iterations, c.mean)).collect::<Vec<_>>();
    assert_eq!(summary(&alone), summary(&together));
}

#[test]
fn hopeless_candidates_get_no_rollouts() {
    let positional_equity = run(Some(&PositionalModel::default()), 50, false);
    let best = positional_equity.candidates.iter().map(|c| c.equity).max().unwrap();
    let hopeless: Vec<_> = positional_equity.candidates.iter().filter(|c| c.equity < best - 15_000).collect();
    assert!(!hopeless.is_empty(), "the position has bad turns");
    assert!(hopeless.iter().all(|c| c.pruned && c.iterations == 0));
    let close = positional_equity.candidates.iter().filter(|c| c.equity > best - 2_000);
    assert!(close.filter(|c| c.equity < best).all(|c| c.iterations > 0), "close candidates are sampled");
}

#[test]
fn tiles_that_would_have_been_played_are_rarely_inferred() {
    let d = dictionary(WORDS);
    let layout = Layout::named("standard").unwrap();
    let leaves = LeaveModel::zero(d.alphabet().len());
    let player = OnePlyPlayer { dictionary: &d, layout: &layout, leaves: &leaves, sort: MoveSort::Equity };
    let before = board_with(&d, &layout, "zebra");
    // with an S "zebras" could have been played, but was not
    let poor = plays(&d, &layout, &before, &d.alphabet().encode("e").unwrap());
    let poor = poor.into_iter().min_by_key(|p| p.score).unwrap();
    let (s, v) = (d.alphabet().encode("s").unwrap()[0], d.alphabet().encode("v").unwrap()[0]);
    let inference = Inference::from_last_play(&before, &poor, 20, 1).unwrap();
    let mut rng = Seed(1).rng(0);
    let mut kept_s = 0;
    with_graph!(d, graph => {
        let generator = MoveGenerator::new(graph, d.values(), &layout);
        for _ in 0..200 {
            let mut pool = [[s; 10], [v; 10]].concat();
            let leave = inference.sample(&player, &generator, &mut rng, &mut pool);
            assert_eq!((leave.len(), pool.len()), (1, 19));
            assert_eq!(pool.iter().chain(&leave).filter(|&&t| t == s).count(), 10, "no tile is lost");
            kept_s += (leave[0] == s) as u32;
        }
    });
    assert!(kept_s < 60, "{kept_s} of 200");
    assert!(Inference::from_last_play(&before, &poor, 20, 0).is_none(), "nothing was kept");
}

#[test]
fn uniform_allocation_gives_every_candidate_every_iteration() {
    let d = dictionary(WORDS);
    let layout = Layout::named("standard").unwrap();
    let leaves = LeaveModel::zero(d.alphabet().len());
    let player = OnePlyPlayer { dictionary: &d, layout: &layout, leaves: &leaves, sort: MoveSort::Equity };
    let board = board_with(&d, &layout, "crate");
    let rack = d.alphabet().encode("zebrasi").unwrap();
    let mut unseen = full_set(d.alphabet());
    remove(&mut unseen, rack.iter().copied().chain(d.alphabet().encode("crate").unwrap()));
    let known = d.alphabet().encode("qz").unwrap()[..1].to_vec();
    let position = KnownPosition {
        board: &board,
        rack: &rack,
        unseen: &unseen,
        opponent_tiles: 7,
        opponent_known: &known,
        lead: 0,
        inference: None,
        positional: Some(&PositionalModel::default()),
    };
    let budget =
        SimulationBudget { allocation: Allocation::Uniform, plies: Some(3), ..SimulationBudget::best_arm(6, 70, 1) };
    let result = simulate(&player, &WinModel::default(), &position, budget, &AtomicBool::new(false));
    assert_eq!(result.stopped, StopReason::Iterations);
    assert_eq!(result.candidates.len(), 6);
    for candidate in &result.candidates {
        assert_eq!((candidate.iterations, candidate.mean_plies, candidate.plies.len()), (70, 3.0, 3));
        assert!(candidate.plies.iter().all(|ply| ply.iterations == 70));
        let ([low, high], [win_low, win_high]) = (candidate.mean_interval, candidate.win_interval);
        assert!(low < candidate.mean && candidate.mean < high && win_low <= candidate.win && candidate.win <= win_high);
    }
    let means: Vec<f64> = result.candidates.iter().map(|c| c.win + 0.001 * c.mean).collect();
    assert!(means.is_sorted_by(|a, b| a >= b), "{means:?}");
}
