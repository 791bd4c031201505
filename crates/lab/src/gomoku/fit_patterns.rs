//! Fitting of pattern weights: logistic regression for the value, soft-max regression for the ordering.
//!
//! The value of a cell is a sum over its four shapes and over the six pairs of them. The value of a position is
//! the sum over empty cells for the mover, minus that of the other side, plus a bonus for the threats
//! on the board. The urgency of a move is the same kind of sum for both owners. Both are linear, so the fit
//! has one optimum; Adagrad with a small L2 penalty finds it.

use std::fmt::Write as _;

use gomoku::engine::Score;
use gomoku::engine::geometry::Cell;
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::pattern_tables::{Class, shapes_of};
use gomoku::engine::weights::{FRACTION, PAIRS, PatternWeights, SHAPES, THREATS, pair_index, threat_index};
use gomoku::rules::Color;

use super::training_games::{TrainingGame, UNSCORED};
use numerics::SplitMix64;

/// Number of weights of one side: single shapes, then pairs.
const SIDE: usize = SHAPES + PAIRS;

/// A position of the value fit: feature counts and the target win probability.
struct ValueSample {
    features: Vec<(u16, f32)>,
    target: f32,
}

/// A position of the ordering fit: features of every candidate move, and the index of the played one.
struct OrderSample {
    candidates: Vec<[u16; 20]>,
    played: usize,
}

/// Result of a fit.
pub struct PatternFit {
    value: Vec<f32>,
    order: Vec<f32>,
    /// Log-loss on held-out positions: fitted, and of a constant.
    pub log_loss: (f32, f32),
    /// Top-1 and top-5 accuracy of the ordering on held-out positions.
    pub top: (f32, f32),
    pub positions: usize,
}

/// The mix of game result and search score in value targets.
pub struct Blend {
    /// Weight of the result; the rest is the score.
    pub result: f32,
}

