//! Matches of the thesis players against reference opponents: paired openings, colours swapped.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::games::{BudgetedPlayer, Start, opening, play};
use crate::gomoku::match_play::PairTally;

/// Reference opponents. The programs of the thesis are not available; these stand for a weak, a medium and a strong
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    Heuristic,
    Baseline,
    Pattern,
}

impl Opponent {
    pub const ALL: [Self; 3] = [Self::Heuristic, Self::Baseline, Self::Pattern];

    /// Its name in tables.
    pub fn label(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::Baseline => "baseline 300 nodes",
            Self::Pattern => "pattern 500 nodes",
        }
    }

    fn actor(self) -> Option<BudgetedPlayer> {
        match self {
            Self::Heuristic => BudgetedPlayer::named("heuristic", 0),
            Self::Baseline => BudgetedPlayer::named("baseline", 300),
            Self::Pattern => BudgetedPlayer::named("pattern", 500),
        }
    }
}

/// Result of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchScore {
    pub player: String,
    pub opponent: String,
    pub games: u32,
    /// Share of points of the player, and its standard error.
    pub score: f64,
    pub error: f64,
}

/// Makes a player for a thread of its own.
pub type Maker<'m> = &'m (dyn Fn() -> io::Result<BudgetedPlayer> + Sync);

/// Plays `games` games, two from each opening, on several threads; the result does not depend on how many.
pub fn match_against(
    name: &str,
    player: Maker<'_>,
    opponent: Opponent,
    games: usize,
    seed: u64,
    threads: usize,
) -> io::Result<MatchScore> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut player, mut tally) = (player()?, PairTally::default());
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= games.div_ceil(2) {
                return io::Result::Ok(tally);
            }
            tally.add(pair_points(&mut player, opponent, pair as u64, seed));
        }
    };
    let mut tally = PairTally::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            let part = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            tally.pairs.iter_mut().zip(part.pairs).for_each(|(all, part)| *all += part);
            io::Result::Ok(())
        })
    })?;
    let opponent = opponent.label().to_owned();
    Ok(MatchScore {
        player: name.to_owned(),
        opponent,
        games: tally.games(),
        score: tally.score(),
        error: tally.error(),
    })
}

/// Points of the player in two games from one opening, once with black and once with white. The opponent is a new one
/// and remembers no other game.
fn pair_points(player: &mut BudgetedPlayer, opponent: Opponent, pair: u64, seed: u64) -> f64 {
    let mut opponent = opponent.actor().expect("opponents have known names");
    let stones = opening(Start::Random, seed ^ 0x6d61_7463 ^ pair << 16);
    let points = |result: u8| f64::from(result) / 2.0;
    let first = points(play([&mut *player, &mut opponent], &stones, seed ^ pair).result);
    first + 1.0 - points(play([&mut opponent, player], &stones, seed ^ pair).result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_worth_half_the_points_against_itself() {
        let heuristic = || BudgetedPlayer::named("heuristic", 0).ok_or_else(|| io::Error::other("an unknown name"));
        for threads in [1, 2] {
            let scored = match_against("heuristic", &heuristic, Opponent::Heuristic, 4, 3, threads).expect("played");
            assert_eq!((scored.games, scored.score), (4, 0.5));
            assert_eq!(scored.opponent, "heuristic");
        }
    }
}
