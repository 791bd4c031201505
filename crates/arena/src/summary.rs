//! Summary of a match.

use serde::Serialize;

use crate::stats::{Pentanomial, Sprt, SprtVerdict, elo};
use crate::{FaultKind, Results, Side};

/// Statistics of a match from the first player's point of view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub games: u64,
    /// Mean score, 0 to 1.
    pub p1_score: f64,
    pub elo: f64,
    /// 95 % confidence interval of the Elo difference.
    pub interval95: [f64; 2],
    /// Games lost on time by either side.
    pub time_losses: u64,
    /// Games lost by an illegal move of either side.
    pub illegal: u64,
    /// Games lost by a crash of either side.
    pub crashes: u64,
    /// Faults of the first player: time, illegal, crash.
    pub p1_faults: [u64; 3],
    /// Faults of the second player: time, illegal, crash.
    pub p2_faults: [u64; 3],
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs with 0, ½, 1, 1½, 2 points.
    pub pairs: Pentanomial,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
}

/// State of an SPRT.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    #[serde(flatten)]
    pub test: Sprt,
    pub llr: f64,
    pub verdict: SprtVerdict,
}

impl Summary {
    /// The summary of all pairs played.
    pub fn of(results: &Results, sprt: Option<Sprt>) -> Self {
        let mut pairs = Pentanomial::default();
        let mut faults = [[0u64; 3]; 2];
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        for pair in results.pairs.values() {
            pairs.add(pair.points());
            for game in &pair.games {
                match game.points {
                    p if p > 0.75 => wins += 1,
                    p if p < 0.25 => losses += 1,
                    _ => draws += 1,
                }
                if let Some(fault) = &game.fault {
                    let kind = match fault.kind {
                        FaultKind::Time => 0,
                        FaultKind::Illegal => 1,
                        FaultKind::Crash => 2,
                    };
                    faults[usize::from(fault.by == Side::P2)][kind] += 1;
                }
            }
        }
        let [low, high] = pairs.score_interval(0.95);
        Self {
            games: 2 * pairs.pairs(),
            p1_score: pairs.score(),
            elo: elo(pairs.score().clamp(low, high)),
            interval95: [elo(low), elo(high)],
            time_losses: faults[0][0] + faults[1][0],
            illegal: faults[0][1] + faults[1][1],
            crashes: faults[0][2] + faults[1][2],
            p1_faults: faults[0],
            p2_faults: faults[1],
            wins,
            draws,
            losses,
            pairs,
            sprt: sprt.map(|test| {
                let mut ordered = Pentanomial::default();
                results.prefix().for_each(|pair| ordered.add(pair.points()));
                SprtSummary { test, llr: test.llr(&ordered), verdict: test.verdict(&ordered) }
            }),
        }
    }
}
