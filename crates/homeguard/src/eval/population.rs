//! A population of simulated raters in groups, one half for design and one half held out.
//!
//! Utilities are drawn from a family: one to four observed quantities, each through a straight line, a sweet spot or a
//! threshold, added or multiplied. Nothing in the preference model may be tuned on the held-out half.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::observed::{ASPECTS, LAYOUT_ASPECTS, Observed};
use super::raters::normal;

/// The half of the population.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// For designing and tuning.
    Design,
    /// For the published table only.
    HeldOut,
}

/// A group of raters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// One to three layout quantities.
    Layout,
    /// One to three quantities of play.
    Play,
    /// Layout and play.
    Mixture,
    /// Products of two quantities, each through a line or a threshold and saturated.
    Nonlinear,
    /// As mixture, with twice the rating noise.
    Noisy,
    /// As mixture, with ratings −2, 0 and 2 only.
    Coarse,
    /// As mixture, with another utility after [`CHANGE_AFTER`] ratings.
    Changing,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 7] =
        [Group::Layout, Group::Play, Group::Mixture, Group::Nonlinear, Group::Noisy, Group::Coarse, Group::Changing];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Group::Layout => "layout",
            Group::Play => "play",
            Group::Mixture => "mixture",
            Group::Nonlinear => "nonlinear",
            Group::Noisy => "noisy",
            Group::Coarse => "coarse",
            Group::Changing => "changing",
        }
    }

    /// Raters of the group in each half.
    fn raters(self) -> usize {
        match self {
            Group::Layout | Group::Play => 6,
            Group::Mixture | Group::Nonlinear => 5,
            Group::Noisy | Group::Coarse | Group::Changing => 4,
        }
    }
}

/// Ratings after which a changing rater changes its utility.
pub const CHANGE_AFTER: usize = 20;

/// A function of one standardised quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Line(f64),
    SweetSpot { centre: f64, width: f64 },
    Threshold { at: f64, sign: f64 },
}

impl Shape {
    fn value(self, z: f64) -> f64 {
        match self {
            Shape::Line(sign) => sign * z,
            Shape::SweetSpot { centre, width } => 2.0 * (-((z - centre) / width).powi(2)).exp(),
            Shape::Threshold { at, sign } => sign * (2.5 * (z - at)).tanh(),
        }
    }
}

/// A utility over observed quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct Utility {
    terms: Vec<(usize, Shape, f64)>,
    product: bool,
}

impl Utility {
    fn draw(aspects: &[std::ops::Range<usize>], product: bool, rng: &mut impl Rng) -> Self {
        let mut terms: Vec<(usize, Shape, f64)> = Vec::new();
        for range in aspects {
            let aspect = loop {
                let aspect = rng.random_range(range.clone());
                if terms.iter().all(|(used, ..)| *used != aspect) {
                    break aspect;
                }
            };
            let sign = if rng.random::<f64>() < 0.5 { -1.0 } else { 1.0 };
            // a product of sweet spots would be flat nearly everywhere
            let shape = match rng.random_range(0..3) {
                1 if product => Shape::Line(sign),
                0 => Shape::Line(sign),
                1 => Shape::SweetSpot { centre: rng.random_range(-1.2..1.2), width: rng.random_range(0.7..1.3) },
                _ => Shape::Threshold { at: rng.random_range(-0.6..0.6), sign },
            };
            terms.push((aspect, shape, rng.random_range(0.5..1.0)));
        }
        Utility { terms, product }
    }

    /// The utility of standardised quantities.
    pub fn value(&self, z: &Observed) -> f64 {
        let values = self.terms.iter().map(|(aspect, shape, weight)| weight * shape.value(z[*aspect]));
        if self.product { values.map(|value| (1.5 * value).tanh()).product() } else { values.sum() }
    }
}

/// One rater.
#[derive(Clone, Debug, PartialEq)]
pub struct PopulationRater {
    /// Its group.
    pub group: Group,
    /// Its utility.
    pub utility: Utility,
    /// Its utility after the change, for changing raters.
    pub later: Option<Utility>,
}

impl PopulationRater {
    /// The utility after some ratings.
    pub fn utility_after(&self, ratings: usize) -> &Utility {
        self.later.as_ref().filter(|_| ratings >= CHANGE_AFTER).unwrap_or(&self.utility)
    }

    /// A noisy rating of a map whose utility is `standard` deviations above the mean of random maps.
    pub fn rate(&self, standard: f64, rng: &mut impl Rng) -> f64 {
        let noise = if self.group == Group::Noisy { 1.0 } else { 0.5 };
        let noisy = standard + noise * normal(rng);
        match self.group {
            Group::Coarse if noisy > 0.7 => 2.0,
            Group::Coarse if noisy < -0.7 => -2.0,
            Group::Coarse => 0.0,
            _ => noisy.round().clamp(-2.0, 2.0),
        }
    }
}

/// The raters of one half. They never change.
pub fn population(half: Half) -> Vec<PopulationRater> {
    let mut rng = ChaCha8Rng::seed_from_u64(match half {
        Half::Design => 0xDE51_6E00,
        Half::HeldOut => 0x4E1D_0075,
    });
    let (layout, play, any) = (0..LAYOUT_ASPECTS, LAYOUT_ASPECTS..ASPECTS, 0..ASPECTS);
    let mut raters = Vec::new();
    for group in Group::ALL {
        for number in 0..group.raters() {
            let draw = |rng: &mut ChaCha8Rng| match group {
                Group::Layout => Utility::draw(&vec![layout.clone(); 1 + number % 3], false, rng),
                Group::Play => Utility::draw(&vec![play.clone(); 1 + number % 3], false, rng),
                Group::Nonlinear => Utility::draw(&[any.clone(), any.clone()], true, rng),
                _ => Utility::draw(&[layout.clone(), play.clone(), any.clone()], false, rng),
            };
            let utility = draw(&mut rng);
            let later = (group == Group::Changing).then(|| draw(&mut rng));
            raters.push(PopulationRater { group, utility, later });
        }
    }
    raters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_differ_and_are_large_enough() {
        let [design, held_out] = [Half::Design, Half::HeldOut].map(population);
        assert!(design.len() + held_out.len() >= 40);
        assert_eq!(design.len(), held_out.len());
        assert!(design.iter().zip(&held_out).all(|(a, b)| a.group == b.group && a.utility != b.utility));
        assert_eq!(population(Half::HeldOut), held_out);
    }

    #[test]
    fn changing_raters_change_after_twenty_ratings() {
        for rater in population(Half::Design) {
            assert_eq!(rater.utility_after(19), &rater.utility);
            assert_eq!(rater.utility_after(20) == &rater.utility, rater.group != Group::Changing);
        }
    }
}
