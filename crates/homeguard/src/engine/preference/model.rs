//! The preference model: a mixture of Gaussian processes (Rasmussen and Williams 2006), each on one feature, two
//! features or all, weighted by their marginal likelihood.
//!
//! A preference mostly depends on a few features, but it is unknown on which. Every feature and every pair of features
//! gets a process of its own, with a smooth and a linear covariance and two noise levels; three processes see all
//! features. Bayesian model averaging weights them, so a few noisy ratings neither overfit thirty dimensions nor have
//! to fit one functional form.

use super::features::{COUNT, MapFeatures};
use super::gaussian_process::{LANES, ProcessBatch, SimdRow, triangle};
use super::kernel::{CovarianceRows, Kernel};

/// Mean and deviation of every feature over a reference set, for putting all on one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureScale {
    mean: [f64; COUNT],
    deviation: [f64; COUNT],
}

/// Features in standard deviations of the reference, cut at ±3.5.
pub(crate) type Point = [f32; COUNT];

impl FeatureScale {
    /// The scale of a reference set.
    pub fn of<'f>(reference: impl Iterator<Item = &'f MapFeatures> + Clone) -> Self {
        let n = f64::max(reference.clone().count() as f64, 1.0);
        let mean = std::array::from_fn(|i| reference.clone().map(|f| f.0[i]).sum::<f64>() / n);
        let deviation = std::array::from_fn(|i| {
            let square = |f: &MapFeatures| (f.0[i] - mean[i]).powi(2);
            (reference.clone().map(square).sum::<f64>() / n).sqrt().max(1e-6)
        });
        FeatureScale { mean, deviation }
    }

    /// Features in standard deviations of the reference, cut at ±3.5.
    pub fn standardise(&self, features: &MapFeatures) -> Vec<f64> {
        self.point(features).iter().map(|value| f64::from(*value)).collect()
    }

    pub(crate) fn point(&self, features: &MapFeatures) -> Point {
        std::array::from_fn(|i| ((features.0[i] - self.mean[i]) / self.deviation[i]).clamp(-3.5, 3.5) as f32)
    }
}

/// Variance of the unknown mean rating.
const OFFSET: f32 = 0.3;
/// Pairs of signal variance and noise variance.
const LEVELS: [(f32, f32); 2] = [(1.3, 0.4), (0.6, 0.9)];
/// Prior probabilities: single features, pairs, all features together.
const SINGLE_PRIOR: f64 = 0.4;
const PAIR_PRIOR: f64 = 0.3;
const DENSE_PRIOR: f64 = 0.3;
/// With more ratings than this only pairs of the twelve strongest features are fitted, which bounds the time.
const ALL_PAIRS_UP_TO: usize = 60;
/// Processes kept after weighting.
const KEPT: usize = 8 * LANES;

/// A kernel with its evidence.
#[derive(Clone, Copy, Debug)]
struct ScoredKernel {
    kernel: Kernel,
    /// Index into [`LEVELS`].
    level: usize,
    /// Log evidence plus log prior.
    log: f64,
}

/// Eight of the processes with the highest posterior probability.
#[derive(Clone, Debug)]
struct Experts {
    kernels: [Kernel; LANES],
    signal: SimdRow,
    weights: [f64; LANES],
    batch: ProcessBatch,
}

impl Experts {
    /// Covariances of a point with the rated maps.
    fn covariances(&self, covariance_rows: &CovarianceRows, known: usize) -> Vec<SimdRow> {
        let mut k = vec![[OFFSET; LANES]; known];
        for (lane, kernel) in self.kernels.into_iter().enumerate() {
            covariance_rows.each(kernel, |i, value| k[i][lane] += self.signal[lane] * value);
        }
        k
    }
}

/// The fitted model of one player's preferences.
#[derive(Clone, Debug)]
pub struct PreferenceModel {
    scale: FeatureScale,
    points: Vec<Point>,
    experts: Vec<Experts>,
    relevance: [f64; COUNT],
}

/// An expected rating with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingPrediction {
    /// Expected rating on the scale −2 to 2.
    pub mean: f64,
    /// Standard deviation of the true liking around it.
    pub deviation: f64,
}

/// The contribution of one feature to the expected rating of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureEffect {
    /// Index into [`super::features::FEATURES`].
    pub feature: usize,
    /// Expected change of the rating against an average value of the feature.
    pub effect: f64,
    /// The feature in standard deviations from the average.
    pub standing: f64,
}

