//! Judging the taste model on all cores.

use homeguard::taste::Pool;
use homeguard::taste::eval::{CHECKPOINTS, Reference, Session, session};
use homeguard::taste::simulated::PLAYERS;
use homeguard::tree::TreeMaker;
use rayon::prelude::*;

use super::stats::Interval;

/// What one simulated player got.
#[derive(Clone, Debug)]
pub struct PlayerResult {
    /// Its name.
    pub name: &'static str,
    /// Mean lift at each checkpoint.
    pub lift: [f64; CHECKPOINTS.len()],
    /// Lift after 20 ratings with its 95 % interval over sessions.
    pub at_20: Interval,
    /// Mean lift of the study's elimination.
    pub elimination: f64,
}

/// All players together.
#[derive(Clone, Debug)]
pub struct TasteResult {
    /// One per player.
    pub players: Vec<PlayerResult>,
    /// Behaviour cells ten proposals reach, relative to ten random maps.
    pub diversity: f64,
}

/// Runs `sessions` sessions of every simulated player.
pub fn judge(pool: &Pool, seed: u64, sessions: usize, progress: impl Fn(usize) + Sync) -> TasteResult {
    let reference = Reference::new(pool, seed, &mut TreeMaker::new());
    let done = std::sync::atomic::AtomicUsize::new(0);
    let played: Vec<Session> = (0..PLAYERS.len() * sessions)
        .into_par_iter()
        .map_init(TreeMaker::new, |maker, job| {
            let (player, number) = (job / sessions, job % sessions);
            let result = session(pool, &reference, player, seed.wrapping_add(1_000 * number as u64), maker);
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            result
        })
        .collect();
    let players = PLAYERS
        .iter()
        .zip(played.chunks_exact(sessions))
        .map(|(player, own)| {
            let mean = |value: &dyn Fn(&Session) -> f64| own.iter().map(value).sum::<f64>() / sessions as f64;
            let at_20: Vec<f64> = own.iter().map(|s| s.lift[2]).collect();
            PlayerResult {
                name: player.name,
                lift: std::array::from_fn(|i| mean(&|s| s.lift[i])),
                at_20: Interval::student(&at_20),
                elimination: mean(&|s| s.elimination),
            }
        })
        .collect();
    let cells = played.iter().map(|s| s.cells as f64).sum::<f64>() / played.len() as f64;
    TasteResult { players, diversity: cells / reference.cells(pool) }
}
