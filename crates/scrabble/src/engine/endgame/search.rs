//! The search: negamax with iterative deepening, aspiration windows and a transposition table.

use super::lanes::{K, LaneCache, mix, rack_key};
use crate::engine::movegen::{MoveGenerator, NoLeaves, Rack};
use crate::rules::{Dictionary, Layout, Play, TileBoard, Undo, rack_value};
use crate::with_graph;
use lexicon::{Tile, WalkArc};
use std::time::{Duration, Instant};

/// What a value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStatus {
    /// The game-theoretic value.
    Proved,
    /// The value comes from a depth-limited search: the search was stopped.
    Bound,
}

/// Limits of the search; without any it runs until the value is proved.
#[derive(Clone, Copy, Debug, Default)]
pub struct EndgameLimits {
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// Deepest iteration.
    pub depth: Option<usize>,
}

/// Result of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct EndgameSolution {
    pub status: ProofStatus,
    /// Gain in spread for the side to move, from here to the end of the game.
    pub value: i32,
    pub nodes: u64,
    pub seconds: f64,
    /// Deepest completed iteration.
    pub depth: usize,
    /// Principal variation; `None` is a pass.
    pub line: Vec<Option<Play>>,
}

/// A position with an empty bag.
pub struct Endgame<'a> {
    pub dictionary: &'a Dictionary,
    pub layout: &'a Layout,
    pub board: TileBoard,
    /// Rack of the side to move, then the opponent's.
    pub racks: [Vec<Tile>; 2],
    /// Whether the last turn was a pass.
    pub passed: bool,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    value: i16,
    best: u16,
    /// Remaining depth it was searched to; 255 when the subtree was complete.
    depth: u8,
    /// 0 none, 1 exact, 2 at least, 3 at most.
    kind: u8,
}

/// A node of the search tree.
#[derive(Clone, Copy)]
struct Node {
    /// 0 is the side to move at the root.
    side: usize,
    /// Whether the last turn was a pass.
    passed: bool,
    /// Remaining depth.
    depth: usize,
    ply: usize,
}

impl Node {
    /// The node after a turn of this one.
    fn next(self, passed: bool) -> Self {
        Self { side: 1 - self.side, passed, depth: self.depth - 1, ply: self.ply + 1 }
    }
}

const COMPLETE: u8 = 255;
const PASS: u16 = u16::MAX;
const INFINITE: i32 = 20_000;

struct Search<'s, 'a, A> {
    generator: &'s MoveGenerator<'a, A>,
    graph: &'a lexicon::WalkGraph<A>,
    dictionary: &'a Dictionary,
    board: TileBoard,
    racks: [Vec<Tile>; 2],
    values: [i32; 2],
    board_hash: u64,
    cache: LaneCache,
    table: Vec<Entry>,
    nodes: u64,
    limits: EndgameLimits,
    started: Instant,
    stopped: bool,
    lists: Vec<Vec<Play>>,
    orders: Vec<Vec<(i32, u16)>>,
    undos: Vec<Undo>,
}

/// Entries of the transposition table, scaled to the node limit.
fn table_size(limits: EndgameLimits) -> usize {
    const MOST: usize = 1 << 19;
    limits.nodes.map_or(MOST, |n| (n.min(MOST as u64) as usize * 2).next_power_of_two().clamp(1 << 10, MOST))
}

impl Endgame<'_> {
    /// Solves the position within the limits.
    pub fn solve(&self, limits: EndgameLimits) -> EndgameSolution {
        with_graph!(self.dictionary, graph => {
            let generator = MoveGenerator::new(graph, self.dictionary.values(), self.layout);
            let mut racks = self.racks.clone();
            racks.iter_mut().for_each(|r| r.sort_unstable());
            let values = [rack_value(self.dictionary, &racks[0]), rack_value(self.dictionary, &racks[1])];
            let mut search = Search {
                generator: &generator,
                graph,
                dictionary: self.dictionary,
                board: self.board.clone(),
                racks,
                values,
                board_hash: 0,
                cache: LaneCache::new(),
                table: vec![Entry::default(); table_size(limits)],
                nodes: 0,
                limits,
                started: Instant::now(),
                stopped: false,
                lists: Vec::new(),
                orders: Vec::new(),
                undos: Vec::new(),
            };
            search.solve(self.passed)
        })
    }
}

