//! Victory by continuous threats: fours and threes, every move threatening a win by fours.
//!
//! An AND/OR search by iterative deepening. A threat is real when the attacker, moving again, wins by
//! fours ([`Vcf`]); the defences considered are all moves that could spoil that line (a superset is
//! taken, each is then tried), so a claimed win holds against every reply.

use std::collections::HashMap;
use std::time::Instant;

use super::geometry::{Cell, CellSet};
use super::pattern_board::PatternBoard;
use super::pattern_tables::{Class, shapes_of};
use super::shape::Shape;
use super::vcf::{Vcf, Verdict, stops};
use crate::rules::{Color, Rule};

/// Cost of a three and of a four in units of depth.
const THREE_COST: i32 = 2;
const FOUR_COST: i32 = 1;
/// Attacking moves of the win-by-fours searches inside.
pub(super) const INNER_VCF: u64 = 600;
/// Positions remembered at most.
const TABLE_LIMIT: usize = 400_000;

#[derive(Clone, Copy)]
enum Known {
    /// Not won within this depth.
    Open(i32),
    /// Won, beginning with this move.
    Won(Cell),
}

/// A search for wins by threats.
pub struct Vct {
    vcf: Vcf,
    known: HashMap<u64, Known>,
    nodes: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    stopped: bool,
    /// Whether the present iteration was cut off by its depth anywhere.
    cut: bool,
    line: Vec<Cell>,
}

impl Default for Vct {
    fn default() -> Self {
        Self {
            vcf: Vcf::new(16),
            known: HashMap::new(),
            nodes: 0,
            node_limit: 0,
            deadline: None,
            stopped: false,
            cut: false,
            line: Vec::new(),
        }
    }
}

impl Vct {
    /// Looks for a win by threats for `attacker`, who is to move, up to `max_depth` threes.
    pub fn search(
        &mut self,
        position: &mut PatternBoard,
        attacker: Color,
        max_depth: i32,
        nodes: u64,
        deadline: Option<Instant>,
    ) -> Verdict {
        self.known.clear();
        self.node_limit = self.nodes + self.vcf.nodes + nodes;
        self.deadline = deadline;
        self.stopped = false;
        self.line.clear();
        for depth in 1..=max_depth {
            self.cut = false;
            match self.attack(position, attacker, depth * THREE_COST) {
                Verdict::Win => {
                    self.stopped = false;
                    self.deadline = None;
                    self.node_limit = u64::MAX;
                    self.extract(position, attacker, depth * THREE_COST);
                    return Verdict::Win;
                }
                Verdict::None if !self.cut => return Verdict::None,
                _ if self.stopped => return Verdict::Unknown,
                _ => {}
            }
        }
        Verdict::Unknown
    }

    /// The winning line of the last search with one defence at each step, to the five or the last forcing move.
    pub fn line(&self) -> &[Cell] {
        &self.line
    }