/// A rating as the model sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// The features of the rated map.
    pub features: MapFeatures,
    /// The rating, −2 to 2.
    pub rating: f64,
    /// Factor of the noise variance: 1 for a current rating of the player, more for weaker evidence.
    pub noise: f64,
}

impl Observation {
    /// A rating of full weight.
    pub fn new(features: MapFeatures, rating: f64) -> Self {
        Observation { features, rating, noise: 1.0 }
    }
}

/// All processes fitted to one set of ratings.
struct EvidenceSearch<'t> {
    y: &'t [f64],
    /// Noise factor of each rating.
    noise: &'t [f32],
    /// Each rated map compared with those up to it.
    rows: Vec<CovarianceRows>,
    batch: ProcessBatch,
    tried: Vec<ScoredKernel>,
}

impl<'t> EvidenceSearch<'t> {
    /// Fits up to eight processes at once; missing ones repeat the last.
    fn fit(data: (&[f64], &[f32]), rows: &[CovarianceRows], batch: &mut ProcessBatch, processes: &[(Kernel, usize)]) {
        let (y, factors) = data;
        batch.fit(y, |matrix| {
            for lane in 0..LANES {
                let (kernel, level) = processes[lane.min(processes.len() - 1)];
                let (signal, noise) = LEVELS[level];
                for (i, row) in rows.iter().enumerate() {
                    let start = triangle(i);
                    row.each(kernel, |j, value| matrix[start + j][lane] = OFFSET + signal * value);
                    matrix[start + i][lane] += noise * factors[i];
                }
            }
        });
    }

    fn new(points: &[Point], y: &'t [f64], noise: &'t [f32]) -> Self {
        let rows = points.iter().enumerate().map(|(i, point)| CovarianceRows::of(point, &points[..=i])).collect();
        EvidenceSearch { y, noise, rows, batch: ProcessBatch::default(), tried: Vec::new() }
    }

    /// Fits the processes of one feature and of all features.
    fn consider_simple(&mut self) {
        let single: Vec<Kernel> = (0..COUNT).flat_map(|f| [Kernel::Smooth(f), Kernel::Straight(f)]).collect();
        self.consider(&single, SINGLE_PRIOR / COUNT as f64);
        self.consider(&[Kernel::AllSmooth, Kernel::AllStraight, Kernel::Whole], DENSE_PRIOR / 3.0);
    }

