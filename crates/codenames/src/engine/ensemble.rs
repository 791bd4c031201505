//! The models of operatives that a spymaster averages over, because people and programs differ.

use super::meaning::ScoringModel;

/// Factors on the association model's weight in a language that is projected into the English space: only this model
/// contains the language's own word lists. For speakers of the language, and for programs.
const OWN_LISTS_FACTOR: f64 = 10.0;
const OWN_LISTS_FACTOR_PROGRAMS: f64 = 3.0;

/// Factors on the cost of the assassin: with a single model, with whole-game planning (tuned by cross-play), and with
/// people.
const ASSASSIN_PENALTY: f64 = 1.8;
const ASSASSIN_PENALTY_PLANNED: f64 = 5.2;
const ASSASSIN_PENALTY_PEOPLE: f64 = 2.5;

/// Probability that a bot of this program uses the association model, the sharpness of its choices, and the assassin
/// factor with it: its choices are predicted better, so the factor is lower.
const KNOWN_PROGRAM_WEIGHT: f64 = 0.8;
const KNOWN_PROGRAM_SHARPNESS: f32 = 2.2;
const ASSASSIN_PENALTY_KNOWN: f64 = 2.5;

/// One model of an operative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnsembleMember {
    pub model: ScoringModel,
    /// Prior probability of the model; all weights of an ensemble sum to 1.
    pub weight: f64,
    /// Inverse temperature: factor on the model's scores before the softmax.
    pub sharpness: f32,
}

/// A mixture of operative models; the spymaster's value of a clue is the mean over its members.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    pub members: Vec<EnsembleMember>,
    /// Factor on an operative's cost of the assassin. The spymaster takes the clue with the highest estimate, so the
    /// estimated danger of the chosen clue is biased downwards.
    pub assassin_penalty: f64,
    /// Who hears the clues, in a language that is projected into the English space.
    pub audience: Audience,
    pub objective: Objective,
}

/// What a clue's value measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Own cards found in this turn.
    NextTurn,
    /// Cost saved over the rest of the game.
    WholeGame,
}

/// Who hears the clues in a language whose word vectors come from English translations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Speakers: a link that only English has is not counted on, and the language's own word lists weigh most.
    Speakers,
    /// Programs, which know of the language what its packs contain.
    Programs,
}

fn members<const N: usize>(fitted: [(ScoringModel, f64, f32); N], selection_bias: f32) -> Vec<EnsembleMember> {
    let member = |(model, weight, sharpness)| EnsembleMember { model, weight, sharpness: selection_bias * sharpness };
    fitted.map(member).into()
}

impl Ensemble {
    /// Sharpness of an operative that uses the spymaster's own model.
    const OWN_MODEL_SHARPNESS: f32 = 1.6;
    /// Factors on the fitted sharpness, against the bias of selecting the best of all clues: with people (tuned on first
    /// clues for people the models were not fitted to) and with programs (tuned by cross-play).
    const SELECTION_BIAS_PEOPLE: f32 = 0.8;
    const SELECTION_BIAS_PROGRAMS: f32 = 0.72;

    /// One model alone.
    pub fn only(model: ScoringModel) -> Ensemble {
        Ensemble {
            members: vec![EnsembleMember { model, weight: 1.0, sharpness: Self::OWN_MODEL_SHARPNESS }],
            assassin_penalty: ASSASSIN_PENALTY,
            audience: Audience::Speakers,
            objective: Objective::NextTurn,
        }
    }

    /// Operatives that may be any person or program: all six models, each with the sharpness that best predicts what
    /// programs with other models take.
    pub fn unknown_operatives() -> Ensemble {
        let fitted = [
            (ScoringModel::Strong, 0.2, 1.8),
            (ScoringModel::Usage, 0.22, 3.0),
            (ScoringModel::Definitions, 0.36, 1.6),
            (ScoringModel::Jares, 0.07, 2.2),
            (ScoringModel::Vectors, 0.05, 3.0),
            (ScoringModel::Glosses, 0.1, 1.2),
        ];
        Ensemble {
            members: members(fitted, Self::SELECTION_BIAS_PROGRAMS),
            assassin_penalty: ASSASSIN_PENALTY_PLANNED,
            audience: Audience::Programs,
            objective: Objective::WholeGame,
        }
    }

