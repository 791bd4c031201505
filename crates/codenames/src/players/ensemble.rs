//! Several models of how people think, since people differ.

use crate::meaning::Model;

/// Models with weights and temperatures; a giver weighs a clue by what each would make of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    /// Model, weight (they sum to 1), and what its scores are multiplied with.
    pub members: Vec<(Model, f64, f32)>,
}

impl Ensemble {
    /// One model alone.
    pub fn only(model: Model) -> Ensemble {
        Ensemble { members: vec![(model, 1.0, 1.0)] }
    }

    /// All models: somebody who knows everything, somebody who goes by use, somebody who goes by definitions, and the
    /// simpler minds.
    pub fn people() -> Ensemble {
        let members = vec![
            (Model::Strong, 0.2, 1.0),
            (Model::Usage, 0.22, 1.0),
            (Model::Definitions, 0.36, 1.0),
            (Model::Study, 0.07, 1.0),
            (Model::Vectors, 0.05, 1.0),
            (Model::Glosses, 0.1, 1.0),
        ];
        Ensemble { members }
    }

    /// Without one model, so that a match with a guesser of that model is a match with a stranger.
    #[must_use]
    pub fn without(mut self, model: Model) -> Ensemble {
        if self.members.iter().any(|m| m.0 != model) {
            self.members.retain(|m| m.0 != model);
        }
        let sum: f64 = self.members.iter().map(|m| m.1).sum();
        self.members.iter_mut().for_each(|m| m.1 /= sum);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_is_left_out_and_the_rest_weigh_all() {
        for model in Model::ALL {
            let rest = Ensemble::people().without(model);
            assert!(rest.members.iter().all(|m| m.0 != model));
            assert!(rest.members.len() >= 5);
            assert!((rest.members.iter().map(|m| m.1).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
