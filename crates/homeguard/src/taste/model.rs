//! The taste model: many small Gaussian processes, each on one or two features or on all, weighted by their evidence.
//!
//! A player's liking mostly hangs on a few things, but nobody knows on which. Every single feature and every pair
//! gets a process of its own, with a smooth and a straight-line covariance, and two levels of noise; a few processes
//! see all features at once. The ratings decide how much each is believed (Bayesian model averaging), so a handful of
//! noisy ratings neither drowns in thirty dimensions nor has to fit one form.

use super::features::{COUNT, Features};
use super::gp::Process;

/// Mean and deviation of every feature over a reference set, for putting all on one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    mean: [f64; COUNT],
    deviation: [f64; COUNT],
}

/// Features in standard deviations of the reference, cut at ±3.5.
pub(crate) type Point = [f64; COUNT];

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
        std::array::from_fn(|i| ((features.0[i] - self.mean[i]) / self.deviation[i]).clamp(-3.5, 3.5))
    }
}

/// Variance of the unknown mean rating.
const OFFSET: f64 = 0.3;
/// (signal variance, noise variance) pairs that are tried.
const LEVELS: [(f64, f64); 2] = [(1.3, 0.4), (0.6, 0.9)];
/// Length scale of the smooth covariance in standard deviations of a feature.
const LENGTH: f64 = 1.3;
/// Shares of belief before any rating: in single features, in pairs, in all features together.
const SINGLE_PRIOR: f64 = 0.4;
const PAIR_PRIOR: f64 = 0.3;
const DENSE_PRIOR: f64 = 0.3;
/// With more ratings than this only pairs of the twelve strongest features are tried, so that fitting stays quick.
const ALL_PAIRS_UP_TO: usize = 40;
/// Processes kept after weighting.
const KEPT: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kernel {
    /// exp(−d²/2ℓ²) over some features.
    Smooth([usize; 2], usize),
    /// Scalar product over some features.
    Straight([usize; 2], usize),
    /// Mean of all one-feature smooth covariances.
    AllSmooth,
    /// Mean of all scalar products.
    AllStraight,
    /// One smooth covariance over the distance in all features.
    Whole,
}

fn smooth(a: f64, b: f64) -> f64 {
    (-0.5 * ((a - b) / LENGTH).powi(2)).exp()
}

impl Kernel {
    fn value(self, a: &Point, b: &Point) -> f64 {
        match self {
            Kernel::Smooth(features, n) => features[..n].iter().map(|&f| smooth(a[f], b[f])).product(),
            Kernel::Straight(features, n) => features[..n].iter().map(|&f| a[f] * b[f]).sum::<f64>() / n as f64,
            Kernel::AllSmooth => (0..COUNT).map(|f| smooth(a[f], b[f])).sum::<f64>() / COUNT as f64,
            Kernel::AllStraight => (0..COUNT).map(|f| a[f] * b[f]).sum::<f64>() / COUNT as f64,
            Kernel::Whole => {
                let squared: f64 = (0..COUNT).map(|f| (a[f] - b[f]).powi(2)).sum();
                (-0.5 * squared / (LENGTH * LENGTH * COUNT as f64 * 0.5)).exp()
            }
        }
    }

