//! One run of the lab: data, embeddings, all experiments, figures, tables, results.

use std::path::{Path, PathBuf};

use homeguard::engine::encoder::NetSettings;
use homeguard::engine::tree::TreeSettings;
use homeguard::formats::{MapRecord, MapRecordFile};
use homeguard::rules::Size;
use serde_json::{Value, json};

use super::config::ExperimentConfig;
use super::dataset::Dataset;
use super::demo;
use super::embeddings::{Embedding, narrow, simple, standardise};
use super::encode_work::encoded;
use super::experiment::{LabelScheme, Neighbours, labels, random_vectors, run as experiment};
use super::measure_work::statistics;
use super::report::write_curve;
use super::trees::{TreeSpec, TreesError, write_atomically};
use crate::job_submitter::JobSubmitter;
use numerics::Interval;

/// Sizes of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct LabPlan {
    /// Trees.
    pub order: TreeSpec,
    /// Test trees at most.
    pub max_test: usize,
    /// Training sets.
    pub sets: usize,
    /// The network.
    pub net: NetSettings,
    /// Known bad, percent bad, draws.
    pub config: ExperimentConfig,
    /// Training sets that are used, by number; the others are left out.
    pub splits: std::ops::Range<usize>,
    /// Whether experiments are also made with the encoder before training.
    pub also_before: bool,
    /// Use the printed formula: recall times the share removed.
    pub literal: bool,
    /// Tree files to use instead of growing trees: maps, actions, scores, best scores.
    pub files: Option<[PathBuf; 4]>,
    /// Where the results go.
    pub out: PathBuf,
}

impl LabPlan {
    /// A run of a few minutes: 60 layouts × 5 trees, five training sets, a small network.
    pub fn quick(out: &Path, seed: u64) -> Self {
        LabPlan {
            order: order(60, 5, 200, seed),
            max_test: 150,
            sets: 5,
            net: NetSettings {
                channels: 32,
                embedding: 32,
                heads: 4,
                branches: 48,
                batch: 10,
                epochs: 12,
                learning_rate: 0.005,
                decay: 0.95,
                seed,
            },
            config: ExperimentConfig {
                eliminator_known: vec![10, 20],
                eliminator_iters: 10,
                perc_bad: vec![15.0, 25.0, 40.0],
                ..ExperimentConfig::default()
            },
            splits: 0..usize::MAX,
            also_before: true,
            literal: false,
            files: None,
            out: out.to_owned(),
        }
    }

    /// A run of about ten minutes: the published 20 sets, 40 and 80 known and 100 draws, on a fifth of the
    /// layouts with half its channels.
    pub fn medium(out: &Path, seed: u64) -> Self {
        let full = LabPlan::full(out, seed);
        LabPlan {
            order: order(400, 10, 300, seed),
            max_test: 600,
            net: NetSettings { channels: 64, batch: 32, ..full.net },
            ..full
        }
    }

    /// The published sizes: 2,000 layouts × 10 trees, 2,000 test trees, 20 training sets of 900, 128 channels; 64 branches
    /// are sampled from a tree per step, so that a training takes minutes.
    pub fn full(out: &Path, seed: u64) -> Self {
        LabPlan {
            order: order(2_000, 10, 500, seed),
            max_test: 2_000,
            sets: 20,
            net: NetSettings {
                channels: 128,
                embedding: 64,
                heads: 4,
                branches: 64,
                batch: 64,
                epochs: 10,
                learning_rate: 0.005,
                decay: 0.95,
                seed,
            },
            config: ExperimentConfig {
                eliminator_known: vec![40, 80],
                eliminator_iters: 100,
                perc_bad: vec![15.0, 25.0, 40.0],
                ..ExperimentConfig::default()
            },
            splits: 0..usize::MAX,
            also_before: true,
            literal: false,
            files: None,
            out: out.to_owned(),
        }
    }
}

fn order(maps: usize, trees_per_map: usize, branches: i64, seed: u64) -> TreeSpec {
    let settings = TreeSettings::sindelar(4, branches, 0.0);
    TreeSpec { maps, trees_per_map, size: Size::DEFAULT, settings, seed }
}

