//! The net in play against itself from scratch, against its float form, and as bytes.

use std::sync::Arc;

use gomoku::engine::evaluator::Evaluator;
use gomoku::engine::geometry::Cell;
use gomoku::engine::net::{
    GradientTrainer, LabelledPosition, Losses, Net, NetError, NetEvaluator, NetTrainer, PatternPrior, PolicyTrainer,
    TrainingExample,
};
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::{Config, Engine, Evaluation};
use gomoku::rules::{Color, Point, Rule};

#[test]
fn values_kept_by_difference_equal_those_from_scratch() {
    let net = Arc::new(NetTrainer::new(3).quantised());
    let mut position = PatternBoard::new(Rule::Freestyle, 15).expect("a playable size");
    let mut evaluator = NetEvaluator::new(Arc::clone(&net));
    let mut random = 11u64;
    let mut colour = Color::Black;
    for _ in 0..60 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let cell = Cell::at((random >> 33) as usize % 15, (random >> 45) as usize % 15);
        if random >> 60 < 4 && !position.moves().is_empty() {
            position.undo();
        } else if position.is_empty(cell) {
            position.place(cell, colour);
            colour = colour.opponent();
        }
        let mut fresh = NetEvaluator::new(Arc::clone(&net));
        assert_eq!(evaluator.outcome(&position, colour), fresh.outcome(&position, colour));
        let cells = position.empties().to_vec();
        assert_eq!(evaluator.logits(&position, colour, &cells), fresh.logits(&position, colour, &cells));
    }
}

#[test]
fn bytes_come_back_and_wrong_ones_are_refused() {
    let net = NetTrainer::new(4).quantised();
    let bytes = net.to_bytes();
    assert!(bytes.len() < 8 << 20);
    assert!(Net::from_bytes(&bytes).expect("its own bytes") == net);
    assert_eq!(Net::from_bytes(&bytes[1..]).err(), Some(NetError::Header));
    let targets = bytes.len();
    assert_eq!(
        Net::from_bytes(&bytes[..targets - 1]).err(),
        Some(NetError::Length { found: targets - 1, wanted: targets })
    );
}

fn with_policy_net(net: Net, seed: u64) -> Net {
    let policy_net = PolicyTrainer::from_net(&net, seed).policy_net();
    net.with_policy_net(Some(policy_net))
}

#[test]
fn a_reader_comes_back_with_its_net_and_chooses_the_moves_of_a_position() {
    let plain = NetTrainer::new(4).quantised();
    let net = with_policy_net(plain.clone(), 2);
    let bytes = net.to_bytes();
    assert!(bytes.starts_with(b"PLGNET05") && bytes.len() < 8 << 20);
    assert!(Net::from_bytes(&bytes).expect("its own bytes") == net);
    let targets = bytes.len();
    for found in [targets - 1, targets + 1, plain.to_bytes().len()] {
        let mut bytes = bytes.clone();
        bytes.resize(found, 0);
        assert_eq!(Net::from_bytes(&bytes).err(), Some(NetError::Length { found, wanted: targets }));
    }
    let mut position = PatternBoard::new(Rule::Freestyle, 15).expect("a playable size");
    position.place(Cell::at(7, 7), Color::Black);
    let cells = position.empties().to_vec();
    let [mut without, mut with] = [plain, net].map(|net| NetEvaluator::new(Arc::new(net)));
    assert_eq!(without.outcome(&position, Color::White), with.outcome(&position, Color::White));
    let logits = with.logits(&position, Color::White, &cells);
    assert_ne!(logits, without.logits(&position, Color::White, &cells));
    let (near, far): (Vec<_>, Vec<_>) =
        cells.iter().zip(&logits).partition(|(cell, _)| position.candidates().contains(**cell));
    let lowest = near.iter().map(|(_, logit)| **logit).fold(f32::MAX, f32::min);
    assert!(far.iter().all(|(_, logit)| **logit < lowest), "cells far from stones are not read");
}