/// Fits both models on games, holding out every tenth game.
pub fn fit(games: &[TrainingGame], blend: &Blend, epochs: usize, seed: u64) -> PatternFit {
    let (mut train, mut held) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for (held_out, game) in TrainingGame::held_out(games, 10) {
        let (values, orders) = if held_out { (&mut held.0, &mut held.1) } else { (&mut train.0, &mut train.1) };
        collect(game, blend, values, orders);
    }
    let mut rng = SplitMix64::new(seed);
    let value = fit_value(&mut train.0, epochs, &mut rng);
    let order = fit_order(&mut train.1, epochs.min(6), &mut rng);
    let mean = train.0.iter().map(|s| s.target).sum::<f32>() / train.0.len().max(1) as f32;
    let loss = |p: f32, t: f32| -(t * p.max(1e-6).ln() + (1.0 - t) * (1.0 - p).max(1e-6).ln());
    let count = held.0.len().max(1) as f32;
    let fitted = held.0.iter().map(|s| loss(sigmoid(dot(&value, s)), s.target)).sum::<f32>() / count;
    let constant = held.0.iter().map(|s| loss(mean, s.target)).sum::<f32>() / count;
    let (mut first, mut five) = (0, 0);
    for sample in &held.1 {
        let played = logit(&order, &sample.candidates[sample.played]);
        let better = sample.candidates.iter().filter(|c| logit(&order, c) > played).count();
        first += usize::from(better == 0);
        five += usize::from(better < 5);
    }
    let moves = held.1.len().max(1) as f32;
    PatternFit {
        value,
        order,
        log_loss: (fitted, constant),
        top: (first as f32 / moves, five as f32 / moves),
        positions: train.0.len(),
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn dot(weights: &[f32], sample: &ValueSample) -> f32 {
    sample.features.iter().map(|&(i, n)| weights[i as usize] * n).sum()
}

fn logit(weights: &[f32], features: &[u16; 20]) -> f32 {
    features.iter().map(|&i| weights[i as usize]).sum()
}

fn collect(game: &TrainingGame, blend: &Blend, values: &mut Vec<ValueSample>, orders: &mut Vec<OrderSample>) {
    let mut position = PatternBoard::new(game.rule, game.size).expect("recorded boards are playable");
    for (i, m) in game.line().iter().enumerate() {
        let mover = if i % 2 == 0 { Color::Black } else { Color::White };
        let you = mover.opponent();
        let cell = Cell::of(m.point);
        if i >= usize::from(game.opening) && m.score != UNSCORED {
            let result = match (mover, game.result) {
                (_, 1) => 0.5,
                (Color::Black, 2) | (Color::White, 0) => 1.0,
                _ => 0.0,
            };
            if position.is_undecided(mover) {
                let believed = Score(i32::from(m.score)).win_probability();
                let weight = if game.is_off_trajectory() { 0.0 } else { blend.result };
                let target = weight * result + (1.0 - weight) * believed;
                values.push(ValueSample { features: value_features(&position, mover), target });
                // lost positions are no policy targets
                if i32::from(m.score) > -Score::FORCED && position.count(you, Class::OpenFour) == 0 {
                    let cells = position.candidates().to_vec();
                    if let Some(played) = cells.iter().position(|c| *c == cell) {
                        let candidates = cells.iter().map(|&c| order_features(&position, c, mover)).collect();
                        orders.push(OrderSample { candidates, played });
                    }
                }
            }
        }
        position.place(cell, mover);
    }
}

fn value_features(position: &PatternBoard, mover: Color) -> Vec<(u16, f32)> {
    let mut counts = vec![0f32; 2 * SIDE];
    position.empties().for_each(|cell| {
        for (side, colour, sign) in [(0, mover, 1.0), (1, mover.opponent(), -1.0)] {
            let shapes = shapes_of(position.code(cell, colour));
            for (a, &s) in shapes.iter().enumerate() {
                counts[side * SIDE + s as usize] += sign;
                for &t in &shapes[a + 1..] {
                    counts[side * SIDE + SHAPES + pair_index(s, t)] += sign;
                }
            }
        }
    });
    let threat = threat_index(position.counts(mover), position.counts(mover.opponent()));
    let mut features: Vec<(u16, f32)> =
        counts.iter().enumerate().filter(|(_, n)| **n != 0.0).map(|(i, &n)| (i as u16, n)).collect();
    features.push(((2 * SIDE + threat) as u16, 1.0));
    features
}

fn order_features(position: &PatternBoard, cell: Cell, mover: Color) -> [u16; 20] {
    let mut features = [0; 20];
    let mut at = 0;
    for (side, colour) in [(0, mover), (1, mover.opponent())] {
        let shapes = shapes_of(position.code(cell, colour));
        for (a, &s) in shapes.iter().enumerate() {
            features[at] = (side * SIDE + s as usize) as u16;
            at += 1;
            for &t in &shapes[a + 1..] {
                features[at] = (side * SIDE + SHAPES + pair_index(s, t)) as u16;
                at += 1;
            }
        }
    }
    features
}

fn fit_value(samples: &mut [ValueSample], epochs: usize, rng: &mut SplitMix64) -> Vec<f32> {
    let size = 2 * SIDE + THREATS;
    let mut weights = vec![0f32; size];
    let mut squares = vec![1e-2f32; size];
    for epoch in 0..epochs {
        rng.shuffle(samples);
        let rate = 0.03 / (1.0 + epoch as f32 * 0.5);
        for sample in samples.iter() {
            let error = sigmoid(dot(&weights, sample)) - sample.target;
            for &(i, n) in &sample.features {
                let i = i as usize;
                let gradient = error * n + 1e-4 * weights[i];
                squares[i] += gradient * gradient;
                weights[i] -= rate * gradient / squares[i].sqrt();
            }
        }
    }
    weights
}

fn fit_order(samples: &mut [OrderSample], epochs: usize, rng: &mut SplitMix64) -> Vec<f32> {
    let mut weights = vec![0f32; 2 * SIDE];
    let mut squares = vec![1e-2f32; 2 * SIDE];
    let mut probabilities = Vec::new();
    for epoch in 0..epochs {
        rng.shuffle(samples);
        let rate = 0.1 / (1.0 + epoch as f32);
        for sample in samples.iter() {
            probabilities.clear();
            probabilities.extend(sample.candidates.iter().map(|c| logit(&weights, c)));
            let top = probabilities.iter().copied().fold(f32::MIN, f32::max);
            let total: f32 = probabilities.iter().map(|p| (p - top).exp()).sum();
            for (i, candidate) in sample.candidates.iter().enumerate() {
                let p = (probabilities[i] - top).exp() / total;
                let error = p - f32::from(u8::from(i == sample.played));
                if error.abs() < 1e-3 {
                    continue;
                }
                for &f in candidate {
                    let f = f as usize;
                    let gradient = error + 1e-5 * weights[f];
                    squares[f] += gradient * gradient;
                    weights[f] -= rate * gradient / squares[f].sqrt();
                }
            }
        }
    }
    weights
}

impl PatternFit {
    /// The fitted numbers, rounded for play.
    pub fn weights(&self) -> PatternWeights {
        let side = |values: &[f32], scale: f32| std::array::from_fn(|i| round(values[i] * scale));
        let value = Score::LOGIT * FRACTION as f32;
        PatternWeights {
            mine: side(&self.value[..SIDE], value),
            theirs: side(&self.value[SIDE..2 * SIDE], value),
            attack: side(&self.order[..SIDE], URGENCY),
            defend: side(&self.order[SIDE..], URGENCY),
            threat: std::array::from_fn(|i| round(self.value[2 * SIDE + i] * value)),
        }
    }
}

/// Urgency counts in hundredths of log-odds.
const URGENCY: f32 = 100.0;

fn round(value: f32) -> i16 {
    value.round().clamp(-8000.0, 8000.0) as i16
}

/// Weights as the source text of the engine's built-in ones.
pub fn source(weights: &PatternWeights, note: &str) -> String {
    let mut text = format!("//! Pattern weights fitted on self-play by `parlour gomoku train`: {note}.\n\n");
    let mut table = |name: &str, what: &str, values: &[i16]| {
        let _ = writeln!(text, "/// {what}");
        let _ = writeln!(text, "#[rustfmt::skip]\npub const {name}: [i16; {}] = [", values.len());
        for row in values.chunks(20) {
            let numbers: Vec<String> = row.iter().map(i16::to_string).collect();
            let _ = writeln!(text, "    {},", numbers.join(", "));
        }
        let _ = writeln!(text, "];\n");
    };
    table("MINE", "Worth of shapes and pairs of shapes to the side to move, in eighths of a point.", &weights.mine);
    table("THEIRS", "Worth to the other side.", &weights.theirs);
    table("THREAT", "Worth of threat situations to the side to move.", &weights.threat);
    table("ATTACK", "Urgency of a cell for its owner, in hundredths of log-odds.", &weights.attack);
    table("DEFEND", "Urgency of a cell for the other side.", &weights.defend);
    text.trim_end().to_string() + "\n"
}

/// How many bytes [`to_bytes`] gives.
pub const BYTES: usize = 2 * (4 * SIDE + THREATS);

/// Weights as bytes, little-endian; the inverse is [`from_bytes`].
pub fn to_bytes(weights: &PatternWeights) -> Vec<u8> {
    [&weights.mine[..], &weights.theirs, &weights.attack, &weights.defend, &weights.threat]
        .concat()
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect()
}

/// Weights from [`to_bytes`], if the length is right.
pub fn from_bytes(bytes: &[u8]) -> Option<PatternWeights> {
    let numbers: Vec<i16> = bytes.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
    if numbers.len() != 4 * SIDE + THREATS {
        return None;
    }
    let side = |n: usize| std::array::from_fn(|i| numbers[n * SIDE + i]);
    Some(PatternWeights {
        mine: side(0),
        theirs: side(1),
        attack: side(2),
        defend: side(3),
        threat: std::array::from_fn(|i| numbers[4 * SIDE + i]),
    })
}
