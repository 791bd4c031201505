//! A fixed workload for benchmarks: the same nodes and moves on every machine.

use std::sync::atomic::AtomicBool;

use super::api::{Config, Engine, Evaluation, SearchLimits};
use crate::rules::{Color, Point, Rule};

/// Totals of one run of the workload.
#[derive(Clone, Copy, Debug, Default)]
pub struct Workload {
    /// Moves made and evaluated.
    pub nodes: u64,
    /// Moves of the forced-win searches, not part of `nodes`.
    pub solver_nodes: u64,
    /// Hash of all results: it changes exactly when the behaviour of the search changes.
    pub signature: u64,
}

/// Openings of the workload: board size and points from black.
const OPENINGS: [(u8, [(u8, u8); 5]); 8] = [
    (15, [(7, 7), (8, 6), (6, 8), (9, 9), (5, 6)]),
    (15, [(7, 7), (7, 6), (9, 8), (5, 8), (8, 5)]),
    (15, [(6, 8), (8, 8), (7, 5), (9, 6), (5, 5)]),
    (20, [(9, 9), (10, 11), (12, 9), (8, 12), (11, 7)]),
    (20, [(10, 10), (11, 10), (9, 12), (12, 12), (10, 8)]),
    (15, [(4, 4), (5, 6), (7, 4), (6, 7), (3, 6)]),
    (20, [(5, 5), (7, 6), (6, 8), (9, 5), (4, 8)]),
    (15, [(7, 7), (9, 8), (8, 9), (6, 6), (10, 6)]),
];
/// Moves played quickly from each opening before the measured search.
const LEAD: usize = 4;
const LEAD_NODES: u64 = 400;

/// Searches `nodes` nodes in each position of the workload, on one thread.
pub fn run(evaluation: &Evaluation, nodes: u64) -> Workload {
    let stop = AtomicBool::new(false);
    let mut done = Workload { signature: 0xCBF2_9CE4_8422_2325, ..Workload::default() };
    let mut engines = [15, 20].map(|size| {
        let config = Config { table_mb: 8, ..Config::new(Rule::Freestyle, size).with_evaluation(evaluation.clone()) };
        Engine::new(config).expect("both sizes are played")
    });
    for (size, opening) in OPENINGS {
        let engine = &mut engines[usize::from(size == 20)];
        engine.clear();
        let mut stones: Vec<(Point, Color)> = Vec::new();
        for (x, y) in opening {
            stones.push((Point { x, y }, colour(stones.len())));
        }
        for step in 0..=LEAD {
            let limits = SearchLimits::nodes(if step == LEAD { nodes } else { LEAD_NODES });
            let mover = colour(stones.len());
            let Ok(report) = engine.search(&stones, mover, &limits, &stop, &mut |_| {}) else { break };
            done.nodes += report.nodes;
            done.solver_nodes += report.solver_nodes;
            for word in [report.nodes, u64::from(report.best.x), u64::from(report.best.y), u64::from(report.depth)] {
                done.signature = (done.signature ^ word).wrapping_mul(0x0000_0100_0000_01B3);
            }
            stones.push((report.best, mover));
        }
    }
    done
}

fn colour(stones: usize) -> Color {
    if stones.is_multiple_of(2) { Color::Black } else { Color::White }
}