#[test]
fn a_reader_says_the_same_of_all_images_of_a_board() {
    let net = Arc::new(with_policy_net(NetTrainer::new(4).quantised(), 2));
    let stones = [(7, 7), (8, 8), (6, 8), (7, 9), (9, 6), (1, 2), (8, 6)];
    let images: [fn(usize, usize) -> Cell; 8] = [
        |x, y| Cell::at(x, y),
        |x, y| Cell::at(14 - x, y),
        |x, y| Cell::at(x, 14 - y),
        |x, y| Cell::at(14 - x, 14 - y),
        |x, y| Cell::at(y, x),
        |x, y| Cell::at(14 - y, x),
        |x, y| Cell::at(y, 14 - x),
        |x, y| Cell::at(14 - y, 14 - x),
    ];
    let said = images.map(|image| {
        let mut position = PatternBoard::new(Rule::Freestyle, 15).expect("a playable size");
        for (n, (x, y)) in stones.into_iter().enumerate() {
            position.place(image(x, y), if n % 2 == 0 { Color::Black } else { Color::White });
        }
        let cells: Vec<Cell> = (0..225).map(|at| image(at % 15, at / 15)).collect();
        NetEvaluator::new(Arc::clone(&net)).logits(&position, Color::White, &cells)
    });
    for other in &said[1..] {
        assert!(said[0].iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-3), "{said:?}");
    }
}

#[test]
fn a_reader_learns_and_its_checkpoint_goes_on() {
    let examples = eight_lessons();
    let mut trainer = PolicyTrainer::from_net(&NetTrainer::new(5).quantised(), 1);
    let round = |trainer: &mut PolicyTrainer, n: usize| {
        let mut batch = trainer.batch();
        let mut losses = Losses::default();
        for example in &examples {
            trainer.accumulate(&example.turned(n % 8), &mut batch, &mut losses, false);
        }
        trainer.step(&mut batch);
        losses
    };
    let first = round(&mut trainer, 0);
    (1..150).for_each(|n| {
        round(&mut trainer, n);
    });
    let mut again = PolicyTrainer::from_bytes(&trainer.to_bytes()).expect("its own bytes");
    again.rate = trainer.rate;
    let (last, same) = (round(&mut trainer, 150), round(&mut again, 150));
    assert!(last.policy < 0.5 * first.policy && last.first == 8.0, "{first:?} {last:?}");
    assert_eq!(last.policy, same.policy);
    assert!(trainer.policy_net() == again.policy_net());
    assert!(PolicyTrainer::from_bytes(&trainer.to_bytes()[1..]).is_none());
}

/// Bytes of a net as older versions wrote them: nine points of the convolution, no parts that came later.
fn of_older_version(bytes: &[u8], magic: &[u8; 8], units: bool) -> Vec<u8> {
    let neighbours = 8 + 2 * (22_143 + 9) * 32;
    let policy = 8 + 2 * (22_143 + 18) * 32;
    let mixed = policy + 4 * 2 * 32;
    let value = mixed + 4 * 66 * 32;
    let context = value + 4 * (9 * 32 * 32 + 32 + 32 * 3 + 3 + 2);
    let kept = if units { mixed } else { value };
    [magic, &bytes[8..neighbours], &bytes[policy - 2 * 32..mixed], &bytes[kept..context]].concat()
}

#[test]
fn nets_of_older_versions_are_read_and_say_the_same_without_the_parts_they_lack() {
    let net = NetTrainer::new(4).quantised();
    let bytes = net.to_bytes();
    let mut position = PatternBoard::new(Rule::Freestyle, 15).expect("a playable size");
    position.place(Cell::at(7, 7), Color::Black);
    let cells = position.candidates().to_vec();
    let [third, second] = [(b"PLGNET03", true), (b"PLGNET02", false)].map(|(magic, units)| {
        let old = of_older_version(&bytes, magic, units);
        let targets = old.len();
        assert_eq!(
            Net::from_bytes(&old[..targets - 1]).err(),
            Some(NetError::Length { found: targets - 1, wanted: targets })
        );
        let read = Arc::new(Net::from_bytes(&old).expect("the older form"));
        // read again from the newest form, it is the same net
        assert!(Net::from_bytes(&read.to_bytes()).expect("the newest form") == *read);
        let mut evaluator = NetEvaluator::new(read);
        (evaluator.outcome(&position, Color::White), evaluator.logits(&position, Color::White, &cells))
    });
    assert_eq!(third.0, second.0, "hidden units belong to the policy");
    assert_ne!(third.1, second.1);
    let mut whole = NetEvaluator::new(Arc::new(net));
    assert_ne!(whole.outcome(&position, Color::White), third.0);
    assert_ne!(whole.logits(&position, Color::White, &cells), third.1);
}

