//! The baseline player: iterative-deepening alpha-beta over row counts, with a VCF search.
//!
//! It is the fixed reference opponent of the engine and does not change.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use search::{AlphaBeta, End, Limits, MATE, SearchResult, Tree};

use super::baseline_vcf::BaselineVcf;
use super::row_counts::{Index, RowCounts};
use crate::rules::{Board, Point, Position, Status};

/// Replies per node.
const WIDTH: usize = 16;
/// Fours tried at the root, and at each leaf.
const ROOT_FOURS: u32 = 20_000;
const LEAF_FOURS: u32 = 24;

/// The search with its transposition table.
pub struct Baseline {
    search: AlphaBeta<Index>,
}

/// A move of the baseline player.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineMove {
    pub point: Point,
    /// From the mover's side, in units of the row counts; see [`search::FORCED`].
    pub score: i32,
    pub depth: u32,
    pub nodes: u64,
    pub line: Vec<Point>,
}

impl Default for Baseline {
    fn default() -> Self {
        Self { search: AlphaBeta::new(18) }
    }
}

impl Baseline {
    /// The best move found within the limits; `None` where the side to move has none.
    pub fn choose(
        &mut self,
        position: &Position,
        nodes: u64,
        time: Option<Duration>,
        stop: &AtomicBool,
        mut on_progress: impl FnMut(&BaselineMove),
    ) -> Option<BaselineMove> {
        if *position.status() != Status::Running {
            return None;
        }
        let mut grid = RowCounts::new(position);
        if position.board().stones() == 0 {
            let middle = position.size() / 2;
            return Some(single(Point::new(middle, middle), 0));
        }
        if nodes > 100
            && let Some(line) = BaselineVcf::new(ROOT_FOURS.min(nodes as u32 * 4)).win(&mut grid)
        {
            let points: Vec<Point> = line.iter().map(|&index| Board::point(index)).collect();
            return Some(BaselineMove { line: points.clone(), ..single(points[0], MATE - points.len() as i32) });
        }
        let mut tree = Rows { grid, won: Vec::new() };
        let limits = Limits { nodes, time, depth: 60 };
        let convert = |found: &SearchResult<Index>| BaselineMove {
            point: Board::point(found.best),
            score: found.score,
            depth: found.depth,
            nodes: found.nodes,
            line: found.line.iter().map(|&index| Board::point(index)).collect(),
        };
        let found = self.search.search(&mut tree, limits, stop, |found| on_progress(&convert(found)));
        // In a lost renju position every candidate may be forbidden; then any legal point is played.
        found.map(|found| convert(&found)).or_else(|| position.legal_points().next().map(|point| single(point, 0)))
    }
}

fn single(point: Point, score: i32) -> BaselineMove {
    BaselineMove { point, score, depth: 0, nodes: 0, line: vec![point] }
}

/// The tree of counted rows.
struct Rows {
    grid: RowCounts,
    /// For each move made, whether it won.
    won: Vec<bool>,
}

impl Tree for Rows {
    type Move = Index;

    fn key(&self) -> u64 {
        self.grid.key()
    }

    fn end(&self) -> Option<End> {
        if self.won.last() == Some(&true) { Some(End::Lost) } else { self.grid.is_full().then_some(End::Drawn) }
    }

    fn evaluate(&mut self) -> i32 {
        self.grid.evaluate()
    }

    fn proof(&mut self, depth: u32) -> Option<i32> {
        let me = self.grid.to_move();
        if self.grid.winning_cells(me).next().is_some() {
            return Some(1);
        }
        if self.grid.winning_cells(me.opponent()).next().is_some() && self.grid.defences(me.opponent()).is_empty() {
            return Some(-2);
        }
        if depth == 0 { BaselineVcf::new(LEAF_FOURS).win(&mut self.grid).map(|line| line.len() as i32) } else { None }
    }

    fn moves(&mut self, into: &mut Vec<Index>) {
        let me = self.grid.to_move();
        if let Some(five) = self.grid.winning_cells(me).next() {
            into.push(five);
            return;
        }
        if self.grid.winning_cells(me.opponent()).next().is_some() {
            into.extend(self.grid.defences(me.opponent()));
            if !into.is_empty() {
                return;
            }
        }
        let allowed = |index: &Index| !self.grid.forbidden(*index, me);
        let mut scored: Vec<(i32, Index)> = self
            .grid
            .candidates()
            .map(|index| {
                let worth = self.grid.cell_worth(index, me, |_, _| true);
                (-(worth.attack + worth.defend), index)
            })
            .collect();
        scored.sort_unstable();
        into.extend(scored.into_iter().map(|(_, index)| index).filter(allowed).take(WIDTH));
    }

    fn make(&mut self, chosen: Index) {
        self.won.push(self.grid.wins(chosen, self.grid.to_move()));
        self.grid.make(chosen);
    }

    fn unmake(&mut self, chosen: Index) {
        self.grid.unmake(chosen);
        self.won.pop();
    }
}