/// Runs everything that is not done yet; returns what is in `results.json`.
pub fn run(plan: &LabPlan, submitter: JobSubmitter<'_>, say: &dyn Fn(String)) -> Result<Value, TreesError> {
    let folder = &plan.out;
    std::fs::create_dir_all(folder).map_err(|error| TreesError::File { path: folder.clone(), error })?;
    let results_path = folder.join("results.json");
    let mut results = stored_results(plan, &results_path);
    let (found, picture) = demo::run(plan.order.seed);
    write_atomically(&folder.join("elimination_demo.svg"), picture.as_bytes())?;
    results["demo"] = found.iter().map(|r| json!({ "algorithm": r.name, "found": r.found })).collect();
    let data = load_data(plan, submitter, say)?;
    let random: Vec<Neighbours> = (0..data.training.len())
        .map(|set| Neighbours::of(&random_vectors(data.test.len(), plan.order.seed, set)))
        .collect();
    let all = [
        Embedding::Global,
        Embedding::Average,
        Embedding::Genome,
        Embedding::Statistics,
        Embedding::Untrained,
        Embedding::Learned,
    ];
    for embedding in all {
        let folder_name = embedding.folder();
        let done = results["experiments"].as_array().is_some_and(|l| l.iter().any(|e| e["embedding"] == folder_name));
        if done || (embedding == Embedding::Untrained && !plan.also_before) {
            continue;
        }
        say(format!("embedding {folder_name}"));
        let vectors: Vec<Vec<Vec<f32>>> = match simple(embedding, &data, plan.order.seed) {
            Some(vectors) => vec![vectors],
            // statistics have different units; the published embeddings stay as they are
            None if embedding == Embedding::Statistics => {
                vec![narrow(standardise(statistics(submitter, &plan.out, &data)?))]
            }
            None => encoded(submitter, plan, &data, embedding == Embedding::Learned, say)?,
        };
        if embedding == Embedding::Learned {
            write_maps(plan, &data, &vectors[0])?;
        }
        let units: Vec<Neighbours> = vectors.iter().map(|v| Neighbours::of(v)).collect();
        let entries = experiments(plan, &data, embedding, &units, &random)?;
        if let Some(list) = results["experiments"].as_array_mut() {
            list.extend(entries);
        }
        write_atomically(&results_path, serde_json::to_string_pretty(&results).unwrap_or_default().as_bytes())?;
    }
    write_atomically(&results_path, serde_json::to_string_pretty(&results).unwrap_or_default().as_bytes())?;
    write_atomically(&folder.join("summary.txt"), summary(&results).as_bytes())?;
    Ok(results)
}

/// The stored results of the same plan, or empty ones.
fn stored_results(plan: &LabPlan, path: &Path) -> Value {
    let title = format!(
        "{:?} {} {} {:?} {:?} {:?} {:?} {}",
        plan.order, plan.max_test, plan.sets, plan.net, plan.config, plan.files, plan.splits, plan.literal
    );
    std::fs::read_to_string(path)
        .ok()
        .and_then(|text| serde_json::from_str::<Value>(&text).ok())
        .filter(|value| value["plan"] == title.as_str())
        .unwrap_or_else(|| json!({ "plan": title, "experiments": [] }))
}

/// The trees of the plan, read or grown, with only its training sets.
fn load_data(plan: &LabPlan, submitter: JobSubmitter<'_>, say: &dyn Fn(String)) -> Result<Dataset, TreesError> {
    let mut data = match &plan.files {
        Some([maps, actions, scores, best]) => {
            Dataset::read([maps, actions, scores, best], plan.max_test, plan.sets, plan.order.seed).map_err(
                |error| TreesError::File { path: error.path.clone(), error: std::io::Error::other(error.problem) },
            )?
        }
        None => {
            say(format!("growing {} trees", plan.order.trees()));
            Dataset::grow(&plan.order, plan.max_test, plan.sets, submitter)?
        }
    };
    let from = plan.splits.start.min(data.training.len().saturating_sub(1));
    let until = plan.splits.end.clamp(from + 1, data.training.len());
    data.training = data.training.drain(from..until).collect();
    say(format!(
        "{} test trees, {} training sets of about {}",
        data.test.len(),
        data.training.len(),
        data.training[0].len()
    ));
    Ok(data)
}

/// All experiments on one embedding: writes the curves and returns the entries of `results.json`.
fn experiments(
    plan: &LabPlan,
    data: &Dataset,
    embedding: Embedding,
    units: &[Neighbours],
    random: &[Neighbours],
) -> Result<Vec<Value>, TreesError> {
    let folder_name = embedding.folder();
    let place = plan.out.join(folder_name);
    let mut entries = Vec::new();
    for kind in LabelScheme::ALL {
        for &percent in &plan.config.perc_bad {
            let bad = labels(data, kind, percent, plan.order.seed);
            for &known in &plan.config.eliminator_known {
                let draws = plan.config.eliminator_iters;
                let curves = experiment(units, random, &bad, known, draws, plan.order.seed ^ known as u64);
                let curves = if plan.literal { curves.literal() } else { curves };
                let name = format!("{percent}_{known}_{}_perc_bad", kind.name());
                let about = format!("{folder_name}, {}: {percent} % bad, {known} known", kind.name());
                write_curve(&place, &name, &about, "extra share of bad trees found", &curves.gain)?;
                write_curve(&place, &format!("{name}_value"), &about, "share of bad trees found", &curves.value)?;
                let point = |i: &Interval| json!([i.mean, i.low(), i.high()]);
                entries.push(json!({
                    "embedding": folder_name, "type": kind.name(), "percent": percent, "known": known,
                    "bad": curves.bad, "known_used": curves.known,
                    "gain_at": { "10": point(&curves.gain[9]), "25": point(&curves.gain[24]), "50": point(&curves.gain[49]) },
                    "mean_gain": point(&curves.area),
                    "above_random": curves.gain.iter().filter(|i| i.low() > 0.0).count(),
                }));
            }
        }
    }
    Ok(entries)
}