#[test]
fn two_halves_of_a_batch_are_the_batch() {
    let examples: Vec<TrainingExample> = (0..6u16)
        .map(|i| LabelledPosition {
            size: 9,
            own: vec![40, 41 + i],
            other: vec![10 + i, 31],
            targets: vec![(50, 1.0)],
            outcome: [1.0, 0.0, 0.0],
        })
        .map(example)
        .collect();
    let start = NetTrainer::new(5);
    let learned = |halves: usize| {
        let mut trainer = start.clone();
        let mut batches = [trainer.batch(), trainer.batch()];
        let mut losses = Losses::default();
        for (i, example) in examples.iter().enumerate() {
            trainer.accumulate(example, &mut batches[i / 3 % halves], &mut losses, false);
        }
        let [one, other] = &mut batches;
        one.take(other);
        trainer.step(one);
        trainer.quantised()
    };
    let mut position = PatternBoard::new(Rule::Freestyle, 9).expect("a playable size");
    position.place(Cell::at(4, 4), Color::Black);
    let [whole, halves] =
        [1, 2].map(|halves| NetEvaluator::new(Arc::new(learned(halves))).outcome(&position, Color::White));
    assert!(whole.iter().zip(halves).all(|(a, b)| (a - b).abs() < 1e-3), "{whole:?} {halves:?}");
}

#[test]
fn a_trainer_goes_on_from_a_net_where_it_stood() {
    let net = NetTrainer::new(8).quantised();
    let again = NetTrainer::resume(&net, 1).quantised();
    let mut position = PatternBoard::new(Rule::Freestyle, 15).expect("a playable size");
    for (n, at) in [(7, 7), (8, 8), (6, 8), (7, 9), (9, 6)].into_iter().enumerate() {
        position.place(Cell::at(at.0, at.1), if n % 2 == 0 { Color::Black } else { Color::White });
    }
    let cells = position.candidates().to_vec();
    let [mut before, mut after] = [net, again].map(|net| NetEvaluator::new(Arc::new(net)));
    let pairs =
        before.logits(&position, Color::White, &cells).into_iter().zip(after.logits(&position, Color::White, &cells));
    assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-3), "{:?}", pairs.collect::<Vec<_>>());
    let (a, b) = (before.outcome(&position, Color::White), after.outcome(&position, Color::White));
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
}

#[test]
fn the_best_move_keeps_its_points_when_a_net_orders() {
    let mut evaluator = NetEvaluator::new(Arc::new(NetTrainer::new(12).quantised()));
    let mut position = PatternBoard::new(Rule::Freestyle, 15).expect("a playable size");
    position.place(Cell::at(7, 7), Color::Black);
    position.place(Cell::at(8, 7), Color::White);
    let points: Vec<(i32, Cell)> =
        position.candidates().to_vec().iter().zip(0..).map(|(&c, n)| (n * 7 % 50, c)).collect();
    let mut moves = points.clone();
    evaluator.order(&position, Color::Black, 5, &mut moves);
    assert_ne!(moves, points);
    let top = |moves: &[(i32, Cell)]| moves.iter().map(|m| m.0).max();
    assert_eq!(top(&moves), top(&points));
}

fn position(sample: &LabelledPosition) -> PatternBoard {
    let size = usize::from(sample.size);
    let mut position = PatternBoard::new(Rule::Freestyle, sample.size).expect("a playable size");
    for (list, colour) in [(&sample.own, Color::Black), (&sample.other, Color::White)] {
        for &at in list {
            position.place(Cell::at(usize::from(at) % size, usize::from(at) / size), colour);
        }
    }
    position
}

fn example(sample: LabelledPosition) -> TrainingExample {
    let position = position(&sample);
    let mut candidates = Vec::new();
    position.candidates().for_each(|cell| {
        let (at, urgency) = (cell.point(), PatternPrior::urgency(&position, Color::Black, cell));
        candidates.push((u16::from(at.y) * u16::from(sample.size) + u16::from(at.x), urgency as i16));
    });
    TrainingExample { value: PatternPrior::value(&position, Color::Black), candidates, sample }
}

