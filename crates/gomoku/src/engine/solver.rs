//! Questions for a forced win: by fours, or by threats.

use std::time::{Duration, Instant};

use super::api::EngineError;
use super::geometry::Cell;
use super::pattern_board::PatternBoard;
use super::pattern_tables::Class;
use super::vcf::{Vcf, Verdict};
use super::vct::Vct;
use crate::rules::{Color, Point, Rule};

/// Which moves the attacker may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveKind {
    /// Only fours.
    Vcf,
    /// Fours, threes and other moves that threaten to win by fours.
    Vct,
}

/// The answer to a question for a forced win.
#[derive(Clone, Debug)]
pub struct Solution {
    /// [`Verdict::Win`] is proved; [`Verdict::None`] says that no win of this kind exists within the
    /// moves considered; [`Verdict::Unknown`] that a limit ended the search.
    pub verdict: Verdict,
    /// Moves of both sides, the attacker's first, to the five.
    pub line: Vec<Point>,
    pub nodes: u64,
    pub elapsed: Duration,
}

/// Looks for a forced win of `attacker`, who is to move, for at most `time`.
pub fn solve(
    rule: Rule,
    size: u8,
    stones: &[(Point, Color)],
    attacker: Color,
    kind: SolveKind,
    time: Duration,
) -> Result<Solution, EngineError> {
    let mut position = PatternBoard::new(rule, size).ok_or(EngineError::Size(size))?;
    position.set(stones).map_err(EngineError::Stone)?;
    let start = Instant::now();
    let deadline = start + time;
    let mut vcf = Vcf::new(18);
    let mut verdict;
    let mut line = Vec::new();
    let mut budget = 20_000;
    loop {
        verdict = vcf.search(&mut position, attacker, budget);
        budget *= 2;
        if verdict != Verdict::Unknown || kind == SolveKind::Vct || Instant::now() >= deadline {
            break;
        }
    }
    if verdict == Verdict::Win {
        line = finish(&mut position, attacker, vcf.line());
    }
    let mut nodes = vcf.nodes;
    if kind == SolveKind::Vct && verdict != Verdict::Win {
        let mut vct = Vct::default();
        verdict = vct.search(&mut position, attacker, 60, u64::MAX / 2, Some(deadline));
        nodes += vct.nodes();
        if verdict == Verdict::Win {
            line = vct.line().to_vec();
        }
    }
    Ok(Solution { verdict, line: line.iter().map(|c| c.point()).collect(), nodes, elapsed: start.elapsed() })
}

/// Carries a win by fours on to the five.
fn finish(position: &mut PatternBoard, me: Color, line: &[Cell]) -> Vec<Cell> {
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
