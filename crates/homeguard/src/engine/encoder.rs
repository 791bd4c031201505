//! The network of Šindelář 2024 (section 5.5): an encoder of sets of branches and a decoder that predicts the scores
//! of removed branches.

use neural::{Adam, AttBlock, Groups, LinBlock, Linear, Matrix, Param, Trainable, max_pool, max_pool_back};
use rand::seq::SliceRandom;
use rand::seq::index::sample;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::tree::PlaythroughTree;

/// Orders a soldier can get.
const ORDERS: usize = 6;

/// Sizes and schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetSettings {
    /// Channels (published: 128).
    pub channels: usize,
    /// Embedding dimension (64).
    pub embedding: usize,
    /// Heads of attention.
    pub heads: usize,
    /// Branches sampled per tree and step; a quarter of them is removed and filled in.
    pub branches: usize,
    /// Trees per step.
    pub batch: usize,
    /// Passes over the training set.
    pub epochs: usize,
    /// Adam's rate at the start.
    pub learning_rate: f32,
    /// Factor after every half epoch.
    pub decay: f32,
    /// Seed of weights and samples.
    pub seed: u64,
}

/// Two linear blocks in sequence (`DoubleBlock` in the thesis).
struct Double(LinBlock, LinBlock);

impl Double {
    fn new(inputs: usize, middle: usize, outputs: usize, rng: &mut impl Rng) -> Self {
        Double(LinBlock::new(inputs, middle, rng), LinBlock::new(middle, outputs, rng))
    }

    fn forward(&mut self, x: &Matrix, train: bool) -> Matrix {
        let inner = self.0.forward(x, train);
        self.1.forward(&inner, train)
    }

    fn backward(&mut self, dy: &Matrix) -> Matrix {
        let inner = self.1.backward(dy);
        self.0.backward(&inner)
    }
}

/// Encoder and decoder.
pub struct SetAutoencoder {
    settings: NetSettings,
    layers: usize,
    scale: ScoreScale,
    enc_in: Double,
    enc_att1: AttBlock,
    enc_mid: Double,
    enc_att2: AttBlock,
    to_embedding: Linear,
    dec_in: Double,
    dec_att1: AttBlock,
    dec_mid: Double,
    dec_att2: AttBlock,
    to_scores: Linear,
}

impl Trainable for SetAutoencoder {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        for double in [&mut self.enc_in, &mut self.enc_mid, &mut self.dec_in, &mut self.dec_mid] {
            double.0.visit(visit);
            double.1.visit(visit);
        }
        for block in [&mut self.enc_att1, &mut self.enc_att2, &mut self.dec_att1, &mut self.dec_att2] {
            block.visit(visit);
        }
        self.to_embedding.visit(visit);
        self.to_scores.visit(visit);
    }
}

/// First line of an encoder file.
const ENCODER_MAGIC: &[u8] = b"homeguard encoder 1\n";

/// What an encoder file says before its weights.
#[derive(Serialize, Deserialize)]
struct EncoderHead {
    settings: NetSettings,
    layers: usize,
    scale: ScoreScale,
}

/// Mean and deviation of scores and best scores per layer over the training set.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ScoreScale {
    mean: Vec<f32>,
    deviation: Vec<f32>,
}

impl ScoreScale {
    fn of(trees: &[&PlaythroughTree]) -> Self {
        let layers = trees.first().map_or(0, |tree| tree.layers());
        let width = 2 * layers;
        let (mut sum, mut square, mut n) = (vec![0f64; width], vec![0f64; width], 0f64);
        for tree in trees {
            for branch in 0..tree.branches() {
                for (i, v) in tree.scores(branch).iter().chain(tree.best(branch)).enumerate() {
                    sum[i] += f64::from(*v);
                    square[i] += f64::from(*v) * f64::from(*v);
                }
                n += 1.0;
            }
        }
        let mean: Vec<f32> = sum.iter().map(|s| (s / n.max(1.0)) as f32).collect();
        let deviation = square
            .iter()
            .zip(&mean)
            .map(|(s, m)| ((s / n.max(1.0)) as f32 - m * m).max(0.0).sqrt())
            .map(|d| if d < 1e-3 { 0.0 } else { d })
            .collect();
        ScoreScale { mean, deviation }
    }

    /// Scores and best scores of a branch, standardised; columns that never vary are 0 and not in the loss.
    fn row(&self, tree: &PlaythroughTree, branch: usize) -> Vec<f32> {
        let values = tree.scores(branch).iter().chain(tree.best(branch));
        values
            .enumerate()
            .map(
                |(i, v)| if self.deviation[i] > 0.0 { (f32::from(*v) - self.mean[i]) / self.deviation[i] } else { 0.0 },
            )
            .collect()
    }
}

