//! Problems from self-play: positions with a proved forced win, a unique first move and a minimum length.

use std::sync::atomic::AtomicBool;

use gomoku::engine::geometry::Cell;
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::{
    Config, DfPn, Engine, EngineError, SearchLimits, SolveKind, SolverRequest, Verdict, solve_request,
};
use gomoku::rules::{Color, Point, Rule};
use numerics::SplitMix64;

use super::openings::{OpeningStyle, alternate, balanced};

/// Parameters of a problem collection.
#[derive(Clone, Debug)]
pub struct ProblemPlan {
    pub rule: Rule,
    pub size: u8,
    pub kind: SolveKind,
    /// Minimum number of the attacker's moves.
    pub min_moves: usize,
    pub count: usize,
    /// Nodes of the solver per position, and per other first move.
    pub nodes: u64,
    pub seed: u64,
}

/// A problem with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub stones: Vec<Point>,
    pub attacker: Color,
    /// The winning line, the unique first move first.
    pub line: Vec<Point>,
}

impl Problem {
    /// Number of the attacker's moves.
    pub fn moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }
}

/// Nodes per move of the games.
const GAME_NODES: u64 = 400;
/// Probability of a random likely move in them.
const EXPLORATION: f32 = 0.15;

/// Makes problems from games of the engine against itself; passes each to `on_problem` as it is found.
pub fn make(plan: &ProblemPlan, on_problem: &mut dyn FnMut(&Problem)) -> Result<Vec<Problem>, EngineError> {
    let mut rng = SplitMix64::new(plan.seed);
    let mut engine = Engine::new(Config { table_mb: 4, ..Config::new(plan.rule, plan.size) })?;
    let mut found: Vec<Problem> = Vec::new();
    while found.len() < plan.count {
        engine.clear();
        let style = OpeningStyle { nodes: GAME_NODES, ..OpeningStyle::default() };
        let opening = balanced(&mut engine, &style, &mut rng);
        if let Some(problem) = of_game(plan, &mut engine, &opening, &mut rng)?
            && !found.contains(&problem)
        {
            on_problem(&problem);
            found.push(problem);
        }
    }
    Ok(found)
}

/// The first problem of a game, if there is one.
fn of_game(
    plan: &ProblemPlan,
    engine: &mut Engine,
    opening: &[Point],
    rng: &mut SplitMix64,
) -> Result<Option<Problem>, EngineError> {
    let mut stones = alternate(opening);
    let limits = SearchLimits::nodes(GAME_NODES);
    while stones.len() < usize::from(plan.size) * usize::from(plan.size) / 2 {
        let attacker = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
        if let Some(problem) = problem(plan, &stones, attacker)? {
            return Ok(Some(problem));
        }
        let report = engine.search(&stones, attacker, &limits, &AtomicBool::new(false), &mut |_| {})?;
        if report.lines[0].score.forced_in().is_some() {
            return Ok(None);
        }
        let mut point = report.best;
        if rng.unit() < EXPLORATION {
            let policy = engine.policy(&stones, attacker)?;
            point = policy[rng.below(policy.len().min(4))].0;
        }
        stones.push((point, attacker));
    }
    Ok(None)
}

/// The problem of a position: won by the kind of attack, long enough, with a unique first move.
fn problem(plan: &ProblemPlan, stones: &[(Point, Color)], attacker: Color) -> Result<Option<Problem>, EngineError> {
    let request = |kind, proof| SolverRequest {
        rule: plan.rule,
        size: plan.size,
        stones,
        attacker,
        kind,
        time: None,
        nodes: Some(plan.nodes),
        proof,
    };
    let by_fours = solve_request(&request(SolveKind::Vcf, 0))?;
    let solution = match (plan.kind, by_fours.verdict) {
        (SolveKind::Vcf, Verdict::Win) => by_fours,
        (SolveKind::Vct, Verdict::None) => {
            let solution = solve_request(&request(SolveKind::Vct, PROOF))?;
            // a win of the main search alone has no proof tree
            if solution.verdict != Verdict::Win || solution.proof.is_none() {
                return Ok(None);
            }
            solution
        }
        _ => return Ok(None),
    };
    let problem = Problem { stones: stones.iter().map(|s| s.0).collect(), attacker, line: solution.line };
    if problem.moves() < plan.min_moves.max(1) || problem.line.is_empty() {
        return Ok(None);
    }
    let mut position = PatternBoard::new(plan.rule, plan.size).ok_or(EngineError::Size(plan.size))?;
    position.set(stones).map_err(EngineError::Stone)?;
    let first = Cell::of(problem.line[0]);
    for cell in position.candidates().to_vec() {
        if cell == first || !position.is_allowed(cell, attacker) {
            continue;
        }
        // an undecided move may win as well
        if DfPn::default().wins_with(&mut position, attacker, cell, plan.nodes / 4) != Verdict::None {
            return Ok(None);
        }
    }
    Ok(Some(problem))
}

/// Largest proof of a problem, in nodes.
const PROOF: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_won_by_their_first_move() {
        let plan = ProblemPlan {
            rule: Rule::Freestyle,
            size: 15,
            kind: SolveKind::Vct,
            min_moves: 3,
            count: 1,
            nodes: 4_000,
            seed: 5,
        };
        let found = make(&plan, &mut |_| {}).expect("a playable size");
        let stones = alternate(&found[0].stones);
        let mut position = PatternBoard::new(plan.rule, plan.size).expect("a playable size");
        position.set(&stones).expect("distinct points");
        let first = Cell::of(found[0].line[0]);
        let verdict = DfPn::default().wins_with(&mut position, found[0].attacker, first, 100_000);
        assert_eq!((verdict, found[0].moves() >= 3), (Verdict::Win, true));
    }
}
