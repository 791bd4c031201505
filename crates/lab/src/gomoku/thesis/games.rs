//! Games between players of different strength, from random openings or from the empty board.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use game::Control;
use gomoku::players::{Clock, Nets, Player, Resources, player};
use gomoku::rules::{Color, Point, Position, Rule, Status};

use crate::gomoku::openings::scattered;
use crate::gomoku::training_games::{RecordedMove, TrainingGame};
use numerics::SplitMix64;

/// The board of the thesis.
pub const SIZE: u8 = 19;
/// Players of the training games, with nodes per move.
const CAST: [(&str, u64); 5] =
    [("heuristic", 0), ("baseline", 100), ("pattern", 100), ("pattern", 400), ("pattern", 1500)];

/// A named player with a budget.
pub struct BudgetedPlayer {
    player: Box<dyn Player>,
    clock: Clock,
}

impl BudgetedPlayer {
    /// By name, with nodes per move (0: without a budget).
    pub fn named(name: &str, nodes: u64) -> Option<Self> {
        let resources = Resources { table_mb: 1, threads: 1 };
        let player = player(name, &Nets::default(), resources)?;
        Some(Self { player, clock: Clock { nodes: (nodes > 0).then_some(nodes), ..Clock::default() } })
    }

    /// A player without a budget.
    pub fn free(player: Box<dyn Player>) -> Self {
        Self { player, clock: Clock::default() }
    }
}

/// Plays a game from given stones; the first player has black. A player that cannot move loses.
pub fn play(actors: [&mut BudgetedPlayer; 2], opening: &[Point], seed: u64) -> TrainingGame {
    let mut position = Position::new(Rule::Freestyle, SIZE).expect("the board of the thesis is playable");
    for &point in opening {
        position.play(point).expect("openings are distinct points without a five");
    }
    let control = Control::new();
    while !position.is_over() {
        let turn = position.stones().len() % 2;
        let seed = seed.wrapping_add(position.stones().len() as u64);
        let BudgetedPlayer { player, clock } = &mut *actors[turn];
        let Ok(decision) = player.choose(&position, clock, seed, &control) else { break };
        if position.play(decision.point).is_err() {
            break;
        }
    }
    let result = match position.status() {
        Status::Won { by: Color::Black, .. } => 2,
        Status::Won { by: Color::White, .. } => 0,
        Status::Drawn => 1,
        Status::Running => 2 * (position.stones().len() % 2) as u8,
    };
    let moves = position.stones().iter().map(|stone| RecordedMove { point: stone.point, score: 0 }).collect();
    TrainingGame { size: SIZE, rule: Rule::Freestyle, opening: opening.len() as u8, result, moves }
}

/// Whether games start from random stones or from the empty board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Random,
    Empty,
}

/// The stones of opening number `seed`.
pub fn opening(start: Start, seed: u64) -> Vec<Point> {
    let mut rng = SplitMix64::new(seed ^ 0x6f70_656e);
    match start {
        Start::Empty => Vec::new(),
        Start::Random => {
            let count = 2 + rng.below(5);
            scattered(SIZE, count, &mut rng)
        }
    }
}

/// Games with numbers from `first` on, each with its own seed, so that any part of them can be repeated.
pub fn generate(start: Start, first: usize, count: usize, seed: u64, threads: usize) -> Vec<TrainingGame> {
    let next = AtomicUsize::new(first);
    let done: Mutex<Vec<(usize, TrainingGame)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let cast =
                    || CAST.map(|(name, nodes)| BudgetedPlayer::named(name, nodes).expect("the cast has known names"));
                let (mut black, mut white) = (cast(), cast());
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= first + count {
                        break;
                    }
                    let seed = SplitMix64::new(seed ^ (number as u64) << 20).next_u64();
                    let mut rng = SplitMix64::new(seed);
                    let (b, w) = (rng.below(CAST.len()), rng.below(CAST.len()));
                    let record = play([&mut black[b], &mut white[w]], &opening(start, seed), seed);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, record));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, record)| record).collect()
}

/// Repetitions and lengths of games.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Variety {
    pub games: usize,
    pub unique: usize,
    /// How many different games were played once, twice, …
    pub repeated: Vec<(usize, usize)>,
    /// Moves of a game, in tens, with how many games have them.
    pub lengths: Vec<(usize, usize)>,
    pub mean_length: f64,
}

/// Counts repetitions and lengths.
pub fn variety(games: &[TrainingGame]) -> Variety {
    let mut times: HashMap<Vec<Point>, usize> = HashMap::new();
    for game in games {
        *times.entry(game.moves.iter().map(|m| m.point).collect()).or_default() += 1;
    }
    let histogram = |values: &mut dyn Iterator<Item = usize>| {
        let mut counts = std::collections::BTreeMap::new();
        values.for_each(|value| *counts.entry(value).or_insert(0) += 1);
        counts.into_iter().collect::<Vec<(usize, usize)>>()
    };
    Variety {
        games: games.len(),
        unique: times.len(),
        repeated: histogram(&mut times.values().copied()),
        lengths: histogram(&mut games.iter().map(|game| game.moves.len() / 10 * 10)),
        mean_length: games.iter().map(|game| game.moves.len()).sum::<usize>() as f64 / games.len().max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_the_same_on_one_and_two_threads_and_differ_by_their_openings() {
        let one = generate(Start::Random, 0, 6, 5, 1);
        assert_eq!(one, generate(Start::Random, 0, 6, 5, 2));
        assert_eq!(one[3..], generate(Start::Random, 3, 3, 5, 1));
        let seen = variety(&one);
        assert_eq!((seen.games, seen.unique), (6, 6));
        assert!(one.iter().all(|game| game.moves.len() > usize::from(game.opening)));
        let twice = [one.clone(), one].concat();
        assert_eq!(variety(&twice).repeated, [(2, 6)]);
    }
}
