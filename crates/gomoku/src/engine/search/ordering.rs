//! Which moves a node looks at, in which order, and what it remembers of them.

use super::Searcher;
use crate::engine::evaluator::Evaluator;
use crate::engine::geometry::{CELLS, Cell};
use crate::rules::{Color, Rule};

impl<J: Evaluator> Searcher<'_, J> {
    /// Generates all candidates: empty cells near stones.
    pub(super) fn generate_all(&mut self, me: Color, ply: usize) {
        let moves = &mut self.moves;
        let base = moves.len();
        self.position.candidates().for_each(|cell| moves.push((0, cell)));
        if ply == 0 {
            if base == moves.len() {
                self.position.empties().for_each(|cell| moves.push((0, cell)));
            }
            let excluded = &self.root_excluded;
            moves.retain(|m| !excluded.contains(&m.1));
        }
        self.drop_forbidden(me, base);
    }

    /// Removes points that renju forbids to black.
    fn drop_forbidden(&mut self, me: Color, base: usize) {
        if self.position.rule() != Rule::Renju || me != Color::Black {
            return;
        }
        let mut kept = base;
        for i in base..self.moves.len() {
            if !self.position.is_forbidden(self.moves[i].1) {
                self.moves[kept] = self.moves[i];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// Generates only moves that can meet an open-four threat: cells that take part in it, and fours.
    pub(super) fn generate_defences(&mut self, me: Color) {
        let moves = &mut self.moves;
        let mut set = *self.position.hot(me);
        for (row, theirs) in self.position.hot(me.opponent()).0.iter().enumerate() {
            set.0[row] |= theirs;
        }
        let base = moves.len();
        set.for_each(|cell| moves.push((0, cell)));
        self.drop_forbidden(me, base);
    }

    /// Scores the moves from `base` on for ordering.
    pub(super) fn score_moves(&mut self, me: Color, base: usize, best_known: Cell, depth: i32, ply: usize, last: Cell) {
        let you = me.opponent();
        let killers = self.plies[ply].killers;
        let countermove = self.countermoves[me as usize][last.index()];
        let continuation = &self.continuation[continuation_offset(me, last)..][..CELLS];
        let noise = if ply == 0 { self.seed } else { 0 };
        for (score, cell) in &mut self.moves[base..] {
            let cell = *cell;
            if cell == best_known {
                *score = i32::MAX;
                continue;
            }
            let mut s =
                i32::from(self.position.urgency(cell, me).attack) + i32::from(self.position.urgency(cell, you).defend);
            s += i32::from(self.history[me as usize][cell.index()]) / self.tuning.history;
            s += i32::from(continuation[cell.index()]) / self.tuning.continuation;
            if cell == killers[0] || cell == killers[1] {
                s += self.tuning.killer;
            }
            if cell == countermove {
                s += self.tuning.countermove;
            }
            if noise != 0 {
                s += ((noise.wrapping_mul(cell.index() as u64 | 1) >> 60) & 3) as i32;
            }
            *score = s;
        }
        self.evaluator.order(&self.position, me, depth, &mut self.moves[base..]);
    }

    /// Updates history, continuation history, killers and countermove after a beta cut-off.
    pub(super) fn reward(&mut self, me: Color, cell: Cell, depth: i32, ply: usize, base: usize, tried: usize) {
        let bonus = (depth * depth * 4).min(1600);
        let last = self.position.last();
        let continuation = &mut self.continuation[continuation_offset(me, last)..][..CELLS];
        for table in [&mut self.history[me as usize][..], continuation] {
            nudge(&mut table[cell.index()], bonus);
            for &(_, other) in &self.moves[base..tried] {
                if other != cell {
                    nudge(&mut table[other.index()], -bonus / 2);
                }
            }
        }
        let killers = &mut self.plies[ply].killers;
        if killers[0] != cell {
            killers[1] = killers[0];
            killers[0] = cell;
        }
        self.countermoves[me as usize][last.index()] = cell;
    }
}

/// Where the continuation history of a side after a cell begins.
fn continuation_offset(me: Color, last: Cell) -> usize {
    (me as usize * CELLS + (last.index() & (CELLS - 1))) * CELLS
}

fn nudge(value: &mut i16, bonus: i32) {
    let v = i32::from(*value);
    *value = (v + bonus - v * bonus.abs() / 8192) as i16;
}
