//! Preference drift: weaker weights for old ratings, for ratings before a detected change, and for shared ratings.
//!
//! A change point splits the player's ratings in two. It is accepted when the marginal likelihood of the two parts
//! together exceeds that of the whole by more than the prior odds against a change (Bayesian change-point detection,
//! after Adams and MacKay 2007, with a single change).

use super::features::MapFeatures;
use super::model::{FeatureScale, Observation, PreferenceModel};
use crate::rules::Map;

/// A rated map with its features.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedFeatures {
    /// The map.
    pub map: Map,
    /// Its features.
    pub features: MapFeatures,
    /// The rating, −2 to 2.
    pub rating: f64,
    /// True for the developer's ratings or those of other players.
    pub shared: bool,
}

/// Ratings over which the noise variance of an old rating grows by the factor e.
const MEMORY: f64 = 60.0;
/// Fewest ratings on either side of a change.
const SHORTEST: usize = 4;
/// Longest stretch of recent ratings that is tested for a change before it.
const LONGEST: usize = 16;
/// Logarithm of the prior odds of a change at one place.
const LOG_PRIOR: f64 = -4.5;
/// Noise factor of ratings before a certain change.
const FORGOTTEN: f64 = 25.0;
/// Noise factor of a shared rating without own ratings, and its growth per own rating.
const SHARED: (f64, f64) = (3.0, 1.5);

/// The ratings with their weights, in order.
pub fn weighted(scale: &FeatureScale, ratings: &[RatedFeatures]) -> Vec<Observation> {
    let own: Vec<Observation> =
        ratings.iter().filter(|r| !r.shared).map(|r| Observation::new(r.features, r.rating)).collect();
    let (change, probability) = change_point(scale, &own);
    let mut number = 0;
    ratings
        .iter()
        .map(|record| {
            let noise = if record.shared {
                SHARED.0 + SHARED.1 * own.len() as f64
            } else {
                number += 1;
                let age = (own.len() - number) as f64;
                let forgotten = if number <= change { 1.0 + FORGOTTEN * probability } else { 1.0 };
                forgotten * (age / MEMORY).exp()
            };
            Observation { features: record.features, rating: record.rating, noise }
        })
        .collect()
}

/// The most likely change point (ratings before it) and its posterior probability.
fn change_point(scale: &FeatureScale, own: &[Observation]) -> (usize, f64) {
    if own.len() < 2 * SHORTEST {
        return (0, 0.0);
    }
    let whole = PreferenceModel::log_evidence(scale, own);
    let first = own.len().saturating_sub(LONGEST).max(SHORTEST);
    let odds = (first..=own.len() - SHORTEST).map(|at| {
        let parts = PreferenceModel::log_evidence(scale, &own[..at]) + PreferenceModel::log_evidence(scale, &own[at..]);
        (at, LOG_PRIOR + parts - whole)
    });
    let (at, log_odds) = odds.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, f64::NEG_INFINITY));
    let probability = 1.0 / (1.0 + (-log_odds).exp());
    if probability < 0.2 { (0, 0.0) } else { (at, probability) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::preference::MapPool;
    use crate::engine::tree::TreeMaker;
    use crate::rules::Size;

    fn records(pool: &MapPool, rating: impl Fn(usize, f64) -> f64) -> Vec<RatedFeatures> {
        let id = "cover";
        pool.maps()
            .iter()
            .take(24)
            .enumerate()
            .map(|(i, measured)| {
                let cover = measured.features.get(id).unwrap_or(0.0);
                let (map, features) = (measured.map.clone(), measured.features);
                RatedFeatures { map, features, rating: rating(i, cover), shared: false }
            })
            .collect()
    }

    #[test]
    fn a_reversed_preference_is_detected_and_a_steady_one_is_not() {
        let pool = MapPool::generate(Size::new(7).unwrap(), 12, 20, 3, &mut TreeMaker::new(), |_| {});
        let like = |cover: f64| (6.0 * (cover - 0.4)).clamp(-2.0, 2.0);
        let steady = weighted(pool.scale(), &records(&pool, |_, cover| like(cover)));
        assert!(steady.iter().all(|o| o.noise < 2.0), "{:?}", steady.iter().map(|o| o.noise).collect::<Vec<_>>());
        let turned = records(&pool, |i, cover| if i < 15 { like(cover) } else { -like(cover) });
        let noise: Vec<f64> = weighted(pool.scale(), &turned).iter().map(|o| o.noise).collect();
        assert!(noise[5] > 5.0 && noise[20] < 2.0, "{noise:?}");
    }

    #[test]
    fn shared_ratings_fade_with_own_ratings() {
        let pool = MapPool::generate(Size::new(7).unwrap(), 12, 12, 3, &mut TreeMaker::new(), |_| {});
        let mut all = records(&pool, |i, _| (i % 3) as f64 - 1.0);
        all[0].shared = true;
        let late = weighted(pool.scale(), &all)[0].noise;
        let early = weighted(pool.scale(), &all[..3])[0].noise;
        assert!(late > 2.0 * early && early > 3.0);
    }
}
