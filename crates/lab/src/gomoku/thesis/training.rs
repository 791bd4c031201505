//! Resumable training of the thesis networks.

use std::fs;
use std::io;
use std::path::Path;

use gomoku::engine::net::LabelledPosition;
use neural::{Adam, Trainable, load, load_training, save, save_training};

use super::policy::ThesisPolicyNet;
use super::value::ThesisValueNet;
use crate::gomoku::train::write_whole;
use numerics::SplitMix64;

/// Examples per batch.
const BATCH: usize = 16;
/// Batches between checkpoints.
const CHECKPOINT: usize = 200;
/// Learning rates at the beginning and at the end.
const RATES: [f32; 2] = [2e-3, 1e-4];

/// One training step of a network.
pub trait TrainStep: Trainable {
    /// One step; returns the mean loss.
    fn step(&mut self, batch: &[LabelledPosition], adam: &mut Adam) -> f32;
}

/// A policy that learns all moves.
impl TrainStep for ThesisPolicyNet {
    fn step(&mut self, batch: &[LabelledPosition], adam: &mut Adam) -> f32 {
        self.learn(batch, &vec![1.0; batch.len()], adam)
    }
}

/// A policy with flipped gradients on the moves of lost games, which the thesis tried (section 7).
pub struct Flipped(pub ThesisPolicyNet);

impl Trainable for Flipped {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut neural::Param)) {
        self.0.visit(visit);
    }
}

impl TrainStep for Flipped {
    fn step(&mut self, batch: &[LabelledPosition], adam: &mut Adam) -> f32 {
        let signs: Vec<f32> = batch.iter().map(|sample| if sample.outcome[2] > 0.0 { -1.0 } else { 1.0 }).collect();
        self.0.learn(batch, &signs, adam)
    }
}

impl TrainStep for ThesisValueNet {
    fn step(&mut self, batch: &[LabelledPosition], adam: &mut Adam) -> f32 {
        self.learn(batch, adam)
    }
}

/// Trains a network for some epochs, each sample under a random symmetry, and writes its weights to `file`. An existing
/// file is loaded instead; an existing checkpoint resumes.
pub fn train(
    network: &mut dyn TrainStep,
    samples: &[LabelledPosition],
    passes: usize,
    file: &Path,
    seed: u64,
    say: &dyn Fn(&str),
) -> io::Result<()> {
    keep_freed_memory();
    let damaged = |problem: String| io::Error::other(format!("{}: {problem}", file.display()));
    if file.is_file() {
        return load(network, &fs::read(file)?).map_err(damaged);
    }
    let checkpoint = file.with_extension("checkpoint");
    let mut adam = Adam::new(RATES[0]);
    let mut done = 0usize;
    if let Ok(bytes) = fs::read(&checkpoint)
        && let Some((head, rest)) = bytes.split_first_chunk::<8>()
    {
        load_training(network, &mut adam, rest).map_err(damaged)?;
        done = u64::from_le_bytes(*head) as usize;
    }
    let batches = samples.len().div_ceil(BATCH);
    let total = batches * passes;
    let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut recent = 0.0;
    while done < total {
        let (pass, first) = (done / batches, done % batches);
        let mut order: Vec<usize> = (0..samples.len()).collect();
        SplitMix64::new(seed ^ (pass as u64) << 32).shuffle(&mut order);
        for chosen in order.chunks(BATCH).skip(first) {
            let mut rng = SplitMix64::new(seed ^ (done as u64) << 8);
            let batch: Vec<LabelledPosition> = chosen.iter().map(|&at| samples[at].turned(rng.below(8))).collect();
            let part = done as f32 / total as f32;
            adam.learning_rate = RATES[0] * (RATES[1] / RATES[0]).powf(part);
            recent = 0.98 * recent + 0.02 * network.step(&batch, &mut adam);
            done += 1;
            if done.is_multiple_of(CHECKPOINT) {
                let mut bytes = (done as u64).to_le_bytes().to_vec();
                bytes.extend(save_training(network, &adam));
                write_whole(&checkpoint, &bytes)?;
                say(&format!("{name}: {done} of {total} batches, loss about {recent:.3}"));
            }
        }
    }
    write_whole(file, &save(network))?;
    if checkpoint.is_file() {
        fs::remove_file(checkpoint)?;
    }
    Ok(())
}

/// Allocators learn from the first large freed block to keep such blocks instead of returning them to
/// the system; a network allocates the same few again and again.
fn keep_freed_memory() {
    drop(std::hint::black_box(vec![1u8; 31 << 20]));
}

#[cfg(test)]
mod tests {
    use super::super::policy::{LAYERS, ThesisPolicyNet};
    use super::*;

    #[test]
    fn an_interrupted_training_ends_with_the_same_weights() {
        let samples: Vec<LabelledPosition> = (0..40u16)
            .map(|i| LabelledPosition {
                size: 19,
                own: vec![i],
                other: vec![i + 40],
                targets: vec![(i + 80, 1.0)],
                outcome: [1.0, 0.0, 0.0],
            })
            .collect();
        let folder = tempfile::tempdir().expect("a folder");
        let quiet = |_: &str| {};
        let small = super::super::policy::Architecture { channels: &[4, 1], ..LAYERS[0] };
        let whole = folder.path().join("whole.bin");
        train(&mut ThesisPolicyNet::new(&small, 1), &samples, 2, &whole, 7, &quiet).expect("written");
        // the same by hand: one step, a checkpoint, then the command goes on
        let parted = folder.path().join("parted.bin");
        let mut net = ThesisPolicyNet::new(&small, 1);
        let mut adam = Adam::new(RATES[0]);
        let mut order: Vec<usize> = (0..samples.len()).collect();
        SplitMix64::new(7).shuffle(&mut order);
        let mut rng = SplitMix64::new(7);
        let batch: Vec<LabelledPosition> = order[..BATCH].iter().map(|&at| samples[at].turned(rng.below(8))).collect();
        net.step(&batch, &mut adam);
        let mut bytes = 1u64.to_le_bytes().to_vec();
        bytes.extend(save_training(&mut net, &adam));
        std::fs::write(folder.path().join("parted.checkpoint"), bytes).expect("written");
        train(&mut ThesisPolicyNet::new(&small, 99), &samples, 2, &parted, 7, &quiet).expect("written");
        assert_eq!(fs::read(whole).expect("there"), fs::read(parted).expect("there"));
        assert!(!folder.path().join("parted.checkpoint").exists());
    }
}
