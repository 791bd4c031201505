//! The search itself.

use super::lanes::{K, LaneCache, mix, rack_key};
use crate::movegen::{Generator, NoLeaves, Rack};
use crate::rules::{Board, Dictionary, Layout, Play, Undo, worth};
use crate::with_graph;
use lexicon::{Tile, WalkArc};
use std::time::{Duration, Instant};

/// Whether a value is the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The game-theoretic value.
    Proved,
    /// The search was stopped: the value comes from a search of limited depth.
    Bound,
}

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// Deepest iteration.
    pub depth: Option<usize>,
}

/// What the search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    pub status: Status,
    /// Gain in spread for the side to move, from here to the end of the game.
    pub value: i32,
    pub nodes: u64,
    pub seconds: f64,
    /// Deepest finished iteration.
    pub depth: usize,
    /// The line both sides follow; `None` is a pass.
    pub line: Vec<Option<Play>>,
}

/// A position with an empty bag.
pub struct Endgame<'a> {
    pub dictionary: &'a Dictionary,
    pub layout: &'a Layout,
    pub board: Board,
    /// Rack of the side to move, then the other's.
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

const COMPLETE: u8 = 255;
const PASS: u16 = u16::MAX;
const INFINITE: i32 = 20_000;

struct Search<'s, 'a, A> {
    generator: &'s Generator<'a, A>,
    graph: &'a lexicon::WalkGraph<A>,
    dictionary: &'a Dictionary,
    board: Board,
    racks: [Vec<Tile>; 2],
    values: [i32; 2],
    board_hash: u64,
    cache: LaneCache,
    table: Vec<Entry>,
    nodes: u64,
    limits: Limits,
    started: Instant,
    stopped: bool,
    lists: Vec<Vec<Play>>,
    orders: Vec<Vec<(i32, u16)>>,
    undos: Vec<Undo>,
}

/// Entries of the transposition table: a short search needs only a small one.
fn table_size(limits: Limits) -> usize {
    const MOST: usize = 1 << 19;
    limits.nodes.map_or(MOST, |n| (n.min(MOST as u64) as usize * 2).next_power_of_two().clamp(1 << 10, MOST))
}

impl Endgame<'_> {
    /// Solves the position, or says how far it came.
    pub fn solve(&self, limits: Limits) -> Solution {
        with_graph!(self.dictionary, graph => {
            let generator = Generator::new(graph, self.dictionary.values(), self.layout);
            let mut racks = self.racks.clone();
            racks.iter_mut().for_each(|r| r.sort_unstable());
            let values = [worth(self.dictionary, &racks[0]), worth(self.dictionary, &racks[1])];
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
    fn solve(&mut self, passed: bool) -> Solution {
        let most = 2 * (self.racks[0].len() + self.racks[1].len()) + 2;
        let most = self.limits.depth.unwrap_or(most).min(most);
        let (mut value, mut depth, mut status) = (0, 0, Status::Bound);
        let mut line = Vec::new();
        for limit in 1..=most {
            let (found, exact) = if limit <= 2 {
                self.negamax(0, passed, -INFINITE, INFINITE, limit, 0)
            } else {
                self.aspirate(passed, value, limit)
            };
            if self.stopped {
                break;
            }
            (value, depth) = (found, limit);
            line = self.line(passed);
            if exact {
                status = Status::Proved;
                break;
            }
        }
        let seconds = self.started.elapsed().as_secs_f64();
        Solution { status, value, nodes: self.nodes, seconds, depth, line }
    }

    /// Searches with a narrow window around the last iteration's value, wider when it falls outside.
    fn aspirate(&mut self, passed: bool, guess: i32, limit: usize) -> (i32, bool) {
        let mut width = 4;
        let (mut low, mut high) = (guess - width, guess + width);
        loop {
            let (found, exact) = self.negamax(0, passed, low, high, limit, 0);
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

    /// Value for `side` and whether it is exact (no judgement at the depth limit took part).
    fn negamax(&mut self, side: usize, passed: bool, alpha: i32, beta: i32, depth: usize, ply: usize) -> (i32, bool) {
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
            let (value, sure) = self.child(side, passed, index, low, beta, depth, ply, i == 0);
            if self.stopped {
                return (0, false);
            }
            exact &= sure;
            if value > best {
                best = value;
                best_move = index;
                low = low.max(value);
                if low >= beta {
                    // a cut needs only this one line to be sure
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

    /// The value of one move, searched with a null window first unless it is the first.
    #[allow(clippy::too_many_arguments)]
    fn child(
        &mut self,
        side: usize,
        passed: bool,
        index: u16,
        low: i32,
        beta: i32,
        depth: usize,
        ply: usize,
        full: bool,
    ) -> (i32, bool) {
        if index == PASS {
            if passed {
                return (self.values[1 - side] - self.values[side], true);
            }
            let (value, sure) = self.negamax(1 - side, true, -beta, -low, depth - 1, ply + 1);
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
            let (value, sure) = self.negamax(1 - side, false, -(low + 1 - gain), -(low - gain), depth - 1, ply + 1);
            answer = (gain - value, sure);
            again = answer.0 > low && answer.0 < beta && !self.stopped;
        }
        if again {
            let (value, sure) = self.negamax(1 - side, false, -(beta - gain), -(low - gain), depth - 1, ply + 1);
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
        self.values[side] = worth(self.dictionary, &self.racks[side]);
        before
    }

    fn unmake(&mut self, side: usize, before: (Vec<Tile>, i32, u64), ply: usize) {
        (self.racks[side], self.values[side], self.board_hash) = before;
        let undo = std::mem::take(&mut self.undos[ply]);
        self.board.undo(&undo);
        self.undos[ply] = undo;
    }

    /// Generates and orders the moves of a ply; the remembered best move comes first.
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

    /// Both sides take their best-looking move to the end; exact only if the game is over at once.
    fn playout(&mut self, side: usize, passed: bool, ply: usize) -> (i32, bool) {
        self.prepare(side, ply, None);
        let index = self.orders[ply][0].1;
        if index == PASS {
            let over = self.values[1 - side] - self.values[side];
            if passed {
                return (over, true);
            }
            // the other goes on alone: its best-looking plays, one after the other
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

    /// The line of best moves from the table.
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