/// Hidden states of the encoder that the decoder attends to.
struct Encoded {
    h1: Matrix,
    h2: Matrix,
    pooled_from: Vec<usize>,
    embedding: Matrix,
}

impl SetAutoencoder {
    /// A fresh network for trees like these.
    pub fn new(settings: NetSettings, trees: &[&PlaythroughTree]) -> Self {
        let layers = trees.first().map_or(0, |tree| tree.layers());
        SetAutoencoder::with_scale(settings, layers, ScoreScale::of(trees))
    }

    fn with_scale(settings: NetSettings, layers: usize, scale: ScoreScale) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        let (c, e, h) = (settings.channels, settings.embedding, settings.heads);
        SetAutoencoder {
            settings,
            layers,
            scale,
            enc_in: Double::new(layers * (ORDERS + 2), 4 * c, c, &mut rng),
            enc_att1: AttBlock::new(c, h, &mut rng),
            enc_mid: Double::new(c, 2 * c, c, &mut rng),
            enc_att2: AttBlock::new(c, h, &mut rng),
            to_embedding: Linear::new(c, e, &mut rng),
            dec_in: Double::new(layers * ORDERS + e, 4 * c, c, &mut rng),
            dec_att1: AttBlock::new(c, h, &mut rng),
            dec_mid: Double::new(c, 2 * c, c, &mut rng),
            dec_att2: AttBlock::new(c, h, &mut rng),
            to_scores: Linear::new(c, 2 * layers, &mut rng),
        }
    }

    fn one_hot(&self, tree: &PlaythroughTree, branch: usize) -> impl Iterator<Item = f32> {
        let actions = tree.actions(branch).to_vec();
        actions.into_iter().flat_map(|a| (0..ORDERS).map(move |o| f32::from(u8::from(usize::from(a) == o))))
    }

    fn encode(&mut self, tokens: &Matrix, trees: usize, train: bool) -> Encoded {
        let each = tokens.rows / trees.max(1);
        let groups = Groups { count: trees, queries: each, keys: each };
        let x = self.enc_in.forward(tokens, train);
        let h1 = self.enc_att1.forward(&x, &x, groups, train);
        let x = self.enc_mid.forward(&h1, train);
        let h2 = self.enc_att2.forward(&x, &x, groups, train);
        let (pooled, pooled_from) = max_pool(&h2, each);
        let embedding = self.to_embedding.forward(&pooled);
        Encoded { h1, h2, pooled_from, embedding }
    }

    /// One step on a batch of trees; returns the mean squared error before it.
    fn learn(&mut self, batch: &[&PlaythroughTree], adam: &mut Adam, rng: &mut ChaCha8Rng) -> f32 {
        let wanted = self.settings.branches;
        let each = batch.iter().map(|t| t.branches()).min().unwrap_or(0).min(wanted);
        let removed = (each / 4).max(1);
        let kept = each - removed;
        let (mut tokens, mut queries, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for tree in batch {
            for (place, branch) in sample(rng, tree.branches(), each).iter().enumerate() {
                if place < kept {
                    tokens.extend(self.one_hot(tree, branch));
                    tokens.extend(self.scale.row(tree, branch));
                } else {
                    queries.push(self.one_hot(tree, branch).collect::<Vec<f32>>());
                    targets.extend(self.scale.row(tree, branch));
                }
            }
        }
        let trees = batch.len();
        let tokens = Matrix::new(trees * kept, self.layers * (ORDERS + 2), tokens);
        let encoded = self.encode(&tokens, trees, true);
        let width = self.layers * ORDERS + self.settings.embedding;
        let mut query_rows = Vec::with_capacity(trees * removed * width);
        for (i, orders) in queries.iter().enumerate() {
            query_rows.extend(orders);
            query_rows.extend(encoded.embedding.row(i / removed));
        }
        let decoder_input = Matrix::new(trees * removed, width, query_rows);
        let groups = Groups { count: trees, queries: removed, keys: kept };
        let x = self.dec_in.forward(&decoder_input, true);
        let x = self.dec_att1.forward(&x, &encoded.h2, groups, true);
        let x = self.dec_mid.forward(&x, true);
        let x = self.dec_att2.forward(&x, &encoded.h1, groups, true);
        let y = self.to_scores.forward(&x);
        let counted = self.scale.deviation.iter().filter(|d| **d > 0.0).count().max(1) * y.rows;
        let mut loss = 0.0;
        let mut dy = Matrix::zeros(y.rows, y.cols);
        for (i, (value, target)) in y.data.iter().zip(&targets).enumerate() {
            if self.scale.deviation[i % y.cols] > 0.0 {
                let error = value - target;
                loss += error * error / counted as f32;
                dy.data[i] = 2.0 * error / counted as f32;
            }
        }
        // backward through the decoder, accumulating the gradients of the encoder's hidden states and of the embedding
        let d = self.to_scores.backward(&dy);
        let (d, mut dh1) = self.dec_att2.backward(&d);
        let d = self.dec_mid.backward(&d);
        let (d, mut dh2) = self.dec_att1.backward(&d);
        let d = self.dec_in.backward(&d);
        let mut dembedding = Matrix::zeros(trees, self.settings.embedding);
        for row in 0..d.rows {
            let tail = &d.row(row)[self.layers * ORDERS..];
            dembedding.row_mut(row / removed).iter_mut().zip(tail).for_each(|(to, from)| *to += from);
        }
        let dpooled = self.to_embedding.backward(&dembedding);
        dh2.add(&max_pool_back(&dpooled, &encoded.pooled_from, encoded.h2.rows));
        let (mut d, keys) = self.enc_att2.backward(&dh2);
        d.add(&keys);
        dh1.add(&self.enc_mid.backward(&d));
        let (mut d, keys) = self.enc_att1.backward(&dh1);
        d.add(&keys);
        self.enc_in.backward(&d);
        adam.step(self);
        loss
    }

    /// Trains on trees; `go_on` receives epoch and mean error and may stop it. Returns the error of the last epoch.
    pub fn train(&mut self, trees: &[&PlaythroughTree], mut go_on: impl FnMut(usize, f32) -> bool) -> f32 {
        let mut training = EncoderTraining::new(&self.settings);
        let mut last = f32::NAN;
        while training.done < self.settings.epochs {
            last = training.epoch(self, trees);
            if !go_on(training.done, last) {
                break;
            }
        }
        last
    }

    /// The encoder as a file that [`SetAutoencoder::from_file`] reads: magic line, settings, score scale, weights.
    pub fn to_file(&mut self) -> Vec<u8> {
        let head = EncoderHead { settings: self.settings, layers: self.layers, scale: self.scale.clone() };
        let mut bytes = ENCODER_MAGIC.to_vec();
        bytes.extend(serde_json::to_vec(&head).unwrap_or_default());
        bytes.push(b'\n');
        bytes.extend(neural::save(self));
        bytes
    }

    /// Reads the output of [`SetAutoencoder::to_file`].
    pub fn from_file(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(ENCODER_MAGIC).ok_or("not an encoder file: its first line is another")?;
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or("the encoder file ends in its settings")?;
        let head: EncoderHead = serde_json::from_slice(&rest[..end]).map_err(|error| error.to_string())?;
        let NetSettings { channels, embedding, heads, branches, .. } = head.settings;
        let sane = (1..=1024).contains(&channels)
            && (1..=1024).contains(&embedding)
            && (1..=64).contains(&heads)
            && channels.is_multiple_of(heads)
            && (1..=64).contains(&head.layers)
            && branches > 0
            && head.scale.mean.len() == 2 * head.layers
            && head.scale.deviation.len() == 2 * head.layers;
        if !sane {
            return Err("the settings of the encoder file are out of range".to_owned());
        }
        let mut net = SetAutoencoder::with_scale(head.settings, head.layers, head.scale);
        neural::load(&mut net, &rest[end + 1..])?;
        Ok(net)
    }

    /// Layers of the trees that the encoder reads.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// The weights as a file.
    pub fn to_bytes(&mut self) -> Vec<u8> {
        neural::save(self)
    }

    /// The embedding of a tree from a fixed sample of its branches.
    pub fn embed(&mut self, tree: &PlaythroughTree) -> Vec<f32> {
        let mut rng = ChaCha8Rng::seed_from_u64(0xE3BED);
        let each = tree.branches().min(self.settings.branches);
        let mut tokens = Vec::new();
        for branch in sample(&mut rng, tree.branches(), each) {
            tokens.extend(self.one_hot(tree, branch));
            tokens.extend(self.scale.row(tree, branch));
        }
        let tokens = Matrix::new(each, self.layers * (ORDERS + 2), tokens);
        self.encode(&tokens, 1, false).embedding.data
    }
}

