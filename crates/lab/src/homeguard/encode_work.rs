//! Encoder training as work for the queue: one training set per job.
//!
//! A training adds up floating-point numbers with the widest instructions of the processor, so the same bytes come from
//! machines of the same kind only.

use std::path::{Path, PathBuf};

use homeguard::engine::encoder::{NetSettings, SetAutoencoder};
use homeguard::engine::tree::PlaythroughTree;
use jobs::{Batch, Flow, Task, Work, WorkError};
use serde::{Deserialize, Serialize};

use super::dataset::Dataset;
use super::run::LabPlan;
use super::tree_bytes;
use super::trees::{TreesError, write_atomically};
use crate::job_submitter::{JobSubmitter, SubmitError, answer, file, params, read};

/// Where the weights of an encoder come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Weights {
    /// Random.
    Fresh,
    /// Trained from random weights, or from the job's third file.
    Trained { from_file: bool },
    /// The job's third file.
    Stored,
}

/// An encoder. The files are the trees of the training set, then those to embed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Encode {
    net: NetSettings,
    weights: Weights,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Encoded {
    vectors: Vec<Vec<f32>>,
    /// The error of the last epoch, and the weights.
    trained: Option<(f32, Vec<u8>)>,
}

/// Trains an encoder and embeds trees with it.
pub struct EncodeWork;

impl Work for EncodeWork {
    fn kind(&self) -> &'static str {
        "homeguard.encode"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let request: Encode = params(task.params)?;
        let refused = |path: &Path, problem: String| WorkError::Refused(format!("{}: {problem}", path.display()));
        let trees = |place: usize| -> Result<Vec<PlaythroughTree>, WorkError> {
            let path = file(task, place)?;
            tree_bytes::read_all(&read(path)?).map_err(|problem| refused(path, problem))
        };
        let (training, test) = (trees(0)?, trees(1)?);
        let training: Vec<&PlaythroughTree> = training.iter().collect();
        let mut net = SetAutoencoder::new(request.net, &training);
        if matches!(request.weights, Weights::Stored | Weights::Trained { from_file: true }) {
            let path = file(task, 2)?;
            neural::load(&mut net, &read(path)?).map_err(|problem| refused(path, problem))?;
        }
        let mut trained = None;
        if let Weights::Trained { .. } = request.weights {
            let error = net.train(&training, |epoch, _| {
                task.control.progress(epoch as u64, request.net.epochs as u64);
                !task.control.is_cancelled()
            });
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            trained = Some((error, net.to_bytes()));
        }
        let vectors = test.iter().map(|tree| net.embed(tree)).collect();
        Ok(answer(&Encoded { vectors, trained }))
    }
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> TreesError + '_ {
    move |error| TreesError::File { path: path.to_owned(), error }
}

/// Writes trees where jobs read them.
fn put(path: &Path, data: &Dataset, trees: &[usize]) -> Result<(), TreesError> {
    let mut bytes = Vec::new();
    trees.iter().for_each(|&tree| tree_bytes::write(&data.items[tree].tree, &mut bytes));
    write_atomically(path, &bytes)
}

/// Embeddings of the test trees by one encoder per training set; trained ones are kept and used again.
pub(super) fn encoded(
    submitter: JobSubmitter<'_>,
    plan: &LabPlan,
    data: &Dataset,
    trained: bool,
    say: &dyn Fn(String),
) -> Result<Vec<Vec<Vec<f32>>>, TreesError> {
    let (models, scratch) = (plan.out.join("models"), plan.out.join("scratch"));
    for folder in [&models, &scratch] {
        std::fs::create_dir_all(folder).map_err(at(folder))?;
    }
    let what = if trained { "training" } else { "drawing" };
    let mut batch = Batch::new(format!("homeguard: {what} {} encoders", data.training.len()));
    let known = |batch: &mut Batch, path: &Path| batch.file(path).map_err(at(path));
    let test = scratch.join("test.trees");
    put(&test, data, &data.test)?;
    let test = known(&mut batch, &test)?;
    // Where the weights of a set are kept: nowhere if the experiment has no name.
    let kept = |set: usize| -> Option<PathBuf> {
        let name = &plan.config.experiment_name;
        (trained && !name.is_empty()).then(|| models.join(format!("{name}_{}.bin", plan.splits.start + set)))
    };
    for (set, indices) in data.training.iter().enumerate() {
        let net = NetSettings { seed: plan.net.seed.wrapping_add(set as u64), ..plan.net };
        let path = scratch.join(format!("set_{set}.trees"));
        put(&path, data, indices)?;
        let mut files = vec![known(&mut batch, &path)?, test];
        let stored = kept(set).filter(|path| fits(path, net, data, indices));
        let weights = match (trained, stored, plan.config.resume_ckpt.as_str()) {
            (false, _, _) => Weights::Fresh,
            (true, Some(path), _) => {
                files.push(known(&mut batch, &path)?);
                Weights::Stored
            }
            (true, None, "") => Weights::Trained { from_file: false },
            (true, None, checkpoint) => {
                files.push(known(&mut batch, Path::new(checkpoint))?);
                Weights::Trained { from_file: true }
            }
        };
        batch.jobs.push(submitter.job(&EncodeWork, &Encode { net, weights }, set as u64..set as u64 + 1, files));
    }
    let begun = std::time::Instant::now();
    let (mut all, mut failure) = (Vec::new(), None);
    submitter.values(&batch, &mut |set: usize, encoded: Encoded| {
        if let Some((error, bytes)) = &encoded.trained {
            let seconds = begun.elapsed().as_secs_f64();
            let number = plan.splits.start + set + 1;
            say(format!("training set {number}: error {error:.3} of variance 1, {seconds:.0} s after the start"));
            if let Some(Err(error)) = kept(set).map(|path| write_atomically(&path, bytes)) {
                failure = Some(error);
                return Flow::Stop;
            }
        }
        all.push(encoded.vectors);
        Flow::Continue
    })?;
    failure.map_or(Ok(()), Err)?;
    if all.iter().any(|vectors| vectors.len() != data.test.len()) {
        return Err(SubmitError::Answer("an encoder did not embed all test trees".to_owned()).into());
    }
    std::fs::remove_dir_all(&scratch).map_err(at(&scratch))?;
    Ok(all)
}

/// Whether a file holds weights of such a network.
fn fits(path: &Path, net: NetSettings, data: &Dataset, indices: &[usize]) -> bool {
    let Ok(bytes) = std::fs::read(path) else { return false };
    let trees: Vec<&PlaythroughTree> = indices.iter().map(|i| &data.items[*i].tree).collect();
    neural::load(&mut SetAutoencoder::new(net, &trees), &bytes).is_ok()
}