/// `maps.txt` with embeddings of the test maps and `embeds_bad.txt` with the bad ones.
fn write_maps(plan: &LabPlan, data: &Dataset, vectors: &[Vec<f32>]) -> Result<(), TreesError> {
    let records: Vec<MapRecord> = data
        .test_items()
        .zip(vectors)
        .map(|(item, vector)| MapRecord {
            map: item.map.clone(),
            embeddings: vec![vector.iter().map(|v| f64::from(*v)).collect()],
            class: item.class as i64,
        })
        .collect();
    let bad = labels(data, LabelScheme::Basic, plan.config.perc_bad.first().copied().unwrap_or(15.0), plan.order.seed);
    let worst: Vec<MapRecord> = records
        .iter()
        .zip(&bad)
        .filter(|(_, bad)| **bad)
        .map(|(record, _)| MapRecord { class: -1, ..record.clone() })
        .collect();
    let write = |name: &str, header: &str, records| {
        let file = MapRecordFile { header: header.to_owned(), records };
        write_atomically(&plan.out.join(name), file.to_text().as_bytes())
    };
    write("maps.txt", "test maps with the embedding of the first training set\n", records)?;
    write("embeds_bad.txt", "bad maps by the five measures, class is the rating\n", worst)
}

/// The results as a table.
fn summary(results: &Value) -> String {
    let mut text = String::from("embedding type percent known mean_gain low high points_above_random_of_99\n");
    for e in results["experiments"].as_array().into_iter().flatten() {
        let number = |v: &Value| v.as_f64().unwrap_or(f64::NAN);
        text += &format!(
            "{} {} {} {} {:+.4} {:+.4} {:+.4} {}\n",
            e["embedding"].as_str().unwrap_or(""),
            e["type"].as_str().unwrap_or(""),
            e["percent"],
            e["known"],
            number(&e["mean_gain"][0]),
            number(&e["mean_gain"][1]),
            number(&e["mean_gain"][2]),
            e["above_random"]
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_submitter::{Programs, registry};
    use jobs::LocalQueue;

    fn tiny(out: &Path) -> LabPlan {
        let small = LabPlan::quick(out, 2);
        LabPlan {
            order: TreeSpec {
                maps: 8,
                trees_per_map: 3,
                size: Size::new(7).unwrap(),
                settings: TreeSettings::sindelar(1, 12, 0.0),
                seed: 2,
            },
            max_test: 9,
            sets: 2,
            net: NetSettings { channels: 8, embedding: 4, heads: 2, branches: 8, epochs: 2, ..small.net },
            config: ExperimentConfig {
                eliminator_known: vec![2],
                eliminator_iters: 2,
                perc_bad: vec![25.0],
                ..small.config.clone()
            },
            ..small
        }
    }

    #[test]
    fn the_lab_does_not_depend_on_threads_and_trained_encoders_are_used_again() {
        let folder = tempfile::tempdir().unwrap();
        let go = |name: &str, threads: usize| {
            let out = folder.path().join(name);
            let queue = LocalQueue::new(registry(Programs::Refused), threads);
            let said = std::cell::RefCell::new(Vec::new());
            let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
            let results = run(&tiny(&out), submitter, &|line| said.borrow_mut().push(line)).unwrap();
            assert_eq!(results["experiments"].as_array().map(Vec::len), Some(6 * LabelScheme::ALL.len()));
            assert!(!out.join("scratch").exists() && !out.join("test_maps.txt").exists());
            let read = |name: &str| std::fs::read(out.join(name)).unwrap();
            let trained = said.borrow().iter().filter(|line| line.starts_with("training set")).count();
            ([read("results.json"), read("maps.txt"), read("summary.txt")], trained)
        };
        let (alone, trained) = go("alone", 1);
        assert_eq!(trained, 2);
        assert!(go("two", 2).0 == alone);
        // without its results, but with the weights of its encoders
        std::fs::remove_file(folder.path().join("two/results.json")).unwrap();
        assert!(go("two", 2) == (alone, 0));
    }
}