/// A training that can be interrupted after every epoch.
pub struct EncoderTraining {
    adam: Adam,
    /// Epochs that are finished.
    pub done: usize,
}

impl EncoderTraining {
    /// Before the first epoch.
    pub fn new(settings: &NetSettings) -> Self {
        EncoderTraining { adam: Adam::new(settings.learning_rate), done: 0 }
    }

    /// One pass over the trees in a new order; returns the mean error. Every epoch has a random stream of its own.
    pub fn epoch(&mut self, net: &mut SetAutoencoder, trees: &[&PlaythroughTree]) -> f32 {
        let mut rng = ChaCha8Rng::seed_from_u64(net.settings.seed ^ 0x7EA1);
        rng.set_stream(self.done as u64);
        let mut order: Vec<usize> = (0..trees.len()).collect();
        order.shuffle(&mut rng);
        let batches: Vec<&[usize]> = order.chunks(net.settings.batch.max(1)).collect();
        let mut sum = 0.0;
        for (number, batch) in batches.iter().enumerate() {
            let batch: Vec<&PlaythroughTree> = batch.iter().map(|i| trees[*i]).collect();
            sum += net.learn(&batch, &mut self.adam, &mut rng);
            if number + 1 == batches.len().div_ceil(2) || number + 1 == batches.len() {
                self.adam.learning_rate *= net.settings.decay;
            }
        }
        self.done += 1;
        sum / batches.len().max(1) as f32
    }

