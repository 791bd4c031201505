//! Prediction quality of a net: moves of a deep search, and results of games outside its training data.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gomoku::engine::net::Net;
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::pattern_tables::PatternTables;
use gomoku::engine::{Config, Engine, EngineError, Evaluation, SearchLimits};
use gomoku::rules::{Color, Point, Rule};
use serde::Serialize;

use super::openings::OpeningStyle;
use super::selfplay::{self, SelfPlayStyle};
use super::train_net::{ValueLosses, value_losses};
use super::training_games::TrainingGame;
use numerics::SplitMix64;

/// Parameters of a measurement.
#[derive(Clone)]
pub struct PredictionPlan {
    pub rule: Rule,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    /// Number of games, and nodes per move.
    pub games: u64,
    pub nodes: u64,
    /// Nodes of the deep search, and the probability that a position is searched.
    pub deep: u64,
    pub share: f32,
    pub threads: usize,
    pub seed: u64,
}

/// Top-1 and top-5 accuracy.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Hits {
    pub positions: u64,
    pub first: f64,
    pub five: f64,
}

impl Hits {
    fn add(&mut self, rank: usize) {
        self.positions += 1;
        self.first += f64::from(rank == 0);
        self.five += f64::from(rank < 5);
    }

    fn join(&mut self, other: Self) {
        self.positions += other.positions;
        self.first += other.first;
        self.five += other.five;
    }

    fn shares(self) -> Self {
        let n = self.positions.max(1) as f64;
        Self { first: self.first / n, five: self.five / n, ..self }
    }
}

/// Result of a measurement.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PredictionReport {
    /// All positions, and those without a five or open four to make or a five to stop.
    pub all: Hits,
    pub open: Hits,
    /// Log-losses on the results of the games.
    pub value: ValueLosses,
}

/// Plays games with the net and compares its policy with a deep search.
pub fn run(plan: &PredictionPlan, net: &Arc<Net>) -> Result<PredictionReport, EngineError> {
    let next = AtomicU64::new(0);
    let found = Mutex::new((Hits::default(), Hits::default(), Vec::new()));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= plan.games {
                            return Ok(());
                        }
                        let (all, open, game) = of_game(plan, net, index)?;
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        found.0.join(all);
                        found.1.join(open);
                        found.2.push(game);
                    }
                })
            })
            .collect();
        let joined = workers.into_iter().map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.collect::<Result<Vec<()>, EngineError>>()
    })?;
    let (all, open, games) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let games: Vec<&TrainingGame> = games.iter().collect();
    let value = value_losses(&games, PatternTables::of(plan.rule), Arc::clone(net));
    Ok(PredictionReport { all: all.shares(), open: open.shares(), value })
}

/// Plays game number `index` and scores the policy on its positions.
fn of_game(plan: &PredictionPlan, net: &Arc<Net>, index: u64) -> Result<(Hits, Hits, TrainingGame), EngineError> {
    let size = plan.sizes[(index % plan.sizes.len() as u64) as usize];
    let config =
        Config { table_mb: 16, ..Config::new(plan.rule, size).with_evaluation(Evaluation::Net(Arc::clone(net))) };
    let mut engine = Engine::new(config)?;
    let mut rng = SplitMix64::new(plan.seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let opening = OpeningStyle { nodes: plan.nodes / 2, ..OpeningStyle::default() };
    let style = SelfPlayStyle { opening, nodes: plan.nodes, exploration: 0.03, off_trajectory: 0.0, policy_games: 0.0 };
    let game = selfplay::play(&mut engine, &style, &mut rng).pop().expect("a game comes last");
    let mut position = PatternBoard::new(plan.rule, size).ok_or(EngineError::Size(size))?;
    let (mut all, mut open) = (Hits::default(), Hits::default());
    let stones: Vec<(Point, Color)> =
        game.moves.iter().zip([Color::Black, Color::White].into_iter().cycle()).map(|(m, c)| (m.point, c)).collect();
    for at in usize::from(game.opening)..stones.len() {
        if rng.unit() >= plan.share {
            continue;
        }
        let (before, mover) = (&stones[..at], stones[at].1);
        position.set(before).map_err(EngineError::Stone)?;
        engine.clear();
        let policy_games = engine.policy(before, mover)?;
        let best =
            engine.search(before, mover, &SearchLimits::nodes(plan.deep), &AtomicBool::new(false), &mut |_| {})?.best;
        let rank = policy_games.iter().position(|(point, _)| *point == best).unwrap_or(policy_games.len());
        all.add(rank);
        if position.is_undecided(mover) {
            open.add(rank);
        }
    }
    Ok((all, open, game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gomoku::engine::net::NetTrainer;

    #[test]
    fn the_same_seed_finds_the_same_on_any_number_of_threads() {
        let net = Arc::new(NetTrainer::new(3).quantised());
        let plan = PredictionPlan {
            rule: Rule::Freestyle,
            sizes: vec![15, 12],
            games: 3,
            nodes: 60,
            deep: 200,
            share: 0.5,
            threads: 1,
            seed: 4,
        };
        let one = run(&plan, &net).expect("played");
        let two = run(&PredictionPlan { threads: 2, ..plan }, &net).expect("played");
        assert_eq!(
            (one.all.positions, one.all.first, one.open.five),
            (two.all.positions, two.all.first, two.open.five)
        );
        assert!(one.all.positions > one.open.positions / 2 && one.all.positions >= one.open.positions);
        assert!(one.all.first <= one.all.five && one.all.five <= 1.0);
        assert!((one.value.constant - std::f64::consts::LN_2).abs() < 1e-9);
    }
}
