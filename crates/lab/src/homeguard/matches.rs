//! Homeguard matches, and as work for the queue.

use crate::job_submitter::params;
use crate::queued_match::play_pairs;
use arena::{Contest, PlayedGame};
use homeguard::engine::preference::plain_map;
use homeguard::engine::search::RoundContext;
use homeguard::players::{LEVELS, OrderBudget, SkillLevel};
use homeguard::rules::{Battlefield, Faction, Orders, PlayRules, Size, Troops, middle_points};
use jobs::{Task, Work, WorkError};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A match between strengths on random maps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeguardMatch {
    pub players: [String; 2],
    /// `sindelar` (two kills win, 60 rounds, then the score; also written `study`) `sudden` (sudden death), or `control` (middle control).
    pub rules: String,
    /// Limit per round in milliseconds instead of the levels' own node budgets.
    pub time_ms: Option<u64>,
    pub size: usize,
    pub seed: u64,
}

/// A match that can be played.
pub struct LevelMatch {
    players: [&'static SkillLevel; 2],
    rules: PlayRules,
    budget: Option<OrderBudget>,
    size: Size,
    seed: u64,
}

impl HomeguardMatch {
    /// The match that this describes.
    pub fn prepare(&self) -> Result<LevelMatch, String> {
        let find = |id: &str| {
            let known: Vec<&str> = LEVELS.iter().map(|level| level.id).collect();
            SkillLevel::find(id).ok_or_else(|| format!("there is no player '{id}'; there are {}", known.join(", ")))
        };
        let rules = match self.rules.as_str() {
            "sindelar" | "study" => PlayRules::SINDELAR,
            "sudden" => PlayRules::SUDDEN,
            "control" => PlayRules::CONTROL,
            other => return Err(format!("--rules {other}: use control, sudden or sindelar")),
        };
        let [p1, p2] = &self.players;
        Ok(LevelMatch {
            players: [find(p1)?, find(p2)?],
            rules,
            budget: self.time_ms.map(|ms| OrderBudget::Time(Duration::from_millis(ms))),
            size: Size::new(self.size).map_err(|error| error.to_string())?,
            seed: self.seed,
        })
    }
}

impl Contest for LevelMatch {
    fn play(&self, pair: u64, swapped: bool) -> PlayedGame {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(pair);
        let board = Battlefield::new(plain_map(self.size, &mut rng));
        let mut troops = Troops::start(&board);
        let (mut rounds, mut control) = (0u16, 0i16);
        let ending = loop {
            if let Some(ending) = self.rules.ending(&board, &troops, rounds, control) {
                break ending;
            }
            let orders = Faction::BOTH.map(|side| {
                let who = self.players[side.index() ^ usize::from(swapped)];
                let seed = (self.seed ^ pair.wrapping_mul(0x9E37_79B9_7F4A_7C15))
                    .wrapping_add(u64::from(rounds) * 4 + side.index() as u64 * 2 + u64::from(swapped));
                let (board, troops, rules) = (&board, &troops, &self.rules);
                let context = RoundContext { board, troops, side, rules, rounds_played: rounds, control };
                who.play(&context, self.budget.unwrap_or(who.budget), seed, None).orders
            });
            troops.play(&board, Orders::of(orders[0], orders[1]));
            rounds += 1;
            control += middle_points(&board, &troops);
        };
        let points = match ending.winner {
            None => 0.5,
            Some(side) => f64::from(u8::from((side == Faction::Home) != swapped)),
        };
        PlayedGame { points, plies: 2 * u32::from(rounds), fault: None }
    }
}

/// Plays pairs of a [`HomeguardMatch`]. With a limit in milliseconds the result depends on the machine.
pub struct HomeguardWork;

impl Work for HomeguardWork {
    fn kind(&self) -> &'static str {
        "arena.homeguard"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let request: HomeguardMatch = params(task.params)?;
        let contest = request.prepare().map_err(WorkError::Refused)?;
        play_pairs(task, |pair, swapped| (contest.play(pair, swapped), String::new()))
    }
}