    /// The state for resuming.
    pub fn to_bytes(&self, net: &mut SetAutoencoder) -> Vec<u8> {
        let mut bytes = (self.done as u32).to_le_bytes().to_vec();
        bytes.extend(neural::save_training(net, &self.adam));
        bytes
    }

    /// Resumes from [`EncoderTraining::to_bytes`]; the network must have the same shape.
    pub fn resume(net: &mut SetAutoencoder, bytes: &[u8]) -> Result<Self, String> {
        let (head, rest) = bytes.split_first_chunk::<4>().ok_or("the file ends too early")?;
        let mut training = EncoderTraining::new(&net.settings);
        neural::load_training(net, &mut training.adam, rest)?;
        training.done = u32::from_le_bytes(*head) as usize;
        Ok(training)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::preference::plain_map;
    use crate::engine::tree::{TreeMaker, TreeSettings};
    use crate::rules::{Battlefield, Size};

    #[test]
    fn filling_in_is_learned_and_branch_order_does_not_matter() {
        let mut maker = TreeMaker::new();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let settings = TreeSettings::sindelar(2, 40, 0.0);
        let trees: Vec<PlaythroughTree> = (0..12)
            .map(|seed| {
                let board = Battlefield::new(plain_map(Size::new(7).unwrap(), &mut rng));
                maker.make(&board, &settings, seed).unwrap()
            })
            .collect();
        let refs: Vec<&PlaythroughTree> = trees.iter().collect();
        let settings = NetSettings {
            channels: 8,
            embedding: 4,
            heads: 2,
            branches: 24,
            batch: 6,
            epochs: 12,
            learning_rate: 0.01,
            decay: 0.95,
            seed: 5,
        };
        let mut net = SetAutoencoder::new(settings, &refs);
        let mut errors = Vec::new();
        net.train(&refs, |_, error| {
            errors.push(error);
            true
        });
        assert!(errors[11] < errors[0] * 0.8, "{errors:?}");
        assert_eq!(net.embed(&trees[0]).len(), 4);
        assert_ne!(net.embed(&trees[0]), net.embed(&trees[5]));

        // a training that was interrupted after five epochs ends at the same weights
        let mut first = SetAutoencoder::new(settings, &refs);
        let mut training = EncoderTraining::new(&settings);
        for _ in 0..5 {
            training.epoch(&mut first, &refs);
        }
        let bytes = training.to_bytes(&mut first);
        let mut second = SetAutoencoder::new(settings, &refs);
        let mut training = EncoderTraining::resume(&mut second, &bytes).unwrap();
        while training.done < settings.epochs {
            training.epoch(&mut second, &refs);
        }
        assert_eq!(second.embed(&trees[3]), net.embed(&trees[3]));
        assert!(EncoderTraining::resume(&mut second, &bytes[..bytes.len() - 1]).is_err());

        // the file holds all that embedding needs
        let file = net.to_file();
        let mut read = SetAutoencoder::from_file(&file).unwrap();
        assert_eq!(read.embed(&trees[3]), net.embed(&trees[3]));
        assert!(SetAutoencoder::from_file(&file[..file.len() - 1]).is_err());
    }
}
