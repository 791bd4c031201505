//! The taste model: many small Gaussian processes, each on one or two features or on all, weighted by their evidence.
//!
//! A player's liking mostly hangs on a few things, but nobody knows on which. Every single feature and every pair
//! gets a process of its own, with a smooth and a straight-line covariance, and two levels of noise; a few processes
//! see all features at once. The ratings decide how much each is believed (Bayesian model averaging), so a handful of
//! noisy ratings neither drowns in thirty dimensions nor has to fit one form.

use super::features::{COUNT, Features};
use super::gp::{Bank, LANES, Lane, triangle};
use super::kernel::{Kernel, Likeness};

/// Mean and deviation of every feature over a reference set, for putting all on one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    mean: [f64; COUNT],
    deviation: [f64; COUNT],
}

/// Features in standard deviations of the reference, cut at ±3.5.
pub(crate) type Point = [f32; COUNT];

impl Scale {
    /// The scale of a reference set.
    pub fn of<'f>(reference: impl Iterator<Item = &'f Features> + Clone) -> Self {
        let n = f64::max(reference.clone().count() as f64, 1.0);
        let mean = std::array::from_fn(|i| reference.clone().map(|f| f.0[i]).sum::<f64>() / n);
        let deviation = std::array::from_fn(|i| {
            let square = |f: &Features| (f.0[i] - mean[i]).powi(2);
            (reference.clone().map(square).sum::<f64>() / n).sqrt().max(1e-6)
        });
        Scale { mean, deviation }
    }

    pub(crate) fn point(&self, features: &Features) -> Point {
        std::array::from_fn(|i| ((features.0[i] - self.mean[i]) / self.deviation[i]).clamp(-3.5, 3.5) as f32)
    }
}

/// Variance of the unknown mean rating.
const OFFSET: f32 = 0.3;
/// (signal variance, noise variance) pairs that are tried.
const LEVELS: [(f32, f32); 2] = [(1.3, 0.4), (0.6, 0.9)];
/// Shares of belief before any rating: in single features, in pairs, in all features together.
const SINGLE_PRIOR: f64 = 0.4;
const PAIR_PRIOR: f64 = 0.3;
const DENSE_PRIOR: f64 = 0.3;
/// With more ratings than this only pairs of the twelve strongest features are tried, so that fitting stays quick.
const ALL_PAIRS_UP_TO: usize = 60;
/// Processes kept after weighting.
const KEPT: usize = 8 * LANES;

/// A process that was tried: what it looks at and how well it explains the ratings.
#[derive(Clone, Copy, Debug)]
struct Tried {
    kernel: Kernel,
    /// Index into [`LEVELS`].
    level: usize,
    /// Log evidence plus log prior.
    log: f64,
}

/// Eight of the most believed processes.
#[derive(Clone, Debug)]
struct Experts {
    kernels: [Kernel; LANES],
    signal: Lane,
    weights: [f64; LANES],
    bank: Bank,
}

impl Experts {
    /// Covariances of a point with the rated maps.
    fn covariances(&self, likeness: &Likeness, known: usize) -> Vec<Lane> {
        let mut k = vec![[OFFSET; LANES]; known];
        for (lane, kernel) in self.kernels.into_iter().enumerate() {
            likeness.each(kernel, |i, value| k[i][lane] += self.signal[lane] * value);
        }
        k
    }
}

/// A player's taste as far as the ratings tell.
#[derive(Clone, Debug)]
pub struct TasteModel {
    scale: Scale,
    points: Vec<Point>,
    experts: Vec<Experts>,
    relevance: [f64; COUNT],
}

/// An expected rating with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Expected rating on the scale −2 to 2.
    pub mean: f64,
    /// Standard deviation of the true liking around it.
    pub deviation: f64,
}

/// How much one feature speaks for or against a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Index into [`super::features::FEATURES`].
    pub feature: usize,
    /// Expected change of the rating against an average value of the feature.
    pub effect: f64,
    /// The feature in standard deviations from the average.
    pub standing: f64,
}

