//! Swap2 for bots: balanced stones to offer, and the choice of a side for offered stones.

use game::{BotError, Control};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Clock, Player};
use crate::engine::Score;
use crate::rules::{Point, Position, PositionSetup, Rule, SetupError};

/// Why a swap2 request has no reply.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    #[error(transparent)]
    PositionSetup(#[from] SetupError),
    #[error(transparent)]
    Player(#[from] BotError),
    /// The number of stones is not 0, 3 or 5.
    #[error("swap2 asks after 0, 3 or 5 stones, not after {0}")]
    Stones(usize),
}

/// A reply in the swap2 opening, as at Gomocup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swap2Reply {
    /// The first three stones.
    Three([Point; 3]),
    /// Keep the side to move (white) and play this stone.
    Stone(Point),
    /// Take the other colour.
    Swap,
}

/// Candidate offers that are compared.
const TRIES: usize = 12;
/// Nodes to evaluate one offer.
const WEIGH_NODES: u64 = 2_000;

/// The reply to a swap2 request with the given stones on the board.
pub fn reply(
    player: &mut dyn Player,
    rule: Rule,
    size: u8,
    stones: &[Point],
    clock: &Clock,
    seed: u64,
    control: &Control,
) -> Result<Swap2Reply, OpeningError> {
    match stones.len() {
        0 => Ok(Swap2Reply::Three(three_stones(player, rule, size, seed, control)?)),
        3 | 5 => {
            // Adding two stones leaves the choice to the other side, which evaluates like us: it is never better than
            // choosing.
            let position = PositionSetup::alternating(rule, size, stones.iter().copied()).position()?;
            let decision = player.choose(&position, clock, seed, control)?;
            let white = decision.win_probability.unwrap_or(0.5);
            Ok(if white >= 0.5 { Swap2Reply::Stone(decision.point) } else { Swap2Reply::Swap })
        }
        other => Err(OpeningError::Stones(other)),
    }
}

/// Three stones near the centre that the player evaluates as most balanced.
pub fn three_stones(
    player: &mut dyn Player,
    rule: Rule,
    size: u8,
    seed: u64,
    control: &Control,
) -> Result<[Point; 3], OpeningError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut best: Option<(f64, [Point; 3])> = None;
    for _ in 0..TRIES {
        let stones = scattered(size, &mut rng);
        let position = PositionSetup::alternating(rule, size, stones).position()?;
        let clock = Clock { nodes: Some(WEIGH_NODES), ..Clock::default() };
        let decision = player.choose(&position, &clock, rng.random(), control)?;
        let imbalance = (decision.win_probability.unwrap_or(0.5) - 0.5).abs();
        if best.is_none_or(|(least, _)| imbalance < least) {
            best = Some((imbalance, stones));
        }
        if control.stopped() {
            break;
        }
    }
    Ok(best.map_or_else(|| scattered(size, &mut rng), |(_, stones)| stones))
}

/// The last stone of an offer that leaves the position most balanced.
pub fn level_stone(
    player: &mut dyn Player,
    position: &Position,
    seed: u64,
    control: &Control,
) -> Result<Point, OpeningError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let points: Vec<Point> = position
        .legal_points()
        .filter(|&point| position.stones().iter().any(|stone| stone.point.distance(point) <= 3))
        .collect();
    let mut best: Option<(f64, Point)> = None;
    for &point in points.sample(&mut rng, TRIES) {
        let mut next = position.clone();
        if next.play(point).is_err() || next.is_over() {
            continue;
        }
        let clock = Clock { nodes: Some(WEIGH_NODES), ..Clock::default() };
        let decision = player.choose(&next, &clock, rng.random(), control)?;
        let imbalance = (decision.win_probability.unwrap_or(0.5) - 0.5).abs();
        if best.is_none_or(|(least, _)| imbalance < least) {
            best = Some((imbalance, point));
        }
    }
    best.map(|(_, point)| point)
        .or_else(|| position.legal_points().next())
        .ok_or_else(|| BotError::Other("no point is left".to_owned()).into())
}

/// Stones of both sides in turn, the side to move first, that leave the position most balanced (Yixin's YXBALANCEONE and
/// YXBALANCETWO). `bias` is added to the evaluation of the side to move after them, in points.
pub fn balancing_stones(
    player: &mut dyn Player,
    position: &Position,
    (count, bias): (usize, i32),
    seed: u64,
    control: &Control,
) -> Result<Vec<Point>, OpeningError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let target = f64::from(Score(bias).win_probability());
    let mut best: Option<(f64, Vec<Point>)> = None;
    for round in 0..TRIES * count.max(1) {
        let mut next = position.clone();
        let mut stones = Vec::new();
        while stones.len() < count && !next.is_over() {
            let near: Vec<Point> = next
                .legal_points()
                .filter(|&point| {
                    next.stones().is_empty() || next.stones().iter().any(|stone| stone.point.distance(point) <= 3)
                })
                .collect();
            let Some(&point) = near.choose(&mut rng) else { break };
            if next.play(point).is_err() {
                break;
            }
            stones.push(point);
        }
        if stones.len() < count || next.is_over() {
            continue;
        }
        let clock = Clock { nodes: Some(WEIGH_NODES), ..Clock::default() };
        let decision = player.choose(&next, &clock, rng.random(), control)?;
        let imbalance = (decision.win_probability.unwrap_or(0.5) - target).abs();
        if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
            best = Some((imbalance, stones));
        }
        if control.stopped() && round > 0 {
            break;
        }
    }
    best.map(|(_, stones)| stones).ok_or_else(|| BotError::Other("no point is left".to_owned()).into())
}

/// Three different points around the centre, at least two of them apart.
fn scattered(size: u8, rng: &mut ChaCha8Rng) -> [Point; 3] {
    let reach = (size / 2).min(4);
    let middle = size / 2;
    let mut draw = || {
        let near =
            |rng: &mut ChaCha8Rng| middle - reach + rng.random_range(0..=2 * reach).min(size - 1 - (middle - reach));
        Point { x: near(rng), y: near(rng) }
    };
    loop {
        let stones = [draw(), draw(), draw()];
        let [a, b, c] = stones;
        if a != b && b != c && a != c && a.distance(c) > 1 {
            return stones;
        }
    }
}
