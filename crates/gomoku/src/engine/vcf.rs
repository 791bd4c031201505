//! Victory by continuous fours: every attacking move forces its answer.

use super::geometry::{Cell, CellSet};
use super::pattern_board::PatternBoard;
use super::pattern_tables::Class;
use crate::rules::{Color, Rule};

/// What a forced-win search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A win; its line is known.
    Win,
    /// No such win exists.
    None,
    /// The node limit ended the search.
    Unknown,
}

const FAILED_BITS: usize = 16;

/// A search for wins by fours that remembers positions without one.
pub struct Vcf {
    /// Hashes of positions known to have no win, with the attacker mixed in.
    failed: Vec<u64>,
    /// Nodes of all searches so far: attacking moves made.
    pub nodes: u64,
    limit: u64,
    line: Vec<Cell>,
}

impl Default for Vcf {
    fn default() -> Self {
        Self::new(FAILED_BITS)
    }
}

const ATTACKER: [u64; 2] = [0x51ED_270B_9F3C_A7E5, 0xA3C5_9AC2_F00D_1B77];

impl Vcf {
    /// A search with a table of 2^`bits` positions.
    pub fn new(bits: usize) -> Self {
        Self { failed: vec![0; 1 << bits], nodes: 0, limit: 0, line: Vec::with_capacity(64) }
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.failed.fill(0);
    }

    /// Looks for a win by fours for `attacker`, who is to move, making at most `nodes` attacking moves.
    ///
    /// On a win [`Vcf::line`] holds the moves of both sides up to and including the one that makes an
    /// open four, a double four or a four that may not be answered, or five.
    pub fn search(&mut self, position: &mut PatternBoard, attacker: Color, nodes: u64) -> Verdict {
        self.line.clear();
        self.limit = self.nodes + nodes;
        self.attack(position, attacker)
    }

    /// As [`Vcf::search`], but a search ended by its limit is remembered as fruitless, so that the
    /// same position costs nothing the next time: for leaves of another search.
    pub fn glance(&mut self, position: &mut PatternBoard, attacker: Color, nodes: u64) -> bool {
        let key = position.hash() ^ ATTACKER[attacker as usize] ^ nodes.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = key as usize & (self.failed.len() - 1);
        if self.failed[slot] == key {
            return false;
        }
        match self.search(position, attacker, nodes) {
            Verdict::Win => true,
            Verdict::Unknown => {
                self.failed[slot] = key;
                false
            }
            Verdict::None => false,
        }
    }

    /// The moves of the last win found, both sides, attacker first.
    pub fn line(&self) -> &[Cell] {
        &self.line
    }

    fn attack(&mut self, position: &mut PatternBoard, me: Color) -> Verdict {
        let you = me.opponent();
        if position.count(me, Class::Five) > 0 {
            if let Some(cell) = position.find(me, Class::Five) {
                self.line.push(cell);
            }
            return Verdict::Win;
        }
        let threats = position.count(you, Class::Five);
        if threats == 0 && position.count(me, Class::OpenFour) > 0 {
            if let Some(cell) = position.find(me, Class::OpenFour) {
                self.line.push(cell);
            }
            return Verdict::Win;
        }
        if threats >= 2 || !position.has_hot(me) {
            return Verdict::None;
        }
        let key = position.hash() ^ ATTACKER[me as usize];
        let slot = key as usize & (self.failed.len() - 1);
        if self.failed[slot] == key {
            return Verdict::None;
        }
        let mut moves = [(0u8, Cell::NONE); 64];
        let mut found = 0;
        if threats == 1 {
            let Some(block) = position.find(you, Class::Five) else { return Verdict::None };
            if position.makes_four(block, me) {
                moves[0] = (0, block);
                found = 1;
            }
        } else {
            position.hot(me).for_each(|cell| {
                if found < moves.len() && position.makes_four(cell, me) {
                    moves[found] = (position.class(cell, me), cell);
                    found += 1;
                }
            });
            moves[..found].sort_unstable_by_key(|m| std::cmp::Reverse(m.0));
        }
        let mut verdict = if found == moves.len() { Verdict::Unknown } else { Verdict::None };
        for &(_, cell) in &moves[..found] {
            if !position.is_allowed(cell, me) {
                continue;
            }
            if self.nodes >= self.limit {
                return Verdict::Unknown;
            }
            self.nodes += 1;
            let depth = self.line.len();
            self.line.push(cell);
            position.place_without_eval(cell, me);
            let outcome = self.answer(position, me);
            position.undo();
            match outcome {
                Verdict::Win => return Verdict::Win,
                Verdict::Unknown => verdict = Verdict::Unknown,
                Verdict::None => {}
            }
            self.line.truncate(depth);
        }
        if verdict == Verdict::None {
            self.failed[slot] = key;
        }
        verdict
    }

    /// The attacker has just made a four.
    fn answer(&mut self, position: &mut PatternBoard, me: Color) -> Verdict {
        let you = me.opponent();
        if position.count(you, Class::Five) > 0 {
            return Verdict::None;
        }
        if matches!(position.rule(), Rule::Caro | Rule::CaroExact) {
            return self.answer_all(position, me);
        }
        if position.count(me, Class::Five) >= 2 {
            return Verdict::Win;
        }
        let Some(reply) = position.find(me, Class::Five) else { return Verdict::None };
        if position.rule() == Rule::Renju && !position.is_allowed(reply, you) {
            return Verdict::Win;
        }
        self.line.push(reply);
        position.place_without_eval(reply, you);
        let verdict = self.attack(position, me);
        position.undo();
        verdict
    }

    /// As [`Vcf::answer`] where a four can be met in more than one way: all of them must lose.
    fn answer_all(&mut self, position: &mut PatternBoard, me: Color) -> Verdict {
        let depth = self.line.len();
        let mut longest = Vec::new();
        for reply in stops(position, me) {
            self.line.truncate(depth);
            self.line.push(reply);
            position.place_without_eval(reply, me.opponent());
            let verdict = self.attack(position, me);
            position.undo();
            if verdict != Verdict::Win {
                return verdict;
            }
            if self.line.len() > longest.len() {
                longest.clone_from(&self.line);
            }
        }
        if longest.is_empty() {
            self.line.truncate(depth);
        } else {
            self.line = longest;
        }
        Verdict::Win
    }
}

/// Every reply after which the attacker, who has a four, has no five to play.
pub(crate) fn stops(position: &mut PatternBoard, me: Color) -> Vec<Cell> {
    let you = me.opponent();
    let mut zone = CellSet::EMPTY;
    position.hot(me).for_each(|five| {
        if position.class(five, me) == Class::Five as u8 {
            zone.insert(five);
            for direction in 0..4 {
                for n in -5..=5 {
                    let other = five.step(direction, n);
                    if position.is_empty(other) {
                        zone.insert(other);
                    }
                }
            }
        }
    });
    let mut cells = zone.to_vec();
    cells.retain(|&cell| {
        position.place_without_eval(cell, you);
        let stopped = position.count(me, Class::Five) == 0;
        position.undo();
        stopped
    });
    cells
}