/// All processes tried on one set of ratings.
struct Trial<'t> {
    y: &'t [f64],
    /// Each rated map compared with those up to it.
    rows: Vec<Likeness>,
    bank: Bank,
    tried: Vec<Tried>,
}

impl Trial<'_> {
    /// Fits up to eight processes at once; missing ones repeat the last.
    fn fit(y: &[f64], rows: &[Likeness], bank: &mut Bank, processes: &[(Kernel, usize)]) {
        bank.fit(y, |matrix| {
            for lane in 0..LANES {
                let (kernel, level) = processes[lane.min(processes.len() - 1)];
                let (signal, noise) = LEVELS[level];
                for (i, row) in rows.iter().enumerate() {
                    let start = triangle(i);
                    row.each(kernel, |j, value| matrix[start + j][lane] = OFFSET + signal * value);
                    matrix[start + i][lane] += noise;
                }
            }
        });
    }

    fn consider(&mut self, kernels: &[Kernel], prior: f64) {
        let processes: Vec<(Kernel, usize)> =
            kernels.iter().flat_map(|kernel| (0..LEVELS.len()).map(|level| (*kernel, level))).collect();
        for some in processes.chunks(LANES) {
            Trial::fit(self.y, &self.rows, &mut self.bank, some);
            self.tried.extend(some.iter().zip(self.bank.log_evidence).map(|((kernel, level), log)| Tried {
                kernel: *kernel,
                level: *level,
                log: log + prior.ln(),
            }));
        }
    }

    /// The features, those that alone explain most first.
    fn strongest_features(&self) -> Vec<usize> {
        let mut strength = [f64::NEG_INFINITY; COUNT];
        for tried in &self.tried {
            if let Kernel::Smooth(f) | Kernel::Straight(f) = tried.kernel {
                strength[f] = f64::max(strength[f], tried.log);
            }
        }
        let mut order: Vec<usize> = (0..COUNT).collect();
        order.sort_by(|a, b| strength[*b].total_cmp(&strength[*a]));
        order
    }

    /// The most believed processes, with weights that sum to 1.
    fn experts(mut self) -> Vec<Experts> {
        self.tried.sort_by(|a, b| b.log.total_cmp(&a.log));
        self.tried.truncate(KEPT);
        let top = self.tried.first().map_or(0.0, |best| best.log);
        let total: f64 = self.tried.iter().map(|tried| (tried.log - top).exp()).sum();
        let believed = |tried: Option<&Tried>| tried.map_or(0.0, |tried| (tried.log - top).exp() / total);
        self.tried
            .chunks(LANES)
            .map(|some| {
                let processes: Vec<(Kernel, usize)> = some.iter().map(|t| (t.kernel, t.level)).collect();
                let mut bank = Bank::default();
                Trial::fit(self.y, &self.rows, &mut bank, &processes);
                let process = |lane: usize| processes[lane.min(processes.len() - 1)];
                Experts {
                    kernels: std::array::from_fn(|lane| process(lane).0),
                    signal: std::array::from_fn(|lane| LEVELS[process(lane).1].0),
                    weights: std::array::from_fn(|lane| believed(some.get(lane))),
                    bank,
                }
            })
            .collect()
    }
}

impl TasteModel {
    /// Fits the model to rated features.
    pub fn fit(scale: &Scale, rated: &[(Features, f64)]) -> Self {
        let points: Vec<Point> = rated.iter().map(|(f, _)| scale.point(f)).collect();
        let y: Vec<f64> = rated.iter().map(|(_, rating)| *rating).collect();
        let mut model = TasteModel { scale: scale.clone(), points, experts: Vec::new(), relevance: [0.0; COUNT] };
        if !y.is_empty() {
            model.weigh(&y);
        }
        model
    }