    fn consider(&mut self, kernels: &[Kernel], prior: f64) {
        let processes: Vec<(Kernel, usize)> =
            kernels.iter().flat_map(|kernel| (0..LEVELS.len()).map(|level| (*kernel, level))).collect();
        for some in processes.chunks(LANES) {
            EvidenceSearch::fit((self.y, self.noise), &self.rows, &mut self.batch, some);
            self.tried.extend(some.iter().zip(self.batch.log_evidence).map(|((kernel, level), log)| ScoredKernel {
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

    /// The processes with the highest posterior probability; their weights sum to 1.
    fn experts(mut self) -> Vec<Experts> {
        self.tried.sort_by(|a, b| b.log.total_cmp(&a.log));
        self.tried.truncate(KEPT);
        let top = self.tried.first().map_or(0.0, |best| best.log);
        let total: f64 = self.tried.iter().map(|tried| (tried.log - top).exp()).sum();
        let believed = |tried: Option<&ScoredKernel>| tried.map_or(0.0, |tried| (tried.log - top).exp() / total);
        self.tried
            .chunks(LANES)
            .map(|some| {
                let processes: Vec<(Kernel, usize)> = some.iter().map(|t| (t.kernel, t.level)).collect();
                let mut batch = ProcessBatch::default();
                EvidenceSearch::fit((self.y, self.noise), &self.rows, &mut batch, &processes);
                let process = |lane: usize| processes[lane.min(processes.len() - 1)];
                Experts {
                    kernels: std::array::from_fn(|lane| process(lane).0),
                    signal: std::array::from_fn(|lane| LEVELS[process(lane).1].0),
                    weights: std::array::from_fn(|lane| believed(some.get(lane))),
                    batch,
                }
            })
            .collect()
    }
}

impl PreferenceModel {
    /// Fits the model to ratings.
    pub fn fit(scale: &FeatureScale, ratings: &[Observation]) -> Self {
        let points: Vec<Point> = ratings.iter().map(|r| scale.point(&r.features)).collect();
        let y: Vec<f64> = ratings.iter().map(|r| r.rating).collect();
        let noise: Vec<f32> = ratings.iter().map(|r| r.noise as f32).collect();
        let mut model = PreferenceModel { scale: scale.clone(), points, experts: Vec::new(), relevance: [0.0; COUNT] };
        if !y.is_empty() {
            model.weigh(&y, &noise);
        }
        model
    }

    /// Logarithm of the marginal likelihood of some ratings under the processes of one feature and of all features.
    pub(crate) fn log_evidence(scale: &FeatureScale, ratings: &[Observation]) -> f64 {
        let points: Vec<Point> = ratings.iter().map(|r| scale.point(&r.features)).collect();
        let y: Vec<f64> = ratings.iter().map(|r| r.rating).collect();
        let noise: Vec<f32> = ratings.iter().map(|r| r.noise as f32).collect();
        let mut search = EvidenceSearch::new(&points, &y, &noise);
        search.consider_simple();
        let top = search.tried.iter().map(|tried| tried.log).fold(f64::NEG_INFINITY, f64::max);
        top + search.tried.iter().map(|tried| (tried.log - top).exp()).sum::<f64>().ln()
    }

    fn weigh(&mut self, y: &[f64], noise: &[f32]) {
        let mut search = EvidenceSearch::new(&self.points, y, noise);
        search.consider_simple();
        let mut order = search.strongest_features();
        if y.len() > ALL_PAIRS_UP_TO {
            order.truncate(12);
        }
        let pairs: Vec<Kernel> = order
            .iter()
            .enumerate()
            .flat_map(|(i, &f)| order[i + 1..].iter().map(move |&g| (f, g)))
            .flat_map(|(f, g)| [Kernel::SmoothPair(f, g), Kernel::StraightPair(f, g)])
            .collect();
        search.consider(&pairs, PAIR_PRIOR / (COUNT * (COUNT - 1) / 2) as f64);
        self.experts = search.experts();
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

    /// Posterior probability that each feature matters, 0 to 1.
    pub fn relevance(&self) -> &[f64; COUNT] {
        &self.relevance
    }

    /// The expected rating of a map.
    pub fn predict(&self, features: &MapFeatures) -> RatingPrediction {
        self.predict_point(&self.scale.point(features))
    }

    /// The expected rating alone, quicker than with its uncertainty.
    pub(crate) fn mean_at(&self, point: &Point) -> f64 {
        let covariance_rows = CovarianceRows::of(point, &self.points);
        let expected = |experts: &Experts| -> f64 {
            let means = experts.batch.means(&experts.covariances(&covariance_rows, self.points.len()));
            means.iter().zip(experts.weights).map(|(mean, weight)| weight * f64::from(*mean)).sum()
        };
        self.experts.iter().map(expected).sum()
    }

    pub(crate) fn predict_point(&self, point: &Point) -> RatingPrediction {
        if self.experts.is_empty() {
            return RatingPrediction { mean: 0.0, deviation: 1.0 };
        }
        let covariance_rows = CovarianceRows::of(point, &self.points);
        let (mut mean, mut square) = (0.0, 0.0);
        for experts in &self.experts {
            let mut k = experts.covariances(&covariance_rows, self.points.len());
            let means = experts.batch.means(&k);
            let prior = std::array::from_fn(|lane| OFFSET + experts.signal[lane] * experts.kernels[lane].own(point));
            let variances = experts.batch.variances(&mut k, prior);
            for lane in 0..LANES {
                let (m, v) = (f64::from(means[lane]), f64::from(variances[lane]));
                mean += experts.weights[lane] * m;
                square += experts.weights[lane] * (v + m * m);
            }
        }
        RatingPrediction { mean, deviation: (square - mean * mean).max(1e-9).sqrt() }
    }

    /// Feature contributions to the expected rating of a map, strongest first.
    pub fn effects(&self, features: &MapFeatures) -> Vec<FeatureEffect> {
        let point = self.scale.point(features);
        let here = self.mean_at(&point);
        let mut effects: Vec<FeatureEffect> = (0..COUNT)
            .map(|feature| {
                let mut average = point;
                average[feature] = 0.0;
                FeatureEffect { feature, effect: here - self.mean_at(&average), standing: f64::from(point[feature]) }
            })
            .collect();
        effects.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        effects
    }

    /// Expected rating along one feature, everything else average: for the plot of a profile.
    pub fn curve(&self, feature: usize) -> Vec<(f64, RatingPrediction)> {
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