    /// Bots of this program: most likely the association model.
    pub fn known_programs() -> Ensemble {
        let mut ensemble = Self::unknown_operatives();
        let strong: f64 = ensemble.members.iter().filter(|m| m.model == ScoringModel::Strong).map(|m| m.weight).sum();
        for member in &mut ensemble.members {
            if member.model == ScoringModel::Strong {
                (member.weight, member.sharpness) = (KNOWN_PROGRAM_WEIGHT, KNOWN_PROGRAM_SHARPNESS);
            } else {
                member.weight *= (1.0 - KNOWN_PROGRAM_WEIGHT) / (1.0 - strong);
            }
        }
        ensemble.assassin_penalty = ASSASSIN_PENALTY_KNOWN;
        ensemble
    }

    /// People: the mixture with the highest likelihood of the cards taken in 455 human turns (`parlour codenames
    /// people`).
    pub fn people() -> Ensemble {
        let fitted = [
            (ScoringModel::Strong, 0.835, 1.25),
            (ScoringModel::Jares, 0.106, 1.2),
            (ScoringModel::Definitions, 0.033, 1.1),
            (ScoringModel::Vectors, 0.026, 1.05),
        ];
        Ensemble {
            members: members(fitted, Self::SELECTION_BIAS_PEOPLE),
            assassin_penalty: ASSASSIN_PENALTY_PEOPLE,
            audience: Audience::Speakers,
            objective: Objective::NextTurn,
        }
    }

    /// The ensemble for a language that is projected into the English space: the association model weighs more, because
    /// it alone contains the language's own word lists.
    #[must_use]
    pub fn for_projected_language(mut self) -> Ensemble {
        let factor = match self.audience {
            Audience::Speakers => OWN_LISTS_FACTOR,
            Audience::Programs => OWN_LISTS_FACTOR_PROGRAMS,
        };
        self.members.iter_mut().filter(|m| m.model == ScoringModel::Strong).for_each(|m| m.weight *= factor);
        self.normalised()
    }

    /// The ensemble without one model: in a match with an operative of that model the spymaster must not know it.
    #[must_use]
    pub fn without(mut self, model: ScoringModel) -> Ensemble {
        if self.members.iter().any(|m| m.model != model) {
            self.members.retain(|m| m.model != model);
        }
        self.normalised()
    }

    /// Scales the weights to sum to 1.
    fn normalised(mut self) -> Ensemble {
        let sum: f64 = self.members.iter().map(|m| m.weight).sum();
        self.members.iter_mut().for_each(|m| m.weight /= sum);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_model_the_weights_sum_to_one() {
        for model in ScoringModel::ALL {
            let rest = Ensemble::unknown_operatives().without(model);
            assert!(rest.members.iter().all(|m| m.model != model));
            assert!(rest.members.len() >= 5);
            assert!((rest.members.iter().map(|m| m.weight).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn known_programs_mostly_use_the_association_model() {
        let (programs, unknown) = (Ensemble::known_programs(), Ensemble::unknown_operatives());
        assert!((programs.members.iter().map(|m| m.weight).sum::<f64>() - 1.0).abs() < 1e-9);
        let weight =
            |ensemble: &Ensemble, model| ensemble.members.iter().find(|m| m.model == model).map_or(0.0, |m| m.weight);
        assert!(weight(&programs, ScoringModel::Strong) > 0.5);
        let ratio =
            |ensemble: &Ensemble| weight(ensemble, ScoringModel::Usage) / weight(ensemble, ScoringModel::Glosses);
        assert!((ratio(&programs) - ratio(&unknown)).abs() < 1e-9);
    }
}
