//! Forced-win solver: VCF by depth-first search, VCT by df-pn, and the main search as a fall-back.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::api::{Config, Engine, EngineError, SearchLimits};
use super::dfpn::{DfPn, ProofNode};
use super::geometry::Cell;
use super::pattern_board::PatternBoard;
use super::pattern_tables::Class;
use super::tuning::Tuning;
use super::vcf::{Vcf, Verdict};
use crate::rules::{Color, Point, Rule};

/// Which moves the attacker may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveKind {
    /// Only fours.
    Vcf,
    /// Fours, threes and other moves that threaten to win by fours; then any moves, by the main search.
    Vct,
}

/// A position to solve.
#[derive(Clone, Debug)]
pub struct SolverRequest<'a> {
    pub rule: Rule,
    pub size: u8,
    pub stones: &'a [(Point, Color)],
    /// The side to move.
    pub attacker: Color,
    pub kind: SolveKind,
    /// Time limit; none with a node limit makes the result reproducible.
    pub time: Option<Duration>,
    /// Limit of nodes, all searches together.
    pub nodes: Option<u64>,
    /// Largest proof to return, in nodes; 0 returns none.
    pub proof: usize,
}

/// Result of a solver call.
#[derive(Clone, Debug)]
pub struct Solution {
    /// [`Verdict::Win`] is proved. [`Verdict::None`]: no win of this kind exists among the moves considered.
    /// [`Verdict::Unknown`]: a limit ended the search.
    pub verdict: Verdict,
    /// Moves of both sides, the attacker's first, to the five or to the last move that the search saw.
    pub line: Vec<Point>,
    pub nodes: u64,
    pub elapsed: Duration,
    /// The proof against every reply, where it was requested, is not too large and the win is one by threats.
    pub proof: Option<ProofNode>,
}

/// Searches for a forced win of `attacker`, who is to move, for at most `time`.
pub fn solve(
    rule: Rule,
    size: u8,
    stones: &[(Point, Color)],
    attacker: Color,
    kind: SolveKind,
    time: Duration,
) -> Result<Solution, EngineError> {
    solve_request(&SolverRequest { rule, size, stones, attacker, kind, time: Some(time), nodes: None, proof: 0 })
}

/// Shares of the budget, in percent: df-pn and the main search in turn. Both continue where they stopped.
const SLICES: [(bool, u32); 4] = [(true, 15), (false, 15), (true, 35), (false, 35)];
/// Attacking moves of the VCF search before the VCT search.
const FIRST_VCF: u64 = 20_000;
/// Memory of the main search's table in MiB.
const TABLE_MB: usize = 16;

/// Solves a position within its limits.
pub fn solve_request(request: &SolverRequest<'_>) -> Result<Solution, EngineError> {
    let mut position = PatternBoard::new(request.rule, request.size).ok_or(EngineError::Size(request.size))?;
    position.set(request.stones).map_err(EngineError::Stone)?;
    let start = Instant::now();
    let mut solver = Solver { request, start, vcf: Vcf::new(18), nodes: 0 };
    let (verdict, line, proof) = match solver.by_fours(&mut position) {
        Verdict::Win => {
            let line = points(&finish_by_fours(&mut position, request.attacker, solver.vcf.line()));
            let node =
                (request.proof > 0).then(|| ProofNode { attack: line[0], replies: Vec::new(), line: line.clone() });
            (Verdict::Win, line, node)
        }
        verdict if request.kind == SolveKind::Vcf => (verdict, Vec::new(), None),
        _ => solver.by_threats(&mut position)?,
    };
    let nodes = solver.nodes + solver.vcf.nodes;
    Ok(Solution { verdict, line, nodes, elapsed: start.elapsed(), proof })
}

fn points(cells: &[Cell]) -> Vec<Point> {
    cells.iter().map(|cell| cell.point()).collect()
}

struct Solver<'a> {
    request: &'a SolverRequest<'a>,
    start: Instant,
    vcf: Vcf,
    /// Nodes of all searches but the first VCF search.
    nodes: u64,
}