    fn features(self) -> Vec<usize> {
        match self {
            Kernel::Smooth(features, n) | Kernel::Straight(features, n) => features[..n].to_vec(),
            _ => Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
struct Expert {
    kernel: Kernel,
    signal: f64,
    process: Process,
    weight: f64,
}

/// All processes tried on one set of ratings.
struct Trial<'y> {
    y: &'y [f64],
    /// Log evidence plus log prior, and the process.
    tried: Vec<(f64, Expert)>,
}

impl Trial<'_> {
    fn consider(&mut self, kernel: Kernel, gram: &[f64], prior: f64) {
        let n = self.y.len();
        for (signal, noise) in LEVELS {
            let mut covariance: Vec<f64> = gram.iter().map(|k| OFFSET + signal * k).collect();
            for i in 0..n {
                covariance[i * n + i] += noise;
            }
            if let Some(process) = Process::fit(&covariance, self.y) {
                let log = process.log_evidence + prior.ln();
                let expert = Expert { kernel, signal, process, weight: 0.0 };
                self.tried.push((log, expert));
            }
        }
    }

    /// The most believed processes with weights that sum to 1.
    fn strongest(mut self) -> Vec<Expert> {
        self.tried.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.tried.truncate(KEPT);
        let top = self.tried.first().map_or(0.0, |(log, _)| *log);
        let total: f64 = self.tried.iter().map(|(log, _)| (log - top).exp()).sum();
        self.tried.into_iter().map(|(log, expert)| Expert { weight: (log - top).exp() / total, ..expert }).collect()
    }
}

/// A player's taste as far as the ratings tell.
#[derive(Clone, Debug)]
pub struct TasteModel {
    scale: Scale,
    points: Vec<Point>,
    experts: Vec<Expert>,
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
        let n = y.len();
        let gram = |kernel: &dyn Fn(&Point, &Point) -> f64| -> Vec<f64> {
            let mut out = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..=i {
                    let value = kernel(&self.points[i], &self.points[j]);
                    out[i * n + j] = value;
                    out[j * n + i] = value;
                }
            }
            out
        };
        // matrices of single features; those of pairs are products or means of them
        let smooths: Vec<Vec<f64>> = (0..COUNT).map(|f| gram(&|a, b| smooth(a[f], b[f]))).collect();
        let straights: Vec<Vec<f64>> = (0..COUNT).map(|f| gram(&|a, b| a[f] * b[f])).collect();
        let mut trial = Trial { y, tried: Vec::new() };
        let single = SINGLE_PRIOR / COUNT as f64;
        for f in 0..COUNT {
            trial.consider(Kernel::Smooth([f, f], 1), &smooths[f], single);
            trial.consider(Kernel::Straight([f, f], 1), &straights[f], single);
        }
        for kernel in [Kernel::AllSmooth, Kernel::AllStraight, Kernel::Whole] {
            trial.consider(kernel, &gram(&|a, b| kernel.value(a, b)), DENSE_PRIOR / 3.0);
        }
        let mut strength = [f64::NEG_INFINITY; COUNT];
        for (log, expert) in &trial.tried {
            if let [f] = expert.kernel.features()[..] {
                strength[f] = f64::max(strength[f], *log);
            }
        }
        let mut order: Vec<usize> = (0..COUNT).collect();
        order.sort_by(|a, b| strength[*b].total_cmp(&strength[*a]));
        if n > ALL_PAIRS_UP_TO {
            order.truncate(12);
        }
        let pair = PAIR_PRIOR / (COUNT * (COUNT - 1) / 2) as f64;
        for (i, &f) in order.iter().enumerate() {
            for &g in &order[i + 1..] {
                let joined = |a: &[f64], b: &[f64], join: fn(f64, f64) -> f64| -> Vec<f64> {
                    a.iter().zip(b).map(|(a, b)| join(*a, *b)).collect()
                };
                let product = joined(&smooths[f], &smooths[g], |a, b| a * b);
                trial.consider(Kernel::Smooth([f, g], 2), &product, pair);
                let mean = joined(&straights[f], &straights[g], |a, b| (a + b) / 2.0);
                trial.consider(Kernel::Straight([f, g], 2), &mean, pair);
            }
        }
        self.experts = trial.strongest();
        for expert in &self.experts {
            for f in expert.kernel.features() {
                self.relevance[f] += expert.weight;
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

    /// The expected rating alone, much quicker than with its uncertainty.
    pub(crate) fn mean_at(&self, point: &Point) -> f64 {
        let expected = |expert: &Expert| -> f64 {
            let pairs = self.points.iter().zip(&expert.process.weights);
            pairs.map(|(known, w)| w * (OFFSET + expert.signal * expert.kernel.value(point, known))).sum()
        };
        self.experts.iter().map(|expert| expert.weight * expected(expert)).sum()
    }

    pub(crate) fn predict_point(&self, point: &Point) -> Prediction {
        if self.experts.is_empty() {
            return Prediction { mean: 0.0, deviation: 1.0 };
        }
        let (mut mean, mut square) = (0.0, 0.0);
        for expert in &self.experts {
            let covariances: Vec<f64> =
                self.points.iter().map(|known| OFFSET + expert.signal * expert.kernel.value(point, known)).collect();
            let prior = OFFSET + expert.signal * expert.kernel.value(point, point);
            let (m, v) = expert.process.predict(covariances, prior);
            mean += expert.weight * m;
            square += expert.weight * (v + m * m);
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
                Effect { feature, effect: here - self.mean_at(&average), standing: point[feature] }
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
                point[feature] = at;
                let value = self.scale.mean[feature] + at * self.scale.deviation[feature];
                (value, self.predict_point(&point))
            })
            .collect()
    }
}
