//! Which moves a node looks at, in which order, and what it remembers of them.

use super::Searcher;
use crate::engine::geometry::{CELLS, Cell};
use crate::engine::judge::Judge;
use crate::rules::{Color, Rule};

impl<J: Judge> Searcher<'_, J> {
    /// Every move worth looking at.
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

    /// In renju black may not play everywhere.
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

    /// Only moves that can meet an open-four threat: taking part in it, or making a four.
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

    /// Gives the moves from `base` on their place in the order.
    pub(super) fn score_moves(&mut self, me: Color, base: usize, best_known: Cell, depth: i32, ply: usize, last: Cell) {
        let you = me.opponent();
        let killers = self.plies[ply].killers;
        let answer = self.answers[me as usize][last.index()];
        let follow = &self.follow[follow_at(me, last)..][..CELLS];
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
            s += i32::from(follow[cell.index()]) / self.tuning.follow;
            if cell == killers[0] || cell == killers[1] {
                s += self.tuning.killer;
            }
            if cell == answer {
                s += self.tuning.answer;
            }
            if noise != 0 {
                s += ((noise.wrapping_mul(cell.index() as u64 | 1) >> 60) & 3) as i32;
            }
            *score = s;
        }
        self.judge.order(&self.position, me, depth, &mut self.moves[base..]);
    }

    /// Remembers a move that refuted, and that those tried before it did not.
    pub(super) fn reward(&mut self, me: Color, cell: Cell, depth: i32, ply: usize, base: usize, tried: usize) {
        let bonus = (depth * depth * 4).min(1600);
        let last = self.position.last();
        let follow = &mut self.follow[follow_at(me, last)..][..CELLS];
        for table in [&mut self.history[me as usize][..], follow] {
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
        self.answers[me as usize][last.index()] = cell;
    }
}

/// Where the answers of a side to a cell begin.
fn follow_at(me: Color, last: Cell) -> usize {
    (me as usize * CELLS + (last.index() & (CELLS - 1))) * CELLS
}

fn nudge(value: &mut i16, bonus: i32) {
    let v = i32::from(*value);
    *value = (v + bonus - v * bonus.abs() / 8192) as i16;
}