impl<A: WalkArc> Search<'_, '_, A> {
    fn solve(&mut self, passed: bool) -> EndgameSolution {
        let most = 2 * (self.racks[0].len() + self.racks[1].len()) + 2;
        let most = self.limits.depth.unwrap_or(most).min(most);
        let (mut value, mut depth, mut status) = (0, 0, ProofStatus::Bound);
        let mut line = Vec::new();
        for limit in 1..=most {
            let (found, exact) = if limit <= 2 {
                self.negamax(Node { side: 0, passed, depth: limit, ply: 0 }, -INFINITE, INFINITE)
            } else {
                self.aspirate(passed, value, limit)
            };
            if self.stopped {
                break;
            }
            (value, depth) = (found, limit);
            line = self.line(passed);
            if exact {
                status = ProofStatus::Proved;
                break;
            }
        }
        let seconds = self.started.elapsed().as_secs_f64();
        EndgameSolution { status, value, nodes: self.nodes, seconds, depth, line }
    }

    /// Aspiration window: searches around the last iteration's value and widens when it falls outside.
    fn aspirate(&mut self, passed: bool, guess: i32, limit: usize) -> (i32, bool) {
        let mut width = 4;
        let (mut low, mut high) = (guess - width, guess + width);
        loop {
            let (found, exact) = self.negamax(Node { side: 0, passed, depth: limit, ply: 0 }, low, high);
            if self.stopped || (found > low && found < high) {
                return (found, exact);
            }
            width *= 4;
            if found <= low {
                low = found - width;
            } else {
                high = found + width;
            }
        }
    }

    fn key(&self, side: usize, passed: bool) -> u64 {
        let racks = mix(mix(K, rack_key(&self.racks[side])), rack_key(&self.racks[1 - side]));
        mix(mix(racks, passed as u64), self.board_hash)
    }

    /// The value for the side to move, and whether it is exact: no evaluation at the depth limit contributed.
    fn negamax(&mut self, node: Node, alpha: i32, beta: i32) -> (i32, bool) {
        let Node { side, passed, depth, ply } = node;
        self.nodes += 1;
        if self.nodes & 255 == 0 {
            let late = self.limits.time.is_some_and(|t| self.started.elapsed() >= t);
            self.stopped |= late || self.limits.nodes.is_some_and(|n| self.nodes >= n);
        }
        if self.stopped {
            return (0, false);
        }
        if depth == 0 {
            return self.playout(side, passed, ply);
        }
        let key = self.key(side, passed);
        let slot = (key >> 8) as usize & (self.table.len() - 1);
        let entry = self.table[slot];
        let mut first = None;
        if entry.kind != 0 && entry.key == key {
            let value = entry.value as i32;
            let deep = entry.depth == COMPLETE || entry.depth as usize >= depth;
            if deep
                && ply > 0
                && (entry.kind == 1 || (entry.kind == 2 && value >= beta) || (entry.kind == 3 && value <= alpha))
            {
                return (value, entry.depth == COMPLETE);
            }
            first = Some(entry.best);
        }
        self.prepare(side, ply, first);
        let (mut best, mut best_move, mut exact, mut low) = (-INFINITE, PASS, true, alpha);
        let count = self.orders[ply].len();
        for i in 0..count {
            let index = self.orders[ply][i].1;
            let (value, sure) = self.child(node, index, (low, beta), i == 0);
            if self.stopped {
                return (0, false);
            }
            exact &= sure;
            if value > best {
                best = value;
                best_move = index;
                low = low.max(value);
                if low >= beta {
                    // a beta cut-off is exact if this one line is
                    exact = sure;
                    break;
                }
            }
        }
        let kind = if best >= beta {
            2
        } else if best > alpha {
            1
        } else {
            3
        };
        let depth = if exact { COMPLETE } else { depth.min(254) as u8 };
        self.table[slot] = Entry { key, value: best as i16, best: best_move, depth, kind };
        (best, exact)
    }

    /// Principal variation search: a null window first, except for the first move (`full`).
    fn child(&mut self, node: Node, index: u16, (low, beta): (i32, i32), full: bool) -> (i32, bool) {
        let Node { side, passed, ply, .. } = node;
        if index == PASS {
            if passed {
                return (self.values[1 - side] - self.values[side], true);
            }
            let (value, sure) = self.negamax(node.next(true), -beta, -low);
            return (-value, sure);
        }
        let play = self.lists[ply][index as usize];
        let gain = play.score as i32;
        if play.laid as usize == self.racks[side].len() {
            return (gain + 2 * self.values[1 - side], true);
        }
        let before = self.make(side, &play, ply);
        let mut answer = (0, false);
        let mut again = true;
        if !full && beta - low > 1 {
            let (value, sure) = self.negamax(node.next(false), -(low + 1 - gain), -(low - gain));
            answer = (gain - value, sure);
            again = answer.0 > low && answer.0 < beta && !self.stopped;
        }
        if again {
            let (value, sure) = self.negamax(node.next(false), -(beta - gain), -(low - gain));
            answer = (gain - value, sure);
        }
        self.unmake(side, before, ply);
        answer
    }

