//! Victory by continuous threats by proof numbers: depth-first proof-number search (df-pn, Nagai 2002).
//!
//! The attacker's moves are threats (threat-space candidates, Allis et al. 1994), the defender's are all replies that the
//! threatened win does not refute ([`Vct`] generates both). Proof numbers lead the search along narrow forced lines that
//! iterative deepening reaches only late. Stones are only added, so the graph has no cycles; sums over transpositions
//! count shared parts twice, which costs time but no correctness.

use std::collections::HashMap;
use std::time::Instant;

use super::geometry::Cell;
use super::pattern_board::PatternBoard;
use super::pattern_tables::Class;
use super::solver::finish_by_fours;
use super::vcf::{Verdict, stops};
use super::vct::{INNER_VCF, Vct};
use crate::rules::{Color, Point, Rule};

/// The moves of an attacker, each with the kind of its threat.
type AttackMoves = Box<[(Cell, u8)]>;

/// A number that is not reached: proved (of disproof numbers) or disproved (of proof numbers).
const INFINITE: u32 = u32::MAX / 4;
/// Most positions in the table.
const TABLE_LIMIT: usize = 300_000;
/// The longest line, in plies.
const MAX_PLIES: usize = 120;
/// Distinguishes positions with the defender to move.
const DEFENDER: u64 = 0x7F4A_7C15_9E37_79B9;

/// What is known of a position.
struct Known {
    proof: u32,
    disproof: u32,
    /// The moves with their initial proof numbers; none before the position is expanded.
    moves: Option<AttackMoves>,
}

/// One step of a proof: the attacker's move and what follows each reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofNode {
    pub attack: Point,
    /// Replies that the threat does not refute at once, with the proof after each.
    pub replies: Vec<(Point, ProofNode)>,
    /// Where the rest is a win by fours: its moves, the attack first, to the five.
    pub line: Vec<Point>,
}

impl ProofNode {
    /// Number of nodes of the proof.
    pub fn size(&self) -> usize {
        1 + self.replies.iter().map(|(_, node)| node.size()).sum::<usize>()
    }

    /// The longest line of the proof, attacker first.
    pub fn longest_line(&self) -> Vec<Point> {
        if !self.line.is_empty() {
            return self.line.clone();
        }
        let mut line = vec![self.attack];
        let rest = self.replies.iter().map(|(reply, node)| (reply, node.longest_line()));
        if let Some((reply, rest)) = rest.max_by_key(|(_, rest)| rest.len()) {
            line.push(*reply);
            line.extend(rest);
        }
        line
    }
}

/// A df-pn search for wins by threats. It keeps its table, so that a search that hit a limit continues.
#[derive(Default)]
pub struct DfPn {
    vct: Vct,
    table: HashMap<u64, Known>,
    /// Whether a limit inside (not the budget) may have hidden a win.
    cut: bool,
}

enum Replies {
    /// The attacker has won.
    Won,
    /// The attack is refuted.
    Refuted,
    List(Vec<Cell>),
}

impl DfPn {
    /// Searches for a win by threats for `attacker`, who is to move, within further `nodes` and before the deadline.
    pub fn search(
        &mut self,
        position: &mut PatternBoard,
        attacker: Color,
        nodes: u64,
        deadline: Option<Instant>,
    ) -> Verdict {
        self.vct.set_budget(nodes, deadline);
        let (proof, disproof) = self.attack(position, attacker, INFINITE, INFINITE, 0);
        match (proof, disproof) {
            (0, _) => Verdict::Win,
            (_, 0) if !self.cut => Verdict::None,
            _ => Verdict::Unknown,
        }
    }

    /// Positions visited so far, those of the searches by fours included.
    pub fn nodes(&self) -> u64 {
        self.vct.nodes()
    }

    /// The proof of a win that the last search found; none where it would have more than `limit` nodes.
    pub fn proof(&mut self, position: &mut PatternBoard, attacker: Color, limit: usize) -> Option<ProofNode> {
        self.vct.set_budget(2 * self.nodes() + 100_000, None);
        let mut left = limit;
        self.prove(position, attacker, &mut left, 0)
    }

    /// Whether the attacker wins by threats after beginning with this move.
    pub fn wins_with(&mut self, position: &mut PatternBoard, attacker: Color, first: Cell, nodes: u64) -> Verdict {
        self.vct.set_budget(nodes, None);
        position.place(first, attacker);
        let (proof, disproof) = self.defend(position, attacker, INFINITE, INFINITE, 1);
        position.undo();
        match (proof, disproof) {
            (0, _) => Verdict::Win,
            (_, 0) if !self.cut => Verdict::None,
            _ => Verdict::Unknown,
        }
    }

    fn get(&self, key: u64, initial: u8) -> (u32, u32) {
        self.table.get(&key).map_or((u32::from(initial), 1), |known| (known.proof, known.disproof))
    }

