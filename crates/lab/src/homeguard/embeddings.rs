//! Embeddings of trees: the references of Šindelář 2024 (section 6.6) and ours.

use homeguard::engine::tree::PlaythroughTree;
use homeguard::eval::raters::player_rng;
use rand::RngExt;
use rayon::prelude::*;

use super::dataset::{Dataset, TreeItem};

/// Embedding of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Embedding {
    /// Random numbers: the baseline.
    Random,
    /// One number: the best reachable score.
    Global,
    /// Per layer the mean of the best reachable scores.
    Average,
    /// The covers themselves.
    Genome,
    /// Layout and tree statistics of the preference model.
    Statistics,
    /// The encoder before any training.
    Untrained,
    /// The encoder trained to fill in removed branches.
    Learned,
}

impl Embedding {
    /// The folder of its results, with the published names.
    pub fn folder(self) -> &'static str {
        match self {
            Embedding::Random => "reference_random",
            Embedding::Global => "reference_global_minmax",
            Embedding::Average => "reference_average_minmax",
            Embedding::Genome => "reference_genome",
            Embedding::Statistics => "reference_statistics",
            Embedding::Untrained => "reference_untrained",
            Embedding::Learned => "all",
        }
    }
}

/// Vectors of the test trees; `None` for embeddings that are made by jobs.
pub fn simple(embedding: Embedding, data: &Dataset, seed: u64) -> Option<Vec<Vec<f32>>> {
    let each = |make: &(dyn Fn(&TreeItem) -> Vec<f64> + Sync)| -> Vec<Vec<f64>> {
        data.test.par_iter().map(|i| make(&data.items[*i])).collect()
    };
    let raw = match embedding {
        Embedding::Random => {
            let mut rng = player_rng(seed, 0);
            data.test.iter().map(|_| (0..16).map(|_| rng.random::<f64>() - 0.5).collect()).collect()
        }
        Embedding::Global => each(&|item| vec![global(&item.tree)]),
        Embedding::Average => each(&|item| average(&item.tree)),
        Embedding::Genome => each(&|item| item.map.covers().iter().map(|c| f64::from(c.gene())).collect()),
        Embedding::Statistics | Embedding::Untrained | Embedding::Learned => return None,
    };
    Some(narrow(raw))
}

/// Rows in single precision.
pub fn narrow(rows: Vec<Vec<f64>>) -> Vec<Vec<f32>> {
    rows.into_iter().map(|row| row.into_iter().map(|v| v as f32).collect()).collect()
}

/// The best reachable score.
fn global(tree: &PlaythroughTree) -> f64 {
    (0..tree.branches()).map(|b| f64::from(tree.best(b)[0])).fold(f64::MIN, f64::max)
}

/// Per layer the mean over branches of the best reachable score.
fn average(tree: &PlaythroughTree) -> Vec<f64> {
    let share = 1.0 / tree.branches().max(1) as f64;
    (0..tree.layers())
        .map(|layer| (0..tree.branches()).map(|b| f64::from(tree.best(b)[layer])).sum::<f64>() * share)
        .collect()
}

/// Columns with mean 0 and deviation 1.
pub fn standardise(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = rows.len().max(1) as f64;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let mean = rows.iter().map(|r| r[column]).sum::<f64>() / n;
        let deviation = (rows.iter().map(|r| (r[column] - mean).powi(2)).sum::<f64>() / n).sqrt();
        for row in &mut rows {
            row[column] = if deviation > 1e-9 { (row[column] - mean) / deviation } else { 0.0 };
        }
    }
    rows
}