impl Solver<'_> {
    fn by_fours(&mut self, position: &mut PatternBoard) -> Verdict {
        let SolverRequest { attacker, kind, time, nodes, .. } = *self.request;
        let limit = nodes.unwrap_or(u64::MAX / 2);
        let mut budget = FIRST_VCF.min(limit);
        loop {
            let verdict = self.vcf.search(position, attacker, budget);
            let late = time.is_some_and(|time| self.start.elapsed() >= time) || self.vcf.nodes >= limit;
            if verdict != Verdict::Unknown || kind == SolveKind::Vct || late {
                return verdict;
            }
            budget = (2 * budget).min(limit - self.vcf.nodes.min(limit));
        }
    }

    /// df-pn and the main search in slices of the budget.
    fn by_threats(
        &mut self,
        position: &mut PatternBoard,
    ) -> Result<(Verdict, Vec<Point>, Option<ProofNode>), EngineError> {
        let SolverRequest { rule, size, stones, attacker, .. } = *self.request;
        let mut dfpn = DfPn::default();
        let tuning = Tuning { root_vct: 0, ..Tuning::default() };
        let mut engine: Option<Engine> = None;
        let (mut exhausted, mut share, mut searched) = (false, 0, 0);
        for (by_threats, percent) in SLICES {
            share += percent;
            let deadline = self.request.time.map(|time| self.start + time * share / 100);
            let left = self.request.nodes.map(|nodes| nodes * u64::from(percent) / 100);
            if by_threats && !exhausted {
                match dfpn.search(position, attacker, left.unwrap_or(u64::MAX / 2), deadline) {
                    Verdict::Win => return Ok(self.won_by_threats(&mut dfpn, position)),
                    Verdict::None => exhausted = true,
                    Verdict::Unknown => {}
                }
            } else if !by_threats {
                if engine.is_none() {
                    let config = Config { table_mb: TABLE_MB, tuning: tuning.clone(), ..Config::new(rule, size) };
                    engine = Some(Engine::new(config)?);
                }
                let Some(engine) = &mut engine else { continue };
                // the engine keeps 8 ms and a sixty-fourth of a turn back
                let turn = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
                let limits = SearchLimits { nodes: left, turn, ..SearchLimits::default() };
                let report = match engine.search(stones, attacker, &limits, &AtomicBool::new(false), &mut |_| {}) {
                    Ok(report) => report,
                    Err(EngineError::NoMove) => break,
                    Err(error) => return Err(error),
                };
                searched += report.nodes + report.solver_nodes;
                if report.lines[0].score.forced_in().is_some_and(|moves| moves > 0) {
                    self.nodes = dfpn.nodes() + searched;
                    let line = self.extend_to_five(position, &report.lines[0].moves);
                    return Ok((Verdict::Win, line, None));
                }
            }
        }
        self.nodes = dfpn.nodes() + searched;
        Ok((if exhausted { Verdict::None } else { Verdict::Unknown }, Vec::new(), None))
    }

    fn won_by_threats(
        &mut self,
        dfpn: &mut DfPn,
        position: &mut PatternBoard,
    ) -> (Verdict, Vec<Point>, Option<ProofNode>) {
        let attacker = self.request.attacker;
        self.nodes = dfpn.nodes();
        let proof = dfpn.proof(position, attacker, self.request.proof.max(LINE_PROOF));
        let line = proof.as_ref().map(ProofNode::longest_line).unwrap_or_default();
        let small = proof.filter(|proof| proof.size() <= self.request.proof);
        (Verdict::Win, line, small)
    }

    /// The line of the main search, continued by fours to the five where it is cut off.
    fn extend_to_five(&mut self, position: &mut PatternBoard, moves: &[Point]) -> Vec<Point> {
        let attacker = self.request.attacker;
        let mut line: Vec<Cell> = moves.iter().map(|&point| Cell::of(point)).collect();
        let mut placed = 0;
        for (i, &cell) in line.iter().enumerate() {
            if !position.is_empty(cell) {
                break;
            }
            position.place(cell, if i % 2 == 0 { attacker } else { attacker.opponent() });
            placed += 1;
        }
        if placed == line.len()
            && line.len().is_multiple_of(2)
            && self.vcf.search(position, attacker, FIRST_VCF) == Verdict::Win
        {
            let fours = self.vcf.line().to_vec();
            line.extend(finish_by_fours(position, attacker, &fours));
        }
        for _ in 0..placed {
            position.undo();
        }
        points(&line)
    }
}

/// Size of the proof from which the line of a win is taken.
const LINE_PROOF: usize = 20_000;

/// Continues a win by fours to the five.
pub(super) fn finish_by_fours(position: &mut PatternBoard, me: Color, line: &[Cell]) -> Vec<Cell> {
    let mut moves = line.to_vec();
    for (i, &cell) in line.iter().enumerate() {
        position.place(cell, if i % 2 == 0 { me } else { me.opponent() });
    }
    let mut extra = 0;
    if line.len() % 2 == 1
        && let Some(reply) = position.find(me, Class::Five)
    {
        if position.is_allowed(reply, me.opponent()) {
            moves.push(reply);
            position.place(reply, me.opponent());
            extra = 1;
            if let Some(five) = position.find(me, Class::Five) {
                moves.push(five);
            }
        } else {
            // the only answer is forbidden: black passes in effect
            moves.push(reply);
        }
    }
    for _ in 0..line.len() + extra {
        position.undo();
    }
    moves
}