    /// Positions visited by this search and the searches by fours inside it.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.vcf.nodes
    }

    /// Starts a new budget: further nodes and a deadline.
    pub(super) fn set_budget(&mut self, nodes: u64, deadline: Option<Instant>) {
        self.node_limit = self.nodes().saturating_add(nodes);
        self.deadline = deadline;
        self.stopped = false;
    }

    /// Counts a visited position.
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
    }

    /// A search for a win by fours, with the table of this search.
    pub(super) fn win_by_fours(&mut self, position: &mut PatternBoard, me: Color, nodes: u64) -> Verdict {
        self.vcf.search(position, me, nodes)
    }

    /// The line of the last win by fours.
    pub(super) fn line_of_fours(&self) -> &[Cell] {
        self.vcf.line()
    }

    pub(super) fn out_of_budget(&mut self) -> bool {
        if !self.stopped {
            self.stopped =
                self.nodes() >= self.node_limit || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.stopped
    }

    /// Hash of the attacker's colour.
    pub(super) fn side(me: Color) -> u64 {
        if me == Color::White { 0x3C6E_F372_FE94_F82B } else { 0 }
    }

    pub(super) fn key(position: &PatternBoard, me: Color) -> u64 {
        position.hash() ^ Self::side(me)
    }

    /// The attacker is to move.
    fn attack(&mut self, position: &mut PatternBoard, me: Color, depth: i32) -> Verdict {
        let you = me.opponent();
        if position.count(me, Class::Five) > 0 {
            return Verdict::Win;
        }
        let fives = position.count(you, Class::Five);
        if fives >= 2 {
            return Verdict::None;
        }
        let key = Self::key(position, me);
        match self.known.get(&key) {
            Some(Known::Won(_)) => return Verdict::Win,
            Some(Known::Open(tried)) if *tried >= depth => {
                self.cut = true;
                return Verdict::None;
            }
            _ => {}
        }
        if self.out_of_budget() {
            return Verdict::Unknown;
        }
        self.nodes += 1;
        match self.vcf.search(position, me, INNER_VCF) {
            Verdict::Win => {
                let first = self.vcf.line()[0];
                self.remember(key, Known::Won(first));
                return Verdict::Win;
            }
            Verdict::Unknown => self.cut = true,
            Verdict::None => {}
        }
        if depth <= 0 {
            self.cut = true;
            return Verdict::None;
        }
        let mut verdict = Verdict::None;
        for cell in self.threats(position, me) {
            if !position.is_allowed(cell, me) {
                continue;
            }
            let four = position.makes_four(cell, me);
            let cost = if four { FOUR_COST } else { THREE_COST };
            position.place(cell, me);
            let outcome = self.defend(position, me, depth - cost);
            position.undo();
            match outcome {
                Verdict::Win => {
                    self.remember(key, Known::Won(cell));
                    return Verdict::Win;
                }
                Verdict::Unknown => verdict = Verdict::Unknown,
                Verdict::None => {}
            }
            if self.stopped {
                return Verdict::Unknown;
            }
        }
        if verdict == Verdict::None {
            self.remember(key, Known::Open(depth));
        }
        verdict
    }

    fn remember(&mut self, key: u64, known: Known) {
        if self.known.len() >= TABLE_LIMIT {
            self.known.retain(|_, k| matches!(k, Known::Won(_)));
            if self.known.len() >= TABLE_LIMIT {
                self.known.clear();
            }
        }
        self.known.insert(key, known);
    }

    /// Moves that may threaten a win by fours, most forcing first.
    pub(super) fn threats(&self, position: &PatternBoard, me: Color) -> Vec<Cell> {
        let you = me.opponent();
        if position.count(you, Class::Five) == 1 {
            return position.find(you, Class::Five).into_iter().collect();
        }
        let answering = position.count(you, Class::OpenFour) > 0;
        let mut moves: Vec<(i32, Cell)> = Vec::new();
        position.candidates().for_each(|cell| {
            let class = position.class(cell, me);
            let four = position.makes_four(cell, me);
            if !four && answering && position.class(cell, you) < Class::Four as u8 {
                return;
            }
            let shapes = shapes_of(position.code(cell, me));
            let threes = shapes.iter().filter(|&&s| s == Shape::Three || s == Shape::ThreeNarrow).count();
            let building = class >= Class::DoubleTwo as u8;
            if !four && threes == 0 && !building && !answering {
                return;
            }
            let mut score =
                i32::from(position.urgency(cell, me).attack) + i32::from(position.urgency(cell, you).defend) / 2;
            if threes == 0 && !four {
                score -= 200;
            }
            moves.push((score, cell));
        });
        moves.sort_unstable_by_key(|m| std::cmp::Reverse(m.0));
        moves.into_iter().map(|m| m.1).collect()
    }

    /// The attacker has just moved; every defence must lose.
    fn defend(&mut self, position: &mut PatternBoard, me: Color, depth: i32) -> Verdict {
        let you = me.opponent();
        if position.count(you, Class::Five) > 0 {
            return Verdict::None;
        }
        let caro = matches!(position.rule(), Rule::Caro | Rule::CaroExact);
        if caro && position.count(me, Class::Five) > 0 {
            for reply in stops(position, me) {
                position.place(reply, you);
                let verdict = self.attack(position, me, depth);
                position.undo();
                if verdict != Verdict::Win {
                    return verdict;
                }
            }
            return Verdict::Win;
        }
        match position.count(me, Class::Five) {
            0 => {}
            1 => {
                let Some(reply) = position.find(me, Class::Five) else { return Verdict::None };
                if !position.is_allowed(reply, you) {
                    return Verdict::Win;
                }
                position.place(reply, you);
                let verdict = self.attack(position, me, depth);
                position.undo();
                return verdict;
            }
            _ => return Verdict::Win,
        }
        let Some(defences) = self.defences(position, me) else { return Verdict::None };
        if self.stopped {
            return Verdict::Unknown;
        }
        if depth <= 0 && !defences.is_empty() {
            self.cut = true;
            return Verdict::None;
        }
        for cell in defences {
            position.place(cell, you);
            let outcome = self.attack(position, me, depth);
            position.undo();
            if outcome != Verdict::Win {
                return outcome;
            }
        }
        Verdict::Win
    }

    /// Replies that are not refuted by the threatened win itself; `None` if nothing is threatened.
    pub(super) fn defences(&mut self, position: &mut PatternBoard, me: Color) -> Option<Vec<Cell>> {
        let you = me.opponent();
        if self.vcf.search(position, me, INNER_VCF) != Verdict::Win {
            return None;
        }
        let win = self.vcf.line().to_vec();
        let caro = matches!(position.rule(), Rule::Caro | Rule::CaroExact);
        let zone = spoilers(position, me, &win);
        let mut cells: Vec<(i32, Cell)> = Vec::new();
        for (i, cell) in zone.to_vec().into_iter().enumerate() {
            if i % 8 == 7 && self.out_of_budget() {
                break;
            }
            if !position.is_empty(cell) || !position.is_allowed(cell, you) {
                continue;
            }
            position.place(cell, you);
            let holds = (!caro && replays(position, me, &win))
                || (position.count(you, Class::Five) == 0
                    && self.vcf.search(position, me, INNER_VCF / 8) == Verdict::Win);
            position.undo();
            if !holds {
                let score =
                    i32::from(position.urgency(cell, you).attack) + i32::from(position.urgency(cell, me).defend);
                cells.push((score, cell));
            }
        }
        cells.sort_unstable_by_key(|m| std::cmp::Reverse(m.0));
        Some(cells.into_iter().map(|m| m.1).collect())
    }

    /// Writes down the win: the move known to win, then a defence that lasts.
    fn extract(&mut self, position: &mut PatternBoard, me: Color, depth: i32) {
        let you = me.opponent();
        let mut placed = 0;
        let mut line = Vec::new();
        for _ in 0..200 {
            if let Some(five) = position.find(me, Class::Five) {
                line.push(five);
                break;
            }
            let key = Self::key(position, me);
            let by_fours = self.vcf.search(position, me, INNER_VCF * 4) == Verdict::Win;
            let next = if by_fours {
                self.vcf.line()[0]
            } else {
                match self.known.get(&key) {
                    Some(Known::Won(cell)) => *cell,
                    _ => {
                        // the table was emptied on the way: search this part again
                        self.attack(position, me, depth);
                        match self.known.get(&key) {
                            Some(Known::Won(cell)) => *cell,
                            _ => break,
                        }
                    }
                }
            };
            line.push(next);
            position.place(next, me);
            placed += 1;
            let reply = match position.find(me, Class::Five) {
                Some(reply) => Some(reply),
                None => {
                    let all = self.defences(position, me).unwrap_or_default();
                    let last = all.first().copied();
                    last.or_else(|| position.find(me, Class::OpenFour))
                }
            };
            let Some(reply) = reply else { break };
            if !position.is_allowed(reply, you) {
                if let Some(five) = position.find(me, Class::Five) {
                    line.push(five);
                }
                break;
            }
            line.push(reply);
            position.place(reply, you);
            placed += 1;
        }
        for _ in 0..placed {
            position.undo();
        }
        self.line = line;
    }
}

