//! Matches between two settings of the engine: search constants, evaluations.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gomoku::engine::pattern_tables::PatternTables;
use gomoku::engine::{Config, Engine, EngineError, Evaluation, SearchLimits, Tuning};
use gomoku::rules::Rule;

use super::match_play::{self, MoveChoice, PairTally};
use super::openings::{OpeningStyle, balanced};
use numerics::SplitMix64;

/// One side of a comparison.
#[derive(Clone)]
pub struct Setting {
    pub evaluation: Evaluation,
    pub tuning: Tuning,
    /// Pattern weights other than the built-in ones.
    pub tables: Option<&'static PatternTables>,
}

/// Parameters of a comparison.
#[derive(Clone)]
pub struct ComparePlan {
    pub rule: Rule,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    /// Maximum number of game pairs.
    pub pairs: usize,
    /// Limits per move.
    pub limits: SearchLimits,
    /// Ends the match early by an SPRT between these two Elo differences.
    pub sprt: Option<(f64, f64)>,
    pub threads: usize,
    pub seed: u64,
}

/// Nodes of the search that evaluates an opening.
const OPENING_NODES: u64 = 4000;
/// Decision bound of the log-likelihood ratio: 5 % errors of each kind.
const LLR_BOUND: f64 = 2.94;

/// Plays the match; reports the tally to `say` after every pair.
pub fn run(
    plan: &ComparePlan,
    sides: &[Setting; 2],
    say: &(dyn Fn(&PairTally) + Sync),
) -> Result<PairTally, EngineError> {
    let tally = Mutex::new(PairTally::default());
    let failed = Mutex::new(None);
    let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let guarded = "nobody panics with it";
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= plan.pairs || ended.load(Ordering::Relaxed) {
                        return;
                    }
                    match pair(plan, sides, index) {
                        Ok(points) => {
                            let mut tally = tally.lock().expect(guarded);
                            tally.add(points);
                            say(&tally);
                            if plan.sprt.is_some_and(|(low, high)| tally.llr(low, high).abs() >= LLR_BOUND) {
                                ended.store(true, Ordering::Relaxed);
                            }
                        }
                        Err(error) => {
                            *failed.lock().expect(guarded) = Some(error);
                            ended.store(true, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    failed.into_inner().expect(guarded).map_or_else(|| Ok(tally.into_inner().expect(guarded)), Err)
}

/// Points of the first side in a pair of games from an opening that patterns evaluate as balanced.
fn pair(plan: &ComparePlan, sides: &[Setting; 2], index: usize) -> Result<f64, EngineError> {
    let config = Config { table_mb: 16, ..Config::new(plan.rule, plan.sizes[index % plan.sizes.len()]) };
    let mut rng = SplitMix64::new(plan.seed ^ (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let style = OpeningStyle { nodes: OPENING_NODES, stones: (3, 7), ..OpeningStyle::default() };
    let opening = balanced(&mut Engine::new(config.clone())?, &style, &mut rng);
    let engine = |side: &Setting| {
        let (evaluation, tuning) = (side.evaluation.clone(), side.tuning.clone());
        Engine::new(Config { evaluation, tuning, tables: side.tables, ..config.clone() })
    };
    Ok(match_play::pair(&mut engine(&sides[0])?, &mut engine(&sides[1])?, MoveChoice::Search(&plan.limits), &opening))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_settings_are_equal_and_a_blind_one_loses() {
        let plain = Setting { evaluation: Evaluation::Pattern, tuning: Tuning::default(), tables: None };
        let plan = ComparePlan {
            rule: Rule::Freestyle,
            sizes: vec![15, 12],
            pairs: 4,
            limits: SearchLimits::nodes(120),
            sprt: None,
            threads: 2,
            seed: 3,
        };
        let tally = run(&plan, &[plain.clone(), plain.clone()], &|_| {}).unwrap();
        assert_eq!((tally.games(), tally.score()), (8, 0.5));
        // one move at every node, which is rarely the best
        let mut blind = plain.clone();
        blind.tuning.apply("limit_base=1,limit_linear=0,limit_square=0").unwrap();
        let stopped =
            run(&ComparePlan { pairs: 60, sprt: Some((0.0, 200.0)), ..plan }, &[plain, blind], &|_| {}).unwrap();
        assert!(stopped.score() > 0.5, "{}", stopped.score());
    }
}
