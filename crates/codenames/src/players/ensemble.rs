//! Several models of how people think, since people differ.

use crate::meaning::Model;

/// How many times more the whole association model counts in a language that leans on English, with speakers of it and
/// with programs.
const OWN_LISTS: f64 = 10.0;
const OWN_LISTS_FOR_PROGRAMS: f64 = 3.0;

/// How much more the assassin is feared by a giver with one model, by one that plans the whole game (found by cross-play),
/// and with people.
const DREAD: f64 = 1.8;
const DREAD_OF_PLANS: f64 = 5.2;
const DREAD_FOR_PEOPLE: f64 = 2.5;

/// How likely a program of this house knows everything, how sharply it keeps to its best words, and how much more the
/// assassin is feared with it: what it will make of a clue is known better.
const HOUSE: f64 = 0.8;
const SHARP_IN_HOUSE: f32 = 2.2;
const DREAD_IN_HOUSE: f64 = 2.5;

/// Models with weights and temperatures; a giver weighs a clue by what each would make of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    /// Model, weight (they sum to 1), and what its scores are multiplied with.
    pub members: Vec<(Model, f64, f32)>,
    /// How much more the assassin is feared than a guesser fears it: of all clues the giver takes the one that looks
    /// best, and that is one whose danger is underestimated.
    pub dread: f64,
    /// How a language is taken that leans on English.
    pub leaning: Leaning,
    /// What makes a clue a good one.
    pub aim: Aim,
}

/// What makes a clue a good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// That it finds many cards at once.
    NextTurn,
    /// That few turns are left to play after it.
    WholeGame,
}

/// Whom a giver reckons with in a language whose words stand where their English translations stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaning {
    /// Speakers: what only English links is not hoped for, and the language's own lists count most.
    Speakers,
    /// Programs, which know of the language what the packs know.
    Programs,
}

impl Ensemble {
    /// How much more a guesser of a giver's own model keeps to its best words than the model's scores alone say.
    const KEEN: f32 = 1.6;
    /// How much less sharply people are reckoned with than the models fit them, found with first clues for people that
    /// the models were not fitted to, and how much less sharply programs, found by cross-play.
    const CHOSEN: f32 = 0.8;
    const CHOSEN_FOR_PROGRAMS: f32 = 0.72;

    /// One model alone.
    pub fn only(model: Model) -> Ensemble {
        Ensemble {
            members: vec![(model, 1.0, Self::KEEN)],
            dread: DREAD,
            leaning: Leaning::Speakers,
            aim: Aim::NextTurn,
        }
    }

    /// Guessers of whom nothing is known, programs among them: somebody who knows everything, somebody who goes by use,
    /// somebody who goes by definitions, and the simpler minds; each with the sharpness that describes best what programs
    /// of other models take, and then less sharply, for the same reason as people.
    pub fn strangers() -> Ensemble {
        let fitted = [
            (Model::Strong, 0.2, 1.8),
            (Model::Usage, 0.22, 3.0),
            (Model::Definitions, 0.36, 1.6),
            (Model::Study, 0.07, 2.2),
            (Model::Vectors, 0.05, 3.0),
            (Model::Glosses, 0.1, 1.2),
        ];
        let members = fitted.map(|(model, weight, sharp)| (model, weight, Self::CHOSEN_FOR_PROGRAMS * sharp)).into();
        Ensemble { members, dread: DREAD_OF_PLANS, leaning: Leaning::Programs, aim: Aim::WholeGame }
    }

    /// Programs of this house: most likely somebody who knows everything.
    pub fn house() -> Ensemble {
        let mut ensemble = Self::strangers();
        let whole: f64 = ensemble.members.iter().filter(|m| m.0 == Model::Strong).map(|m| m.1).sum();
        for (model, weight, sharp) in &mut ensemble.members {
            if *model == Model::Strong {
                (*weight, *sharp) = (HOUSE, SHARP_IN_HOUSE);
            } else {
                *weight *= (1.0 - HOUSE) / (1.0 - whole);
            }
        }
        ensemble.dread = DREAD_IN_HOUSE;
        ensemble
    }

    /// People: the mixture that gives the cards they took in 455 turns the best chances (`parlour codenames people`). Each
    /// model is taken less sharply than fits those turns best, because of all clues the giver takes the one whose chances
    /// the models overestimate.
    pub fn people() -> Ensemble {
        let fitted = [
            (Model::Strong, 0.835, 1.25),
            (Model::Study, 0.106, 1.2),
            (Model::Definitions, 0.033, 1.1),
            (Model::Vectors, 0.026, 1.05),
        ];
        let members = fitted.map(|(model, weight, sharp)| (model, weight, Self::CHOSEN * sharp)).into();
        Ensemble { members, dread: DREAD_FOR_PEOPLE, leaning: Leaning::Speakers, aim: Aim::NextTurn }
    }

    /// The same in a language that leans on English: what knows texts and definitions knows English ones, the whole
    /// association model knows the language's own lists as well.
    #[must_use]
    pub fn by_own_lists(mut self) -> Ensemble {
        let times = match self.leaning {
            Leaning::Speakers => OWN_LISTS,
            Leaning::Programs => OWN_LISTS_FOR_PROGRAMS,
        };
        self.members.iter_mut().filter(|m| m.0 == Model::Strong).for_each(|m| m.1 *= times);
        self.balanced()
    }

    /// Without one model, so that a match with a guesser of that model is a match with a stranger.
    #[must_use]
    pub fn without(mut self, model: Model) -> Ensemble {
        if self.members.iter().any(|m| m.0 != model) {
            self.members.retain(|m| m.0 != model);
        }
        self.balanced()
    }

    /// With weights that sum to 1.
    fn balanced(mut self) -> Ensemble {
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
            let rest = Ensemble::strangers().without(model);
            assert!(rest.members.iter().all(|m| m.0 != model));
            assert!(rest.members.len() >= 5);
            assert!((rest.members.iter().map(|m| m.1).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn in_the_house_most_know_everything_and_the_rest_keep_their_shares() {
        let (house, strangers) = (Ensemble::house(), Ensemble::strangers());
        assert!((house.members.iter().map(|m| m.1).sum::<f64>() - 1.0).abs() < 1e-9);
        let weight = |ensemble: &Ensemble, model| ensemble.members.iter().find(|m| m.0 == model).map_or(0.0, |m| m.1);
        assert!(weight(&house, Model::Strong) > 0.5);
        let ratio = |ensemble: &Ensemble| weight(ensemble, Model::Usage) / weight(ensemble, Model::Glosses);
        assert!((ratio(&house) - ratio(&strangers)).abs() < 1e-9);
    }
}