    fn weigh(&mut self, y: &[f64]) {
        let rows = self.points.iter().enumerate().map(|(i, point)| Likeness::of(point, &self.points[..=i])).collect();
        let mut trial = Trial { y, rows, bank: Bank::default(), tried: Vec::new() };
        let single: Vec<Kernel> = (0..COUNT).flat_map(|f| [Kernel::Smooth(f), Kernel::Straight(f)]).collect();
        trial.consider(&single, SINGLE_PRIOR / COUNT as f64);
        trial.consider(&[Kernel::AllSmooth, Kernel::AllStraight, Kernel::Whole], DENSE_PRIOR / 3.0);
        let mut order = trial.strongest_features();
        if y.len() > ALL_PAIRS_UP_TO {
            order.truncate(12);
        }
        let pairs: Vec<Kernel> = order
            .iter()
            .enumerate()
            .flat_map(|(i, &f)| order[i + 1..].iter().map(move |&g| (f, g)))
            .flat_map(|(f, g)| [Kernel::SmoothPair(f, g), Kernel::StraightPair(f, g)])
            .collect();
        trial.consider(&pairs, PAIR_PRIOR / (COUNT * (COUNT - 1) / 2) as f64);
        self.experts = trial.experts();
        for experts in &self.experts {
            for (kernel, weight) in experts.kernels.iter().zip(experts.weights) {
                kernel.features().for_each(|f| self.relevance[f] += weight);
            }
        }
    }

    /// Number of ratings behind the model.
    pub fn ratings(&self) -> usize {
        self.points.len()
    }

    /// How much belief rests on each feature, 0 to 1.
    pub fn relevance(&self) -> &[f64; COUNT] {
        &self.relevance
    }

    /// The expected rating of a map.
    pub fn predict(&self, features: &Features) -> Prediction {
        self.predict_point(&self.scale.point(features))
    }

    /// The expected rating alone, quicker than with its uncertainty.
    pub(crate) fn mean_at(&self, point: &Point) -> f64 {
        let likeness = Likeness::of(point, &self.points);
        let expected = |experts: &Experts| -> f64 {
            let means = experts.bank.means(&experts.covariances(&likeness, self.points.len()));
            means.iter().zip(experts.weights).map(|(mean, weight)| weight * f64::from(*mean)).sum()
        };
        self.experts.iter().map(expected).sum()
    }

    pub(crate) fn predict_point(&self, point: &Point) -> Prediction {
        if self.experts.is_empty() {
            return Prediction { mean: 0.0, deviation: 1.0 };
        }
        let likeness = Likeness::of(point, &self.points);
        let (mut mean, mut square) = (0.0, 0.0);
        for experts in &self.experts {
            let mut k = experts.covariances(&likeness, self.points.len());
            let means = experts.bank.means(&k);
            let prior = std::array::from_fn(|lane| OFFSET + experts.signal[lane] * experts.kernels[lane].own(point));
            let variances = experts.bank.variances(&mut k, prior);
            for lane in 0..LANES {
                let (m, v) = (f64::from(means[lane]), f64::from(variances[lane]));
                mean += experts.weights[lane] * m;
                square += experts.weights[lane] * (v + m * m);
            }
        }
        Prediction { mean, deviation: (square - mean * mean).max(1e-9).sqrt() }
    }

    /// The features that speak loudest about a map, strongest first.
    pub fn effects(&self, features: &Features) -> Vec<Effect> {
        let point = self.scale.point(features);
        let here = self.mean_at(&point);
        let mut effects: Vec<Effect> = (0..COUNT)
            .map(|feature| {
                let mut average = point;
                average[feature] = 0.0;
                Effect { feature, effect: here - self.mean_at(&average), standing: f64::from(point[feature]) }
            })
            .collect();
        effects.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        effects
    }

    /// Expected rating along one feature, everything else average: for the plot of a profile.
    pub fn curve(&self, feature: usize) -> Vec<(f64, Prediction)> {
        (-8..=8)
            .map(|step| {
                let at = f64::from(step) / 4.0;
                let mut point = [0.0; COUNT];
                point[feature] = at as f32;
                let value = self.scale.mean[feature] + at * self.scale.deviation[feature];
                (value, self.predict_point(&point))
            })
            .collect()
    }
}
