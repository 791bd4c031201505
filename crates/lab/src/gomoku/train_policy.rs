//! Training of the policy network on recorded games; resumes even within an epoch.

use std::fs;
use std::io;
use std::path::Path;

use gomoku::engine::net::{Net, PolicyTrainer, TrainingExample};

use super::train::{TrainPlan, write_whole};
use super::train_net;
use numerics::SplitMix64;

/// Examples between two checkpoints, at one learning rate.
const STAGE: usize = 100_000;
/// Examples of half a batch.
const HALF_BATCH: usize = 32;
/// Learning rates at the beginning and at the end.
const RATE: f32 = 0.002;
const LAST_RATE: f32 = 0.000_04;
/// Initial learning rate of a network that continues: a lower rate preserves what it has learned.
const RATE_GOING_ON: f32 = 0.001;

/// Cosine-annealed learning rate after a share of all examples.
fn rate(first: f32, share: f32) -> f32 {
    let wave = (1.0 + (std::f32::consts::PI * share).cos()) / 2.0;
    LAST_RATE + (first - LAST_RATE) * wave
}

/// Trains the policy network of a net, or a new one over its embeddings. The first `recent` examples come in every
/// epoch; the others are spread over all epochs, so that each comes once.
pub(super) fn fit(
    plan: &TrainPlan,
    generation: usize,
    folder: &Path,
    net: &Net,
    examples: &[TrainingExample],
    recent: usize,
    say: &mut dyn FnMut(&str),
) -> io::Result<PolicyTrainer> {
    let path = folder.join("policy_net.checkpoint");
    let (mut trainer, done) = match fs::read(&path)
        .or_else(|_| fs::read(folder.join("reader.checkpoint")))
        .ok()
        .and_then(|bytes| from_checkpoint(&bytes))
    {
        Some(found) => found,
        None => (PolicyTrainer::from_net(net, plan.seed), 0),
    };
    let first = if net.policy_net().is_some() { RATE_GOING_ON } else { RATE };
    let earlier = examples.len() - recent;
    let total = plan.policy_epochs * recent + earlier;
    let mut seen = 0;
    for order in passes(recent, earlier, plan.policy_epochs, plan.seed ^ (generation * 100) as u64) {
        for stage in order.chunks(STAGE) {
            seen += stage.len();
            if seen <= done {
                continue;
            }
            let begun = seen - stage.len();
            trainer.rate = rate(first, begun as f32 / total as f32);
            let means = train_net::pass(&mut trainer, examples, stage, HALF_BATCH, &mut |_, _| {});
            let mut bytes = (seen as u64).to_le_bytes().to_vec();
            bytes.extend(trainer.to_bytes());
            write_whole(&path, &bytes)?;
            say(&format!("policy_net: {seen} of {total} positions, policy {:.4}", means.policy));
        }
    }
    Ok(trainer)
}

/// The order of examples per epoch with their symmetries: recent examples in every epoch, earlier ones spread so that
/// each comes once in all epochs.
fn passes(recent: usize, earlier: usize, count: usize, seed: u64) -> impl Iterator<Item = Vec<(usize, usize)>> {
    let rest = train_net::shuffled(earlier, &mut SplitMix64::new(!seed));
    (0..count).map(move |pass| {
        let mut rng = SplitMix64::new(seed ^ pass as u64);
        let mut order = train_net::shuffled(recent, &mut rng);
        let share = &rest[pass * earlier / count..(pass + 1) * earlier / count];
        order.extend(share.iter().map(|&(example, symmetry)| (recent + example, symmetry)));
        rng.shuffle(&mut order);
        order
    })
}

fn from_checkpoint(bytes: &[u8]) -> Option<(PolicyTrainer, usize)> {
    let (done, weights) = bytes.split_first_chunk::<8>()?;
    Some((PolicyTrainer::from_bytes(weights)?, u64::from_le_bytes(*done) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_lessons_come_in_every_pass_and_earlier_ones_once_in_all() {
        let mut met = [0; 17];
        for order in passes(10, 7, 3, 5) {
            assert!((12..=13).contains(&order.len()), "earlier examples are not spread: {order:?}");
            assert!(order.iter().all(|&(_, symmetry)| symmetry < 8));
            order.iter().for_each(|&(example, _)| met[example] += 1);
        }
        assert_eq!(met[..10], [3; 10]);
        assert_eq!(met[10..], [1; 7]);
        assert_eq!(passes(10, 0, 2, 5).map(|order| order.len()).collect::<Vec<_>>(), [10, 10]);
    }
}