/// Whether a win by fours still works move by move after the defender's extra stone.
fn replays(position: &mut PatternBoard, me: Color, win: &[Cell]) -> bool {
    let you = me.opponent();
    let mut placed = 0;
    let mut works = position.count(you, Class::Five) == 0;
    for (i, &cell) in win.iter().enumerate() {
        if !works {
            break;
        }
        let mine = i % 2 == 0;
        if !position.is_empty(cell) {
            works = false;
            break;
        }
        if mine {
            if position.count(me, Class::Five) > 0 {
                break;
            }
            works =
                position.count(you, Class::Five) == 0 && position.makes_four(cell, me) && position.is_allowed(cell, me);
            if works && i + 1 == win.len() {
                position.place(cell, me);
                placed += 1;
                let fives = position.count(me, Class::Five);
                works = fives >= 2
                    || (fives == 1
                        && position.find(me, Class::Five).is_some_and(|reply| !position.is_allowed(reply, you)));
                break;
            }
        } else {
            works = position.find(me, Class::Five) == Some(cell)
                && position.count(me, Class::Five) == 1
                && position.is_allowed(cell, you);
        }
        if works {
            position.place(cell, if mine { me } else { you });
            placed += 1;
        }
    }
    for _ in 0..placed {
        position.undo();
    }
    works
}

/// Every reply that could spoil a win by fours: its own cells, the points that complete it, fours of
/// the defender, and cells in line with the defender's forced answers (with which they may make a four).
fn spoilers(position: &mut PatternBoard, me: Color, win: &[Cell]) -> CellSet {
    let you = me.opponent();
    let mut zone = *position.hot(you);
    let caro = matches!(position.rule(), Rule::Caro | Rule::CaroExact);
    if caro || (position.rule() == Rule::Renju && me == Color::White) {
        // ends of fives, and which points are forbidden, depend on more than the line's own cells
        return position.empties();
    }
    for (row, bits) in position.hot(me).0.iter().enumerate() {
        zone.0[row] |= bits;
    }
    for (i, &cell) in win.iter().enumerate() {
        zone.insert(cell);
        if i % 2 == 1 {
            for direction in 0..4 {
                for n in (-4..=4).filter(|&n| n != 0) {
                    let other = cell.step(direction, n);
                    if position.is_empty(other) {
                        zone.insert(other);
                    }
                }
            }
        }
    }
    for (i, &cell) in win.iter().enumerate() {
        position.place(cell, if i % 2 == 0 { me } else { you });
    }
    position.hot(me).for_each(|cell| {
        if position.class(cell, me) == Class::Five as u8 {
            zone.insert(cell);
        }
    });
    for _ in win {
        position.undo();
    }
    zone
}
