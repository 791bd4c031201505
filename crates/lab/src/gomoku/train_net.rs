//! Training examples from recorded games, and epochs over them.

use std::sync::Arc;

use gomoku::engine::Score;
use gomoku::engine::geometry::Cell;
use gomoku::engine::net::{
    GradientBatch, GradientTrainer, LabelledPosition, Losses, Net, NetEvaluator, PatternPrior, TrainingExample,
};
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::pattern_tables::PatternTables;
use gomoku::rules::{Color, Point};
use serde::Serialize;

use super::training_games::{RecordedMove, TrainingGame, UNSCORED};
use numerics::SplitMix64;

/// Adds an example for every searched position of a game that no move decides at once.
pub fn training_examples(
    game: &TrainingGame,
    tables: &'static PatternTables,
    result_weight: f32,
    out: &mut Vec<TrainingExample>,
) {
    let mut position = PatternBoard::with_tables(game.rule, game.size, tables).expect("recorded boards are playable");
    let size = u16::from(game.size);
    let mut stones: [Vec<u16>; 2] = [Vec::new(), Vec::new()];
    for (i, m) in game.line().iter().enumerate() {
        let mover = if i % 2 == 0 { Color::Black } else { Color::White };
        let you = mover.opponent();
        let at = index(m.point, size);
        if i >= usize::from(game.opening) && position.is_undecided(mover) && m.score != UNSCORED {
            let result = match (mover, game.result) {
                (_, 1) => [0.0, 1.0, 0.0],
                (Color::Black, 2) | (Color::White, 0) => [1.0, 0.0, 0.0],
                _ => [0.0, 0.0, 1.0],
            };
            let believed = Score(i32::from(m.score)).win_probability();
            let weight = if game.is_off_trajectory() { 0.0 } else { result_weight };
            let blend = |r: f32, b: f32| weight * r + (1.0 - weight) * b;
            let outcome = [blend(result[0], believed), weight * result[1], blend(result[2], 1.0 - believed)];
            let sample = LabelledPosition {
                size: game.size,
                own: stones[mover as usize].clone(),
                other: stones[you as usize].clone(),
                targets: targets(m, game.alternatives(), size),
                outcome,
            };
            let mut candidates = Vec::new();
            position.candidates().for_each(|cell| {
                let urgency = PatternPrior::urgency(&position, mover, cell).clamp(i16::MIN.into(), i16::MAX.into());
                candidates.push((index(cell.point(), size), urgency as i16));
            });
            out.push(TrainingExample { sample, value: PatternPrior::value(&position, mover), candidates });
        }
        stones[mover as usize].push(at);
        position.place(Cell::of(m.point), mover);
    }
}

fn index(point: Point, size: u16) -> u16 {
    u16::from(point.y) * size + u16::from(point.x)
}

/// A difference in win probability that divides the target weight by e.
const SHARPNESS: f32 = 0.12;
/// Value of a forced win above other wins, and its decrease per move.
const FORCED_WORTH: f32 = 0.1;
const DELAY: f32 = 0.005;

/// Target moves from a labelled move and its alternatives; none where the position is lost.
fn targets(best: &RecordedMove, alternatives: &[RecordedMove], size: u16) -> Vec<(u16, f32)> {
    if i32::from(best.score) <= -Score::FORCED {
        return Vec::new();
    }
    let worth = |m: &RecordedMove| match Score(i32::from(m.score)) {
        score if score.0 >= Score::FORCED => 1.0 + (FORCED_WORTH - DELAY * (Score::MATE - score.0) as f32).max(0.0),
        score => score.win_probability(),
    };
    let mut moves: Vec<(u16, f32)> =
        std::iter::once(best).chain(alternatives).map(|m| (index(m.point, size), worth(m))).collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
    let most = moves[0].1;
    moves.iter_mut().for_each(|m| m.1 = ((m.1 - most) / SHARPNESS).exp());
    moves
}

/// Means of an epoch or a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    pub value: f64,
    pub policy: f64,
    pub first: f64,
    pub five: f64,
}

impl From<Losses> for Means {
    fn from(l: Losses) -> Self {
        let (n, m) = (l.samples.max(1.0), l.moves.max(1.0));
        Self { value: l.value / n, policy: l.policy / m, first: l.first / m, five: l.five / m }
    }
}

/// Examples of half a batch. Two threads take one half each; the sum is always in the same order.
const HALF_BATCH: usize = 16;

/// A random order of examples, with a symmetry for each.
pub fn shuffled(examples: usize, rng: &mut SplitMix64) -> Vec<(usize, usize)> {
    let mut order: Vec<(usize, usize)> = (0..examples).map(|i| (i, rng.below(8))).collect();
    rng.shuffle(&mut order);
    order
}

