//! `propose`: maps for a profile, with reasons. The profile comes with the request.

use game::{Cost, Needs, Service, ServiceCall};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::bad_request;
use crate::engine::preference::features::FEATURES;
use crate::engine::preference::{PreferenceProfile, Proposal, ProposalKind, ProposalParams, propose};
use crate::engine::tree::TreeMaker;
use crate::formats::MapJson;
use crate::table::Homeguard;

/// Which maps to propose.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeRequest {
    #[serde(default)]
    pub profile: PreferenceProfile,
    /// How many, 1 to 20.
    #[serde(default = "one")]
    pub count: usize,
    /// Choose among precomputed maps only.
    #[serde(default)]
    pub prepared_only: bool,
    /// Prefer maps whose rating teaches the model more.
    #[serde(default)]
    pub explore: bool,
    /// Start from the ratings that come with the program.
    #[serde(default)]
    pub use_shared: bool,
}

fn one() -> usize {
    1
}

/// One reason: a feature that is high or low and its effect on the expected rating.
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

fn view(proposal: &Proposal) -> ProposalView {
    ProposalView {
        map: MapJson::from(&proposal.map),
        predicted: proposal.predicted.mean,
        uncertainty: proposal.predicted.deviation,
        kind: match proposal.kind {
            ProposalKind::GettingToKnow => "getting_to_know",
            ProposalKind::Liked => "liked",
            ProposalKind::Surprise => "surprise",
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

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "propose",
        "Maps for a profile, with the reason for each.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "count": 1, "prepared_only": true }),
        |game: &Homeguard, request: ProposeRequest, call: ServiceCall<'_, Homeguard>| {
            if !(1..=20).contains(&request.count) {
                return Err(bad_request(format!("count is {}: 1 to 20 maps are proposed at once", request.count)));
            }
            let mut profile = request.profile;
            if request.use_shared {
                profile.import(game.shared_ratings());
            } else {
                profile.ratings.retain(|rated| !rated.shared);
            }
            let mut maker = TreeMaker::new();
            let rated = profile.rated(&mut maker).map_err(bad_request)?;
            let mut params = ProposalParams::usual(request.count, call.seed, rated.len());
            if request.prepared_only {
                params.evolve = 0;
            }
            if request.explore {
                params.exploration = 1.0;
            }
            let maps = propose(game.pool(), &rated, params, &mut maker);
            Ok(ProposeAnswer { maps: maps.iter().map(view).collect() })
        },
    )
}
