//! Evaluation of the preference model on all cores.

use std::collections::HashSet;

use homeguard::engine::preference::MapPool;
use homeguard::engine::tree::TreeMaker;
use homeguard::eval::raters::PLAYERS;
use homeguard::eval::sessions::{CHECKPOINTS, PROPOSALS, RatingSession, ReferenceMaps, SessionLength, session};
use rayon::prelude::*;

use numerics::Interval;

/// Index of the main checkpoint: 20 ratings.
pub const AT_20: usize = 2;

/// Results of one simulated rater.
#[derive(Clone, Debug)]
pub struct RaterResult {
    /// Its name.
    pub name: &'static str,
    /// Mean lift at each checkpoint.
    pub lift: [f64; CHECKPOINTS.len()],
    /// Lift after 20 ratings with its 95 % interval over sessions.
    pub at_20: Interval,
    /// Mean lift of round-robin elimination at each checkpoint.
    pub elimination: [f64; CHECKPOINTS.len()],
}

/// Behaviour cells that proposals reach, relative to as many random maps; cells no random map reaches do not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diversity {
    /// The ten proposals of one session against ten random maps.
    pub session: f64,
    /// The proposals of all sessions of one player against as many random maps.
    pub player: f64,
}

/// All players together.
#[derive(Clone, Debug)]
pub struct PreferenceResult {
    /// One per player.
    pub players: Vec<RaterResult>,
    /// Lift over elimination after 20 ratings, over players.
    pub over_elimination: Interval,
    /// How varied the proposals after 20 ratings are.
    pub diversity: Diversity,
}

/// How many sessions every player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sessions {
    /// In all; each gives a lift after 20 ratings.
    pub all: usize,
    /// How many of them go through all checkpoints.
    pub full: usize,
}

/// Runs sessions of every simulated player.
pub fn judge(pool: &MapPool, seed: u64, counts: Sessions, progress: impl Fn(usize) + Sync) -> PreferenceResult {
    let sessions = counts.all;
    let full = counts.full.clamp(1, sessions);
    let reference = ReferenceMaps::new(pool, seed, &mut TreeMaker::new());
    let done = std::sync::atomic::AtomicUsize::new(0);
    let played: Vec<RatingSession> = (0..PLAYERS.len() * sessions)
        .into_par_iter()
        .map_init(TreeMaker::new, |maker, job| {
            let (player, number) = (job / sessions, job % sessions);
            let extent = if number < full { SessionLength::Full } else { SessionLength::Twenty };
            let result = session(&reference, player, seed.wrapping_add(1_000 * number as u64), extent, maker);
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            result
        })
        .collect();
    let players: Vec<RaterResult> = PLAYERS
        .iter()
        .zip(played.chunks_exact(sessions))
        .map(|(player, own)| {
            // sessions that stopped at 20 have no values for the other checkpoints
            let mean = |at: usize, value: &dyn Fn(&RatingSession) -> f64| {
                let counted = if at == AT_20 { own } else { &own[..full] };
                counted.iter().map(value).sum::<f64>() / counted.len() as f64
            };
            let at_20: Vec<f64> = own.iter().map(|s| s.lift[AT_20]).collect();
            RaterResult {
                name: player.name,
                lift: std::array::from_fn(|i| mean(i, &|s| s.lift[i])),
                at_20: Interval::student(&at_20),
                elimination: std::array::from_fn(|i| mean(i, &|s| s.elimination[i])),
            }
        })
        .collect();
    let mean = |values: Vec<usize>| values.iter().sum::<usize>() as f64 / values.len().max(1) as f64;
    let of_session = mean(played.iter().map(|s| s.cells.len()).collect());
    let union = |own: &[RatingSession]| own.iter().flat_map(|s| s.cells.iter()).collect::<HashSet<_>>().len();
    let of_player = mean(played.chunks_exact(sessions).map(union).collect());
    let differences: Vec<f64> = players.iter().map(|p| p.lift[AT_20] - p.elimination[AT_20]).collect();
    PreferenceResult {
        over_elimination: Interval::student(&differences),
        players,
        diversity: Diversity {
            session: of_session / reference.cells(PROPOSALS),
            player: of_player / reference.cells(PROPOSALS * sessions),
        },
    }
}
