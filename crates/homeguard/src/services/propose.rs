//! `propose`: maps for a profile, with reasons. The profile comes with the request.

use std::sync::PoisonError;

use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::bad_request;
use crate::engine::generator::{GeneratorParams, GeneratorState};
use crate::engine::preference::features::{FEATURES, measure};
use crate::engine::preference::{
    MapPool, PreferenceModel, PreferenceProfile, Proposal, ProposalKind, ProposalParams, RatedFeatures, ShownMap,
    propose, weighted,
};
use crate::engine::tree::TreeMaker;
use crate::formats::MapJson;
use crate::rules::Map;
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
    /// How maps are made: `model` or `sindelar`.
    #[serde(default)]
    pub method: ProposalMethod,
    /// Maps that were shown in this session and not rated, oldest first, at most 60: they are not proposed again.
    #[serde(default)]
    pub shown: Vec<ShownMapView>,
}

/// How maps are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalMethod {
    /// The preference model.
    #[default]
    Model,
    /// The generator of Šindelář 2024 with its default parameters.
    Sindelar,
}

/// A map that was shown before.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownMapView {
    pub map: MapJson,
    /// The `cell` of the proposal.
    #[serde(default)]
    pub cell: Option<usize>,
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
    /// `liked`, `getting_to_know`, `surprise` or `sindelar`.
    pub kind: String,
    pub why: String,
    /// Behaviour cell, to send back with `shown`.
    pub cell: usize,
    pub reasons: Vec<ReasonView>,
}

/// Proposed maps.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProposeAnswer {
    pub maps: Vec<ProposalView>,
}

fn view(proposal: &Proposal, pool: &MapPool) -> ProposalView {
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
        cell: pool.cell(&proposal.features),
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
            let shown = request.shown.iter().rev().take(60).rev();
            let shown: Result<Vec<ShownMap>, ServiceError> = shown
                .map(|one| Ok(ShownMap { map: Map::try_from(&one.map).map_err(bad_request)?, cell: one.cell }))
                .collect();
            let shown = shown?;
            let mut profile = request.profile;
            if request.use_shared {
                profile.import(game.shared_ratings());
            } else {
                profile.ratings.retain(|rated| !rated.shared);
            }
            let mut maker = TreeMaker::new();
            let rated = profile.rated(&mut maker).map_err(bad_request)?;
            if request.method == ProposalMethod::Sindelar {
                return sindelar(game, &rated, request.count, call.seed, &mut maker);
            }
            let mut params = ProposalParams::usual(request.count, call.seed, rated.len());
            if request.prepared_only {
                params.evolve = 0;
            }
            if request.explore {
                params.exploration = 1.0;
            }
            let maps = propose(game.pool(), &rated, &shown, params, &mut maker);
            Ok(ProposeAnswer { maps: maps.iter().map(|map| view(map, game.pool())).collect() })
        },
    )
}

/// Maps by the generator of the thesis; the predictions are those of the preference model.
fn sindelar(
    game: &Homeguard,
    rated: &[RatedFeatures],
    count: usize,
    seed: u64,
    maker: &mut TreeMaker,
) -> Result<ProposeAnswer, ServiceError> {
    let library = game.library().ok_or_else(|| bad_request("the server has no homeguard/encoder.bin"))?;
    let params = GeneratorParams { seed, ..GeneratorParams::default() };
    let mut library = library.lock().unwrap_or_else(PoisonError::into_inner);
    let generated = library.generate(rated, &params, count, &mut GeneratorState::default());
    let scale = game.pool().scale();
    let model = PreferenceModel::fit(scale, &weighted(scale, rated));
    let maps = generated.into_iter().map(|one| {
        let features = measure(&one.map, maker).features;
        let predicted = model.predict(&features);
        ProposalView {
            map: MapJson::from(&one.map),
            predicted: predicted.mean,
            uncertainty: predicted.deviation,
            kind: "sindelar".to_owned(),
            why: format!("farther from bad maps than {:.0} % of {} maps", 100.0 * one.fitness, params.initial),
            cell: game.pool().cell(&features),
            reasons: Vec::new(),
        }
    });
    Ok(ProposeAnswer { maps: maps.collect() })
}
