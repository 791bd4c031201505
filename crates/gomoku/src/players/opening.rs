//! Swap2 for the computer: balanced stones to offer, and which side to take of stones on offer.

use game::{BotError, Control};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Clock, Player};
use crate::rules::{Point, Position, Rule, Setup, SetupError};

/// Why an opening question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Player(#[from] BotError),
    /// Neither none, three nor five stones.
    #[error("swap2 asks after 0, 3 or 5 stones, not after {0}")]
    Stones(usize),
}

/// What the computer says in the opening, as at Gomocup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The first three stones.
    Three([Point; 3]),
    /// Keep the colour whose turn it is (white) and play this stone.
    Stone(Point),
    /// Take the other colour.
    Swap,
}

/// How many sets of stones are weighed against each other.
const TRIES: usize = 12;
/// Nodes spent on weighing one.
const WEIGH_NODES: u64 = 2_000;

/// The answer to a swap2 question with the given stones on the board.
pub fn answer(
    player: &mut dyn Player,
    rule: Rule,
    size: u8,
    stones: &[Point],
    clock: &Clock,
    seed: u64,
    control: &Control,
) -> Result<Answer, OpeningError> {
    match stones.len() {
        0 => Ok(Answer::Three(three_stones(player, rule, size, seed, control)?)),
        3 | 5 => {
            // Adding two stones would leave the choice to the other side, who judges as we do: never better than choosing.
            let position = Setup::alternating(rule, size, stones.iter().copied()).position()?;
            let decision = player.choose(&position, clock, seed, control)?;
            let white = decision.win_probability.unwrap_or(0.5);
            Ok(if white >= 0.5 { Answer::Stone(decision.point) } else { Answer::Swap })
        }
        other => Err(OpeningError::Stones(other)),
    }
}

/// Three stones near the middle after which the player likes both sides most equally.
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
        let position = Setup::alternating(rule, size, stones).position()?;
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

/// The point for the last stone of an offer that leaves both sides most equal.
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

/// Three different points around the middle, not all in one clump.
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
