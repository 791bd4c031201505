//! A policy network computed point by point in plain sums, as an oracle for the fast one.

use std::collections::BTreeMap;

use super::param_layout::*;
use super::{BLOCKS, POOL_SCALE, PointGraph, PolicyNet, PolicyTrainer, WIDTH};
use crate::engine::geometry::Cell;
use crate::engine::net::trainer::look_up;
use crate::engine::net::weights::ONE;
use crate::engine::net::{CHANNELS, LabelledPosition, NetTrainer};

type At = (i32, i32);

/// The logits of all points, with units as columns of numbers.
fn slowly(policy_net: &PolicyNet, windows: &BTreeMap<At, [u16; 4]>, urgency: f64) -> BTreeMap<At, f64> {
    let w = |place: usize| f64::from(policy_net.dense[place]);
    let embedded = |four: &[u16; 4], c: usize| {
        let sum: f64 = four.iter().map(|&n| f64::from(policy_net.table[usize::from(n)].0[c])).sum();
        sum.max(0.0) / f64::from(ONE)
    };
    let lifted = |four: &[u16; 4], u: usize| {
        w(LIFT_B + u) + (0..CHANNELS).map(|c| embedded(four, c) * w(LIFT + c * WIDTH + u)).sum::<f64>()
    };
    let mut units: BTreeMap<At, Vec<f64>> =
        windows.iter().map(|(&at, four)| (at, (0..WIDTH).map(|u| lifted(four, u)).collect())).collect();
    for block in 0..BLOCKS {
        let place = block_place(block);
        let pooled = |u: usize| units.values().map(|units| units[u].max(0.0)).sum::<f64>() / f64::from(POOL_SCALE);
        let pool: Vec<f64> = (0..WIDTH).map(pooled).collect();
        let convolved = |(x, y): At, u: usize| {
            let unit = |dx: i32, dy: i32| units.get(&(x + dx, y + dy)).map_or(0.0, |units| units[u].max(0.0));
            let mut sum = w(place + STAR_B + u) + unit(0, 0) * w(place + STAR_W + u);
            sum += (0..WIDTH).map(|o| pool[o] * w(place + POOL + o * WIDTH + u)).sum::<f64>();
            let mut tap = 1;
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                for n in [1, -1, 2, -2, 3, -3, 4, -4] {
                    sum += unit(n * dx, n * dy) * w(place + STAR_W + tap * WIDTH + u);
                    tap += 1;
                }
            }
            sum.max(0.0)
        };
        let after = |at: At, before: &[f64]| {
            let mixed: Vec<f64> = (0..WIDTH).map(|u| convolved(at, u)).collect();
            let unit = |u: usize| {
                let context_mix: f64 = (0..WIDTH).map(|o| mixed[o] * w(place + MIX + o * WIDTH + u)).sum();
                before[u] + w(place + MIX_B + u) + context_mix
            };
            (0..WIDTH).map(unit).collect()
        };
        units = units.iter().map(|(&at, before)| (at, after(at, before))).collect();
    }
    let logit =
        |units: &Vec<f64>| (0..WIDTH).map(|u| units[u].max(0.0) * w(OUT + u)).sum::<f64>() + w(PRIOR_WEIGHT) * urgency;
    units.iter().map(|(&at, units)| (at, logit(units))).collect()
}

#[test]
fn what_is_read_equals_plain_sums() {
    let mut policy_net = PolicyTrainer::new(&NetTrainer::new(9).quantised().table, 3).policy_net();
    // no weight stays zero
    policy_net.dense.iter_mut().enumerate().for_each(|(i, w)| *w += 0.01 * ((i % 7) as f32 - 3.0));
    let size = 11;
    let sample = LabelledPosition {
        size,
        own: vec![0, 16, 60, 61, 72],
        other: vec![1, 49, 62, 83],
        targets: Vec::new(),
        outcome: [0.0; 3],
    };
    let mut board = Vec::new();
    look_up(&sample, &mut Vec::new(), &mut board);
    // three points of four: a star has gaps, on the board and at its edges
    let cells: Vec<usize> = (0..board.len()).filter(|at| at % 4 != 2).collect();
    let at = |cell: usize| (cell as i32 % i32::from(size), cell as i32 / i32::from(size));
    let targets = slowly(&policy_net, &cells.iter().map(|&cell| (at(cell), board[cell])).collect(), 0.7);
    let mut graph = PointGraph::default();
    graph.set(cells.iter().map(|&cell| Cell::at(at(cell).0 as usize, at(cell).1 as usize)));
    let mut found = vec![0.7; cells.len()];
    policy_net.infer(&mut graph, &cells.iter().map(|&cell| board[cell]).collect::<Vec<_>>(), 1, &mut found);
    for (&cell, found) in cells.iter().zip(&found) {
        let targets = targets[&at(cell)];
        assert!(
            (f64::from(*found) - targets).abs() < 1e-3 * (1.0 + targets.abs()),
            "{cell}: {found}, slowly {targets}"
        );
    }
    let spread = found.iter().copied().fold(f32::MIN, f32::max) - found.iter().copied().fold(f32::MAX, f32::min);
    assert!(spread > 0.05, "points hardly differ: {spread}");
}
