//! Blind trials of the preference model on all cores, with a summary by group of raters.

use homeguard::engine::preference::MapPool;
use homeguard::engine::tree::TreeMaker;
use homeguard::eval::observed::observe;
use homeguard::eval::population::{Group, Half, population};
use homeguard::eval::trials::{Generate, TrialMethod, TrialResult, Trials};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use numerics::Interval;

/// What to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialPlan {
    /// The half of the population.
    pub half: Half,
    /// Sessions per rater.
    pub sessions: usize,
    /// Seed of sessions, noise and reference maps.
    pub seed: u64,
}

/// The outcome, rater by rater.
#[derive(Clone, Debug)]
pub struct TrialSummary {
    plan: TrialPlan,
    /// Group and sessions of each rater.
    raters: Vec<(Group, Vec<TrialResult>)>,
    random_cells: f64,
}

/// Runs all sessions; `progress` receives the number done.
pub fn run_trials(
    pool: &MapPool,
    thesis: &Generate<'_>,
    plan: TrialPlan,
    progress: impl Fn(usize) + Sync,
) -> TrialSummary {
    let trials = Trials::new(pool, thesis, plan.seed, |maps| maps.par_iter().map(observe).collect());
    let raters = population(plan.half);
    let done = std::sync::atomic::AtomicUsize::new(0);
    let results: Vec<TrialResult> = (0..raters.len() * plan.sessions)
        .into_par_iter()
        .map_init(TreeMaker::new, |maker, job| {
            let seed = plan.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(job as u64);
            let result = trials.run(&raters[job / plan.sessions], seed, maker);
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            result
        })
        .collect();
    let by_rater = results.chunks(plan.sessions.max(1)).map(<[TrialResult]>::to_vec);
    let raters = raters.iter().map(|rater| rater.group).zip(by_rater).collect();
    TrialSummary { plan, raters, random_cells: trials.random_cells() }
}

fn index(method: TrialMethod) -> usize {
    TrialMethod::ALL.iter().position(|one| *one == method).unwrap_or(0)
}

impl TrialSummary {
    /// Number of raters.
    pub fn raters(&self) -> usize {
        self.raters.len()
    }

    /// Mean lift of each rater of a group (of all raters without one).
    fn lifts(&self, method: TrialMethod, group: Option<Group>) -> Vec<f64> {
        let wanted = self.raters.iter().filter(|(own, _)| group.is_none_or(|group| group == *own));
        wanted
            .map(|(_, sessions)| sessions.iter().map(|s| s.lift[index(method)]).sum::<f64>() / sessions.len() as f64)
            .collect()
    }

    /// Mean lift of a method over raters, with its interval.
    pub fn mean(&self, method: TrialMethod, group: Option<Group>) -> Interval {
        Interval::student(&self.lifts(method, group))
    }

    /// Median lift of the model over raters.
    pub fn median(&self) -> f64 {
        let mut lifts = self.lifts(TrialMethod::Model, None);
        lifts.sort_by(f64::total_cmp);
        (lifts[(lifts.len() - 1) / 2] + lifts[lifts.len() / 2]) / 2.0
    }

    /// Lift of the model above another method, paired by rater.
    pub fn above(&self, method: TrialMethod) -> Interval {
        let pairs = self.lifts(TrialMethod::Model, None).into_iter().zip(self.lifts(method, None));
        Interval::student(&pairs.map(|(own, other)| own - other).collect::<Vec<_>>())
    }

    /// Lift of changing raters ten ratings after the change.
    pub fn changing(&self) -> Interval {
        let changing = self.raters.iter().filter(|(group, _)| *group == Group::Changing);
        let means: Vec<f64> = changing
            .map(|(_, sessions)| sessions.iter().filter_map(|s| s.changed).sum::<f64>() / sessions.len() as f64)
            .collect();
        Interval::student(&means)
    }

    /// Behaviour cells of the maps 21 to 30 of a session, relative to ten random maps.
    pub fn diversity(&self) -> f64 {
        let cells: Vec<f64> = self.raters.iter().flat_map(|(_, s)| s).map(|s| s.cells as f64).collect();
        cells.iter().sum::<f64>() / cells.len().max(1) as f64 / self.random_cells
    }

    /// Pairs of maps of one session that differ in fewer than six cover sites.
    pub fn repeats(&self) -> usize {
        self.raters.iter().flat_map(|(_, s)| s).map(|s| s.repeats).sum()
    }

    /// The summary as JSON.
    pub fn to_json(&self) -> Value {
        let interval = |i: Interval| json!([i.low(), i.high()]);
        let groups: Map<String, Value> = Group::ALL
            .iter()
            .map(|group| {
                let own = self.mean(TrialMethod::Model, Some(*group));
                let knn = self.mean(TrialMethod::NearestNeighbours, Some(*group)).mean;
                let entry = json!({ "mean": own.mean, "interval95": interval(own), "knn": knn });
                (group.name().to_owned(), entry)
            })
            .collect();
        let own = self.mean(TrialMethod::Model, None);
        let changing = self.changing();
        json!({
            "raters": if self.plan.half == Half::HeldOut { "held-out" } else { "design" },
            "count": self.raters.len(), "sessions": self.plan.sessions, "seed": self.plan.seed,
            "mean": own.mean, "mean_interval95": interval(own), "median": self.median(),
            "groups": groups,
            "knn": self.mean(TrialMethod::NearestNeighbours, None).mean,
            "ridge": self.mean(TrialMethod::Ridge, None).mean,
            "thesis": self.mean(TrialMethod::Thesis, None).mean,
            "random": self.mean(TrialMethod::Random, None).mean,
            "above_knn": self.above(TrialMethod::NearestNeighbours).mean,
            "above_knn_interval95": interval(self.above(TrialMethod::NearestNeighbours)),
            "diversity": self.diversity(), "repeats": self.repeats(),
            "changing": changing.mean, "changing_interval95": interval(changing),
        })
    }
}
