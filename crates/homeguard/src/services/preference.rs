//! `taste`: what the model learned from a profile, with curves for a small plot.

use game::{Cost, Needs, Service, ServiceCall};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::bad_request;
use crate::engine::preference::features::FEATURES;
use crate::engine::preference::{PreferenceModel, PreferenceProfile, weighted};
use crate::engine::tree::TreeMaker;
use crate::table::Homeguard;

/// The profile to summarise.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreferenceRequest {
    #[serde(default)]
    pub profile: PreferenceProfile,
}

/// A point of a curve: expected rating where a feature has a value and everything else is average.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CurvePoint {
    pub value: f64,
    pub rating: f64,
    pub deviation: f64,
}

/// A feature that matters to this player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LearnedPreference {
    pub feature: String,
    /// The preference in English words.
    pub words: String,
    /// Whether much of it is liked.
    pub high: bool,
    /// Probability that it matters, 0 to 1.
    pub relevance: f64,
    pub curve: Vec<CurvePoint>,
}

/// The learned preferences.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PreferenceAnswer {
    pub ratings: usize,
    /// Ratings −2 to 2, counted.
    pub counts: [usize; 5],
    pub likes: Vec<LearnedPreference>,
}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "taste",
        "What the model learned from a profile, with curves for a small plot.",
        Cost::Light,
        Needs::Nothing,
        json!({ "profile": { "ratings": [] } }),
        |game: &Homeguard, request: PreferenceRequest, _: ServiceCall<'_, Homeguard>| {
            let rated = request.profile.rated(&mut TreeMaker::new()).map_err(bad_request)?;
            let model = PreferenceModel::fit(game.pool().scale(), &weighted(game.pool().scale(), &rated));
            let mut counts = [0; 5];
            for rated in &request.profile.ratings {
                counts[(rated.rating.value() + 2) as usize] += 1;
            }
            let mut order: Vec<usize> = (0..FEATURES.len()).collect();
            order.sort_by(|a, b| model.relevance()[*b].total_cmp(&model.relevance()[*a]));
            let likes = order
                .into_iter()
                .take(4)
                .filter(|f| model.relevance()[*f] > 0.02)
                .map(|f| {
                    let curve = model.curve(f);
                    // from one deviation below to one above the average
                    let high = curve[12].1.mean >= curve[4].1.mean;
                    LearnedPreference {
                        feature: FEATURES[f].id.to_owned(),
                        words: if high { FEATURES[f].high } else { FEATURES[f].low }.to_owned(),
                        high,
                        relevance: model.relevance()[f],
                        curve: curve
                            .into_iter()
                            .map(|(value, p)| CurvePoint { value, rating: p.mean, deviation: p.deviation })
                            .collect(),
                    }
                })
                .collect();
            Ok(PreferenceAnswer { ratings: rated.len(), counts, likes })
        },
    )
}