    fn make(&mut self, side: usize, play: &Play, ply: usize) -> (Vec<Tile>, i32, u64) {
        let before = (self.racks[side].clone(), self.values[side], self.board_hash);
        for (row, column, tile) in play.laid_tiles() {
            self.board_hash ^= mix(K, ((row * 32 + column) as u64) << 8 | tile as u64);
        }
        let mut undo = std::mem::take(&mut self.undos[ply]);
        self.board.place_into(self.graph, self.dictionary.values(), play, &mut undo);
        self.undos[ply] = undo;
        for tile in play.rack_tiles() {
            let at = self.racks[side].iter().position(|&t| t == tile).expect("generated plays use tiles of the rack");
            self.racks[side].remove(at);
        }
        self.values[side] = rack_value(self.dictionary, &self.racks[side]);
        before
    }

    fn unmake(&mut self, side: usize, before: (Vec<Tile>, i32, u64), ply: usize) {
        (self.racks[side], self.values[side], self.board_hash) = before;
        let undo = std::mem::take(&mut self.undos[ply]);
        self.board.undo(&undo);
        self.undos[ply] = undo;
    }

    /// Generates and orders the moves of a ply; the hash move comes first.
    fn prepare(&mut self, side: usize, ply: usize, first: Option<u16>) {
        while self.lists.len() <= ply + 1 {
            self.lists.push(Vec::new());
            self.orders.push(Vec::new());
            self.undos.push(Undo::default());
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        let mut order = std::mem::take(&mut self.orders[ply]);
        list.clear();
        order.clear();
        let rack = Rack::new(&self.racks[side], &NoLeaves);
        self.cache.all(self.generator, &self.board, &rack, &mut list);
        let values = self.dictionary.values();
        let other = self.values[1 - side];
        for (i, play) in list.iter().enumerate() {
            let estimate = if play.laid as usize == self.racks[side].len() {
                play.score as i32 + 2 * other + 1000
            } else {
                play.score as i32 + play.rack_tiles().map(|t| values[t as usize & 63]).sum::<i32>()
            };
            let bonus = if first == Some(i as u16) { 100_000 } else { 0 };
            order.push((-(estimate + bonus), i as u16));
        }
        order.push((if first == Some(PASS) { -100_000 } else { 0 }, PASS));
        order.sort_unstable();
        self.lists[ply] = list;
        self.orders[ply] = order;
    }

    /// Greedy playout: both sides take their top-ordered move to the end. Exact only if the game is over at once.
    fn playout(&mut self, side: usize, passed: bool, ply: usize) -> (i32, bool) {
        self.prepare(side, ply, None);
        let index = self.orders[ply][0].1;
        if index == PASS {
            let over = self.values[1 - side] - self.values[side];
            if passed {
                return (over, true);
            }
            // the opponent plays out alone
            let (value, sure) = self.playout(1 - side, true, ply + 1);
            return (-value, sure && self.orders[ply].len() == 1);
        }
        let play = self.lists[ply][index as usize];
        let gain = play.score as i32;
        if play.laid as usize == self.racks[side].len() {
            return (gain + 2 * self.values[1 - side], false);
        }
        let before = self.make(side, &play, ply);
        let (value, _) = self.playout(1 - side, false, ply + 1);
        self.unmake(side, before, ply);
        (gain - value, false)
    }

    /// The principal variation from the transposition table.
    fn line(&mut self, passed: bool) -> Vec<Option<Play>> {
        let mut line = Vec::new();
        self.follow(0, passed, 0, &mut line);
        line
    }

    fn follow(&mut self, side: usize, passed: bool, ply: usize, line: &mut Vec<Option<Play>>) {
        let key = self.key(side, passed);
        let entry = self.table[(key >> 8) as usize & (self.table.len() - 1)];
        if entry.kind == 0 || entry.key != key || ply > 40 {
            return;
        }
        if entry.best == PASS {
            line.push(None);
            if !passed {
                self.prepare(1 - side, ply + 1, None);
                self.follow(1 - side, true, ply + 1, line);
            }
            return;
        }
        self.prepare(side, ply, None);
        let play = self.lists[ply][entry.best as usize];
        line.push(Some(play));
        if play.laid as usize == self.racks[side].len() {
            return;
        }
        let before = self.make(side, &play, ply);
        self.follow(1 - side, false, ply + 1, line);
        self.unmake(side, before, ply);
    }
}