    fn store(&mut self, key: u64, proof: u32, disproof: u32, moves: Option<Box<[(Cell, u8)]>>) {
        if self.table.len() >= TABLE_LIMIT {
            self.table.retain(|_, known| known.proof == 0);
            if self.table.len() >= TABLE_LIMIT / 2 {
                self.table.clear();
            }
        }
        let known = self.table.entry(key).or_insert(Known { proof: 1, disproof: 1, moves: None });
        (known.proof, known.disproof) = (proof, disproof);
        if moves.is_some() {
            known.moves = moves;
        }
    }

    /// The moves of an expanded position.
    fn moves(&self, key: u64) -> Option<Box<[(Cell, u8)]>> {
        self.table.get(&key).and_then(|known| known.moves.clone())
    }

    /// The attacker is to move: searches until a number reaches its threshold.
    fn attack(&mut self, position: &mut PatternBoard, me: Color, proof: u32, disproof: u32, ply: usize) -> (u32, u32) {
        let key = Vct::key(position, me);
        let moves = match self.moves(key) {
            Some(moves) => moves,
            None => match self.expand_attack(position, me, ply) {
                Ok(moves) => {
                    self.store(key, 1, 1, Some(moves.clone()));
                    moves
                }
                Err(decided) => {
                    self.store(key, decided.0, decided.1, None);
                    return decided;
                }
            },
        };
        loop {
            let child_key = |cell: Cell| position.hash_after(cell, me) ^ Vct::side(me) ^ DEFENDER;
            let children = moves.iter().map(|&(cell, initial)| (cell, self.get(child_key(cell), initial)));
            let Choice { best, least, second, sum, best_sum } = Choice::of(children);
            self.store(key, least, sum, None);
            if least >= proof || sum >= disproof || least == 0 || self.vct.out_of_budget() {
                return (least, sum);
            }
            // 1 + ε: some slack before the search turns to another move
            let threshold = proof.min(second.saturating_add(second / 4 + 1));
            let other = disproof.saturating_sub(sum).saturating_add(best_sum).min(INFINITE);
            position.place(best, me);
            self.defend(position, me, threshold, other, ply + 1);
            position.undo();
        }
    }

    /// The moves of an attacker, or proof and disproof number where the position is decided.
    fn expand_attack(&mut self, position: &mut PatternBoard, me: Color, ply: usize) -> Result<AttackMoves, (u32, u32)> {
        const WON: (u32, u32) = (0, INFINITE);
        const LOST: (u32, u32) = (INFINITE, 0);
        if position.count(me, Class::Five) > 0 {
            return Err(WON);
        }
        if position.count(me.opponent(), Class::Five) >= 2 {
            return Err(LOST);
        }
        self.vct.count_node();
        match self.vct.win_by_fours(position, me, INNER_VCF) {
            Verdict::Win => return Err(WON),
            Verdict::Unknown => self.cut = true,
            Verdict::None => {}
        }
        if ply >= MAX_PLIES {
            self.cut = true;
            return Err(LOST);
        }
        let mut moves = Vec::new();
        for cell in self.vct.threats(position, me) {
            if position.is_allowed(cell, me) {
                let initial = if position.makes_four(cell, me) {
                    1
                } else if position.class(cell, me) >= Class::Three as u8 {
                    2
                } else {
                    4
                };
                moves.push((cell, initial));
            }
        }
        if moves.is_empty() { Err(LOST) } else { Ok(moves.into()) }
    }

    /// The defender is to move.
    fn defend(&mut self, position: &mut PatternBoard, me: Color, proof: u32, disproof: u32, ply: usize) -> (u32, u32) {
        let you = me.opponent();
        let key = Vct::key(position, me) ^ DEFENDER;
        let moves = match self.moves(key) {
            Some(moves) => moves,
            None => match self.replies(position, me) {
                Replies::List(cells) if !cells.is_empty() => {
                    let moves: Box<[(Cell, u8)]> = cells.into_iter().map(|cell| (cell, 1)).collect();
                    self.store(key, 1, 1, Some(moves.clone()));
                    moves
                }
                // an interrupted list of replies proves nothing
                Replies::List(_) | Replies::Won if self.vct.out_of_budget() => return (1, 1),
                Replies::List(_) | Replies::Won => {
                    self.store(key, 0, INFINITE, None);
                    return (0, INFINITE);
                }
                Replies::Refuted => {
                    self.store(key, INFINITE, 0, None);
                    return (INFINITE, 0);
                }
            },
        };
        if self.vct.out_of_budget() && self.table.get(&key).is_some_and(|known| known.proof == 1) {
            // the list of replies may have been cut short by the budget: forget it
            self.table.remove(&key);
            return (1, 1);
        }
        loop {
            let child_key = |cell: Cell| position.hash_after(cell, you) ^ Vct::side(me);
            // the same as for the attacker with the numbers exchanged
            let children = moves.iter().map(|&(cell, initial)| {
                let (proof, disproof) = self.get(child_key(cell), initial);
                (cell, (disproof, proof))
            });
            let Choice { best, least, second, sum, best_sum } = Choice::of(children);
            self.store(key, sum, least, None);
            if sum >= proof || least >= disproof || least == 0 || sum == 0 || self.vct.out_of_budget() {
                return (sum, least);
            }
            let threshold = disproof.min(second.saturating_add(second / 4 + 1));
            let other = proof.saturating_sub(sum).saturating_add(best_sum).min(INFINITE);
            position.place(best, you);
            self.attack(position, me, other, threshold, ply + 1);
            position.undo();
        }
    }