/// One epoch in random order, each example under a random symmetry.
pub fn epoch(
    trainer: &mut impl GradientTrainer,
    examples: &[TrainingExample],
    rng: &mut SplitMix64,
    on_progress: &mut dyn FnMut(usize, Means),
) -> Means {
    pass(trainer, examples, &shuffled(examples.len(), rng), HALF_BATCH, on_progress)
}

/// Trains on examples in this order, in batches of twice `half`.
pub fn pass<T: GradientTrainer>(
    trainer: &mut T,
    examples: &[TrainingExample],
    order: &[(usize, usize)],
    half: usize,
    on_progress: &mut dyn FnMut(usize, Means),
) -> Means {
    let mut batches = [trainer.batch(), trainer.batch()];
    let mut losses = Losses::default();
    let mut done = 0;
    for both in order.chunks(2 * half) {
        let (first, second) = both.split_at(both.len().min(half));
        let learn = |half: &[(usize, usize)], batch: &mut GradientBatch<T::Scratch>| {
            let mut losses = Losses::default();
            for &(i, symmetry) in half {
                trainer.accumulate(&examples[i].turned(symmetry), batch, &mut losses, false);
            }
            losses
        };
        let [one, other] = &mut batches;
        let (a, b) = rayon::join(|| learn(first, one), || learn(second, other));
        losses.add(&a);
        losses.add(&b);
        one.take(other);
        trainer.step(one);
        let before = done;
        done += both.len();
        if before / 20_000 != done / 20_000 {
            on_progress(done, losses.into());
        }
    }
    losses.into()
}

/// Losses on held-out examples.
pub fn measure(trainer: &impl GradientTrainer, examples: &[TrainingExample]) -> Means {
    let mut batch = trainer.batch();
    let mut losses = Losses::default();
    for example in examples {
        trainer.accumulate(example, &mut batch, &mut losses, true);
    }
    losses.into()
}

/// Log-losses of value predictions on held-out positions against the result of the game (a draw is half).
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ValueLosses {
    pub positions: usize,
    pub net: f64,
    pub patterns: f64,
    pub constant: f64,
}

/// Evaluates every undecided searched position by a net, by patterns and by a constant.
pub fn value_losses(games: &[&TrainingGame], tables: &'static PatternTables, net: Arc<Net>) -> ValueLosses {
    let mut judge = NetEvaluator::new(net);
    let mut losses = ValueLosses::default();
    let loss = |p: f64, t: f64| -(t * p.clamp(1e-6, 1.0).ln() + (1.0 - t) * (1.0 - p).clamp(1e-6, 1.0).ln());
    for game in games {
        let mut position =
            PatternBoard::with_tables(game.rule, game.size, tables).expect("recorded boards are playable");
        for (i, m) in game.moves.iter().enumerate() {
            let mover = if i % 2 == 0 { Color::Black } else { Color::White };
            if i >= usize::from(game.opening) && position.is_undecided(mover) {
                let truth = match (mover, game.result) {
                    (_, 1) => 0.5,
                    (Color::Black, 2) | (Color::White, 0) => 1.0,
                    _ => 0.0,
                };
                let [win, draw, _] = judge.outcome(&position, mover);
                losses.positions += 1;
                losses.net += loss(f64::from(win + draw / 2.0), truth);
                losses.patterns += loss(f64::from(Score(position.evaluate(mover)).win_probability()), truth);
                losses.constant += loss(0.5, truth);
            }
            position.place(Cell::of(m.point), mover);
        }
    }
    let n = losses.positions.max(1) as f64;
    ValueLosses {
        positions: losses.positions,
        net: losses.net / n,
        patterns: losses.patterns / n,
        constant: losses.constant / n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_wanted_by_what_they_are_worth() {
        let judged = |x: u8, score: i32| RecordedMove { point: Point { x, y: 1 }, score: score as i16 };
        let of = |best, alternatives: &[RecordedMove]| targets(&best, alternatives, 15);
        assert_eq!(of(judged(2, 40), &[]), [(17, 1.0)]);
        assert_eq!(of(judged(2, -Score::MATE + 6), &[]), []);
        // a quick win, a slow one, none
        let found = of(judged(0, Score::MATE - 7), &[judged(1, 0), judged(2, Score::MATE - 11)]);
        assert_eq!(found.iter().map(|m| m.0).collect::<Vec<_>>(), [15, 17, 16]);
        assert!(found[1].1 > 0.8 && found[2].1 < 0.02, "{found:?}");
        // an alternative may score better than the move that the search chose
        let found = of(judged(0, 0), &[judged(1, 60)]);
        assert_eq!((found[0], found[1].0), ((16, 1.0), 15));
        assert!((0.4..0.7).contains(&found[1].1), "{found:?}");
    }
}
