//! `propose`, `rate`, `taste`, `shared_ratings`: the profile comes with the request and goes back with the answer.

use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::formats::MapJson;
use crate::rules::Map;
use crate::table::Homeguard;
use crate::taste::features::FEATURES;
use crate::taste::{Kind, Profile, Proposal, Rating, TasteModel, Wish, propose};
use crate::tree::TreeMaker;

/// Which maps to propose.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeRequest {
    #[serde(default)]
    pub profile: Profile,
    /// How many, 1 to 20.
    #[serde(default = "one")]
    pub count: usize,
    /// Choose among prepared maps only.
    #[serde(default)]
    pub prepared_only: bool,
    /// Prefer maps that teach more about the taste.
    #[serde(default)]
    pub explore: bool,
    /// Start from the ratings that come with the program.
    #[serde(default)]
    pub use_shared: bool,
}

fn one() -> usize {
    1
}

/// One reason: a feature that is high or low and what it does to the expected rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReasonView {
    pub feature: String,
    pub high: bool,
    pub effect: f64,
}

/// A proposed map.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProposalView {
    pub map: MapJson,
    /// Expected rating, −2 to 2.
    pub predicted: f64,
    pub uncertainty: f64,
    /// `liked`, `getting_to_know` or `surprise`.
    pub kind: String,
    pub why: String,
    pub reasons: Vec<ReasonView>,
}

/// Proposed maps.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProposeAnswer {
    pub maps: Vec<ProposalView>,
}

pub(super) fn view(proposal: &Proposal) -> ProposalView {
    ProposalView {
        map: MapJson::from(&proposal.map),
        predicted: proposal.predicted.mean,
        uncertainty: proposal.predicted.deviation,
        kind: match proposal.kind {
            Kind::GettingToKnow => "getting_to_know",
            Kind::Liked => "liked",
            Kind::Surprise => "surprise",
        }
        .to_owned(),
        why: proposal.why(),
        reasons: proposal
            .reasons
            .iter()
            .map(|r| ReasonView { feature: FEATURES[r.feature].id.to_owned(), high: r.high, effect: r.effect })
            .collect(),
    }
}

pub(super) fn bad(error: impl std::fmt::Display) -> ServiceError {
    ServiceError::BadRequest(error.to_string())
}

pub(super) fn propose_service() -> Service<Homeguard> {
    Service::new(
        "propose",
        "Maps this player should like, with the reason for each.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "count": 1, "prepared_only": true }),
        |game: &Homeguard, request: ProposeRequest, call: ServiceCall<'_, Homeguard>| {
            if !(1..=20).contains(&request.count) {
                return Err(bad(format!("count is {}: 1 to 20 maps are proposed at once", request.count)));
            }
            let mut profile = request.profile;
            if request.use_shared {
                profile.import(game.shared_ratings());
            } else {
                profile.ratings.retain(|rated| !rated.shared);
            }
            let mut maker = TreeMaker::new();
            let rated = profile.rated(&mut maker).map_err(bad)?;
            let mut wish = Wish::usual(request.count, call.seed, rated.len());
            if request.prepared_only {
                wish.breed = 0;
            }
            if request.explore {
                wish.curiosity = 1.0;
            }
            let maps = propose(game.pool(), &rated, wish, &mut maker);
            Ok(ProposeAnswer { maps: maps.iter().map(view).collect() })
        },
    )
}

/// A rating to add.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RateRequest {
    #[serde(default)]
    pub profile: Profile,
    pub map: MapJson,
    /// −2 (never again) to 2 (more like this).
    pub rating: i64,
}

/// The profile with the rating in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RateAnswer {
    pub profile: Profile,
}

pub(super) fn rate_service() -> Service<Homeguard> {
    Service::new(
        "rate",
        "Adds a rating to a profile and gives the profile back.",
        Cost::Light,
        Needs::Nothing,
        json!({ "map": { "size": 7, "rows": ["..2...3", ".......", "2..1...", "..0.0..", "...1...", ".......", "3......"] }, "rating": 1 }),
        |_: &Homeguard, request: RateRequest, _: ServiceCall<'_, Homeguard>| {
            let map = Map::try_from(&request.map).map_err(bad)?;
            let rating = Rating::new(request.rating).map_err(bad)?;
            let mut profile = request.profile;
            profile.rate(&map, rating, &mut TreeMaker::new());
            Ok(RateAnswer { profile })
        },
    )
}

/// Whose taste.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TasteRequest {
    #[serde(default)]
    pub profile: Profile,
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
pub struct Liking {
    pub feature: String,
    /// English words for what is liked.
    pub words: String,
    /// Whether much of it is liked.
    pub high: bool,
    /// Belief that it matters, 0 to 1.
    pub relevance: f64,
    pub curve: Vec<CurvePoint>,
}

/// What was learned.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TasteAnswer {
    pub ratings: usize,
    /// Ratings −2 to 2, counted.
    pub counts: [usize; 5],
    pub likes: Vec<Liking>,
}

pub(super) fn summary_service() -> Service<Homeguard> {
    Service::new(
        "taste",
        "What a profile says about its player, with curves for a small plot.",
        Cost::Light,
        Needs::Nothing,
        json!({ "profile": { "ratings": [] } }),
        |game: &Homeguard, request: TasteRequest, _: ServiceCall<'_, Homeguard>| {
            let rated = request.profile.rated(&mut TreeMaker::new()).map_err(bad)?;
            let known: Vec<_> = rated.iter().map(|(_, features, rating)| (*features, *rating)).collect();
            let model = TasteModel::fit(game.pool().scale(), &known);
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
                    Liking {
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
            Ok(TasteAnswer { ratings: rated.len(), counts, likes })
        },
    )
}

/// Nothing to say.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedRequest {}

pub(super) fn shared_service() -> Service<Homeguard> {
    Service::new(
        "shared_ratings",
        "The ratings that come with the program, as a profile.",
        Cost::Light,
        Needs::Nothing,
        json!({}),
        |game: &Homeguard, _: SharedRequest, _: ServiceCall<'_, Homeguard>| {
            Ok(RateAnswer { profile: game.shared_ratings().clone() })
        },
    )
}