    /// The defender's replies to the move just made.
    fn replies(&mut self, position: &mut PatternBoard, me: Color) -> Replies {
        let you = me.opponent();
        if position.count(you, Class::Five) > 0 {
            return Replies::Refuted;
        }
        match position.count(me, Class::Five) {
            0 => {}
            _ if matches!(position.rule(), Rule::Caro | Rule::CaroExact) => {
                let stops = stops(position, me);
                return if stops.is_empty() { Replies::Won } else { Replies::List(stops) };
            }
            1 => {
                let Some(reply) = position.find(me, Class::Five) else { return Replies::Refuted };
                return if position.is_allowed(reply, you) { Replies::List(vec![reply]) } else { Replies::Won };
            }
            _ => return Replies::Won,
        }
        match self.vct.defences(position, me) {
            None => Replies::Refuted,
            Some(cells) => Replies::List(cells),
        }
    }

    fn prove(&mut self, position: &mut PatternBoard, me: Color, left: &mut usize, ply: usize) -> Option<ProofNode> {
        *left = left.checked_sub(1)?;
        if ply > MAX_PLIES {
            return None;
        }
        if let Some(five) = position.find(me, Class::Five) {
            return Some(ProofNode { attack: five.point(), replies: Vec::new(), line: vec![five.point()] });
        }
        let caro = matches!(position.rule(), Rule::Caro | Rule::CaroExact);
        if !caro && self.vct.win_by_fours(position, me, 4 * INNER_VCF) == Verdict::Win {
            let fours = self.vct.line_of_fours().to_vec();
            let line: Vec<Point> = finish_by_fours(position, me, &fours).iter().map(|cell| cell.point()).collect();
            return Some(ProofNode { attack: line[0], replies: Vec::new(), line });
        }
        let attack = self.winning_attack(position, me, ply)?;
        position.place(attack, me);
        let replies = match self.replies(position, me) {
            Replies::Refuted => None,
            Replies::Won => Some(Vec::new()),
            Replies::List(cells) => self.prove_replies(position, me, &cells, left, ply),
        };
        position.undo();
        // a list of replies that the budget cut short proves nothing
        if self.vct.out_of_budget() {
            return None;
        }
        Some(ProofNode { attack: attack.point(), replies: replies?, line: Vec::new() })
    }

    fn prove_replies(
        &mut self,
        position: &mut PatternBoard,
        me: Color,
        cells: &[Cell],
        left: &mut usize,
        ply: usize,
    ) -> Option<Vec<(Point, ProofNode)>> {
        let mut replies = Vec::new();
        for &reply in cells {
            position.place(reply, me.opponent());
            let node = self.prove(position, me, left, ply + 2);
            position.undo();
            replies.push((reply.point(), node?));
        }
        Some(replies)
    }

    /// A move of the attacker whose position is proved; positions that left the table are searched again.
    fn winning_attack(&mut self, position: &mut PatternBoard, me: Color, ply: usize) -> Option<Cell> {
        let key = Vct::key(position, me);
        if self.moves(key).is_none() || self.get(key, 1).0 != 0 {
            self.table.remove(&key);
            if self.attack(position, me, INFINITE, INFINITE, ply).0 != 0 {
                return None;
            }
        }
        let moves = self.moves(key)?;
        let proved = |cell: Cell| position.hash_after(cell, me) ^ Vct::side(me) ^ DEFENDER;
        if let Some(&(cell, _)) = moves.iter().find(|&&(cell, initial)| self.get(proved(cell), initial).0 == 0) {
            return Some(cell);
        }
        // the proof of the child left the table: once more
        self.store(key, 1, 1, None);
        self.attack(position, me, INFINITE, INFINITE, ply);
        moves
            .iter()
            .map(|m| m.0)
            .find(|&cell| self.get(position.hash_after(cell, me) ^ Vct::side(me) ^ DEFENDER, 1).0 == 0)
    }
}

/// The child to search and the numbers of its parent.
struct Choice {
    best: Cell,
    /// The least of the numbers that are minimised, and the second least.
    least: u32,
    second: u32,
    /// The sum of the other numbers, and that of the best child.
    sum: u32,
    best_sum: u32,
}

impl Choice {
    fn of(children: impl Iterator<Item = (Cell, (u32, u32))>) -> Self {
        let mut choice = Self { best: Cell::NONE, least: INFINITE, second: INFINITE, sum: 0, best_sum: 0 };
        for (cell, (minimised, summed)) in children {
            choice.sum = choice.sum.saturating_add(summed).min(INFINITE);
            if minimised < choice.least || choice.best == Cell::NONE {
                choice.second = choice.least;
                (choice.best, choice.least, choice.best_sum) = (cell, minimised, summed);
            } else {
                choice.second = choice.second.min(minimised);
            }
        }
        choice
    }
}