/// Threes to go on with on one side or the other, won and lost.
fn eight_lessons() -> Vec<TrainingExample> {
    (0..8u16)
        .map(|i| LabelledPosition {
            size: 9,
            own: vec![40, 41, 42 + i % 2],
            other: vec![10 + i, 31],
            targets: vec![(if i % 2 == 0 { 43 } else { 42 }, 1.0)],
            outcome: if i % 2 == 0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] },
        })
        .map(example)
        .collect()
}

#[test]
fn training_lowers_the_loss_and_fixed_point_keeps_the_value() {
    let examples = eight_lessons();
    let mut trainer = NetTrainer::new(5);
    let mut batch = trainer.batch();
    let mut history = Vec::new();
    for round in 0..150 {
        let mut losses = Losses::default();
        for example in &examples {
            trainer.accumulate(&example.turned(round % 8), &mut batch, &mut losses, false);
        }
        trainer.step(&mut batch);
        history.push(losses);
    }
    let (first, last) = (history[0], history[149]);
    assert!(last.value < 0.5 * first.value, "{first:?} {last:?}");
    assert!(last.policy < first.policy, "{first:?} {last:?}");
    assert_eq!(last.first, 8.0, "{last:?}");

    let mut evaluator = NetEvaluator::new(Arc::new(trainer.quantised()));
    for (i, example) in examples.iter().enumerate() {
        let position = position(&example.sample);
        let [win, _, loss] = evaluator.outcome(&position, Color::Black);
        assert!(if i % 2 == 0 { win > 0.8 } else { loss > 0.8 }, "win {win}, loss {loss}");
        let cells = position.candidates().to_vec();
        let logits = evaluator.logits(&position, Color::Black, &cells);
        let best = (0..cells.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).expect("candidates");
        let at = cells[best].point();
        assert_eq!(u16::from(at.y) * 9 + u16::from(at.x), example.sample.targets[0].0);
    }
}

#[test]
fn likely_moves_are_near_stones_whatever_the_net_says_of_far_cells() {
    let plain = NetTrainer::new(6).quantised();
    for net in [plain.clone(), with_policy_net(plain, 2)] {
        near_stones_first(Arc::new(net));
    }
}

fn near_stones_first(net: Arc<Net>) {
    let evaluation = Evaluation::Net(net);
    let mut engine =
        Engine::new(Config { table_mb: 1, evaluation, ..Config::new(Rule::Freestyle, 15) }).expect("an engine");
    let stones = [(Point { x: 7, y: 7 }, Color::Black), (Point { x: 8, y: 8 }, Color::White)];
    let likely = engine.policy(&stones, Color::Black).expect("moves");
    assert_eq!(likely.len(), 15 * 15 - 2);
    assert!((likely.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-3);
    let far = likely.iter().position(|(p, _)| p.x < 3 || p.y < 3).expect("far cells are listed too");
    assert!(likely[..far].len() >= 40, "a far cell comes after {far} others");
    assert_eq!(engine.policy(&[], Color::Black).expect("moves").len(), 225);
}

#[test]
fn a_five_is_made_or_stopped_without_search() {
    let evaluation = Evaluation::Net(Arc::new(NetTrainer::new(7).quantised()));
    let mut engine =
        Engine::new(Config { table_mb: 1, evaluation, ..Config::new(Rule::Freestyle, 15) }).expect("an engine");
    let row = |y: u8, colour: Color| (3..7).map(move |x| (Point { x, y }, colour));
    let mut stones: Vec<(Point, Color)> = row(4, Color::White).chain([(Point { x: 2, y: 4 }, Color::Black)]).collect();
    let first = |engine: &mut Engine, stones: &[(Point, Color)]| engine.policy(stones, Color::Black).expect("moves")[0];
    assert_eq!(first(&mut engine, &stones).0, Point { x: 7, y: 4 }, "the four is stopped");
    stones.extend(row(9, Color::Black));
    let (point, likely) = first(&mut engine, &stones);
    assert!(point.y == 9 && (point.x == 2 || point.x == 7) && likely > 0.4, "the five is made: {point:?} {likely}");
}
