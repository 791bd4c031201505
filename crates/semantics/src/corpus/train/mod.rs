//! Training of word vectors on a prepared corpus: skip-gram or CBOW, negative sampling or
//! hierarchical softmax, character n-grams (Mikolov et al. 2013; Bojanowski et al. 2017), step for
//! step as in fastText, so that models can be exchanged with it.
//!
//! Threads write to the shared matrices without locks (Niu et al. 2011, "Hogwild!"): a lost update
//! now and then costs less than waiting. With one thread the result is the same on every run.

mod learn;
pub(super) mod maths;
mod state;

use super::CorpusError;
use super::vocabulary::{CorpusVocabulary, CountedWord};
use crate::files::{FastText, FastTextSettings, subword_buckets};
use maths::{SharedMatrix, TrainingRng};
use std::sync::atomic::{AtomicU64, Ordering};

/// Direction of the prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddingAlgorithm {
    /// A word predicts each of its neighbours.
    SkipGram,
    /// The neighbours together predict the word.
    Cbow,
}

/// Loss of a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The right word against so many random ones.
    Negative(usize),
    /// A path of yes and no decisions through a Huffman tree.
    Hierarchical,
}

/// Settings of the training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainSettings {
    /// Numbers in a vector.
    pub dim: usize,
    /// Largest distance of a context word.
    pub window: usize,
    /// Passes over the corpus.
    pub epochs: usize,
    /// Words with fewer occurrences are dropped.
    pub min_count: u64,
    /// Direction of the prediction.
    pub model: EmbeddingAlgorithm,
    /// Loss of a prediction.
    pub loss: Loss,
    /// Buckets of hashed n-grams; 0: none.
    pub buckets: usize,
    /// Shortest and longest n-gram.
    pub ngrams: (usize, usize),
    /// Initial learning rate; it decays linearly to zero.
    pub rate: f32,
    /// Subsampling threshold of frequent words, as a share of the text.
    pub sampling: f64,
    /// Threads that learn at the same time.
    pub threads: usize,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for TrainSettings {
    fn default() -> Self {
        TrainSettings {
            dim: 100,
            window: 5,
            epochs: 5,
            min_count: 5,
            model: EmbeddingAlgorithm::SkipGram,
            loss: Loss::Negative(5),
            buckets: 200_000,
            ngrams: (3, 6),
            rate: 0.05,
            sampling: 1e-4,
            threads: 2,
            seed: 1,
        }
    }
}

/// The end of a line, a word like any other, as in fastText.
const END: &str = "</s>";

/// A model in training. [`EmbeddingTrainer::round`] trains on one part of the corpus; between rounds the
/// state can be saved and resumed.
pub struct EmbeddingTrainer {
    settings: TrainSettings,
    vocabulary: CorpusVocabulary,
    end: Option<u32>,
    /// Rows of the input matrix that make up each word: its own and its n-grams'.
    rows: Vec<Vec<u32>>,
    /// Probability to keep an occurrence of each word.
    keep: Vec<f32>,
    input: SharedMatrix,
    output: SharedMatrix,
    negatives: Vec<u32>,
    paths: Vec<Vec<(u32, bool)>>,
    rounds: u64,
    /// Words read so far, over all epochs.
    read: AtomicU64,
}

impl EmbeddingTrainer {
    /// A fresh model over the vocabulary of a corpus.
    ///
    /// # Errors
    /// If a setting makes no sense or the corpus has no word that is common enough.
    pub fn new(vocabulary: CorpusVocabulary, settings: TrainSettings) -> Result<EmbeddingTrainer, CorpusError> {
        let unfit = |what: &str| Err(CorpusError::Unfit(what.into()));
        let (shortest, longest) = settings.ngrams;
        if vocabulary.words.is_empty() {
            return unfit("no word is common enough; lower the minimum count");
        }
        if !(1..=2000).contains(&settings.dim) || settings.window == 0 || settings.epochs == 0 || settings.threads == 0
        {
            return unfit("vectors need 1 to 2000 numbers; window, epochs and threads at least 1");
        }
        if settings.buckets > 0 && !(1 <= shortest && shortest <= longest && longest <= 30) {
            return unfit("n-grams need 1 ≤ shortest ≤ longest ≤ 30 letters");
        }
        if !(settings.rate > 0.0 && settings.rate.is_finite()) {
            return unfit("the learning rate must be above 0");
        }
        let mut counted = vocabulary.words.clone();
        counted.retain(|w| w.word != END);
        let (sentences, places) = (vocabulary.sentences, vocabulary.places);
        if sentences >= settings.min_count {
            counted.push(CountedWord { word: END.into(), times: sentences, sentences });
        }
        let vocabulary = CorpusVocabulary::new(counted, sentences, places);
        let words = &vocabulary.words;
        let rows: Vec<Vec<u32>> = (0..words.len())
            .map(|i| {
                let grams = if settings.buckets == 0 || words[i].word == END {
                    Vec::new()
                } else {
                    subword_buckets(&words[i].word, shortest, longest, settings.buckets)
                };
                std::iter::once(i as u32).chain(grams.into_iter().map(|b| (words.len() + b) as u32)).collect()
            })
            .collect();
        let total: u64 = words.iter().map(|w| w.times).sum();
        let chance = |w: &CountedWord| {
            let share = w.times as f64 / total as f64;
            if settings.sampling > 0.0 {
                ((settings.sampling / share).sqrt() + settings.sampling / share) as f32
            } else {
                1.0
            }
        };
        let mut random = TrainingRng::new(settings.seed);
        let spread = 1.0 / settings.dim as f32;
        let input =
            SharedMatrix::new(words.len() + settings.buckets, settings.dim, || spread * (2.0 * random.unit() - 1.0));
        Ok(EmbeddingTrainer {
            keep: words.iter().map(chance).collect(),
            output: SharedMatrix::new(words.len(), settings.dim, || 0.0),
            negatives: maths::negative_table(words.iter().map(|w| w.times), &mut random),
            paths: match settings.loss {
                Loss::Hierarchical => maths::huffman(&words.iter().map(|w| w.times).collect::<Vec<_>>()),
                Loss::Negative(_) => Vec::new(),
            },
            end: vocabulary.id(END),
            rows,
            input,
            rounds: 0,
            read: AtomicU64::new(0),
            settings,
            vocabulary,
        })
    }

    /// Words of the vocabulary.
    pub fn vocabulary(&self) -> &CorpusVocabulary {
        &self.vocabulary
    }

    /// The settings.
    pub fn settings(&self) -> &TrainSettings {
        &self.settings
    }

    /// Rounds trained so far.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Words to be read in all, and read so far; safe to ask while a round runs.
    pub fn progress(&self) -> (u64, u64) {
        let all: u64 = self.vocabulary.words.iter().map(|w| w.times).sum();
        (all * self.settings.epochs as u64, self.read.load(Ordering::Relaxed))
    }

    /// Learns from one part of the corpus with all threads; returns the mean loss per prediction.
    pub fn round(&mut self, text: &str) -> f64 {
        let this = &*self;
        let losses: Vec<(f64, u64)> = std::thread::scope(|scope| {
            let handles: Vec<_> = split_lines(text, this.settings.threads)
                .into_iter()
                .enumerate()
                .map(|(t, part)| scope.spawn(move || this.learn(t as u64, part)))
                .collect();
            handles.into_iter().map(|h| h.join().expect("a training thread fails only by a bug")).collect()
        });
        self.rounds += 1;
        let (sum, n) = losses.iter().fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum / n.max(1) as f64
    }

    /// The finished model, as fastText keeps it.
    pub fn finish(self) -> FastText {
        let s = &self.settings;
        let settings = FastTextSettings {
            dim: s.dim as i32,
            window: s.window as i32,
            epochs: s.epochs as i32,
            min_count: s.min_count.min(i32::MAX as u64) as i32,
            negatives: if let Loss::Negative(n) = s.loss { n as i32 } else { 5 },
            word_ngrams: 1,
            loss: if s.loss == Loss::Hierarchical { 1 } else { 2 },
            model: if s.model == EmbeddingAlgorithm::Cbow { 1 } else { 2 },
            buckets: s.buckets as i32,
            shortest: if s.buckets == 0 { 0 } else { s.ngrams.0 as i32 },
            longest: if s.buckets == 0 { 0 } else { s.ngrams.1 as i32 },
            rate_update: 100,
            sampling: s.sampling,
        };
        let words = self.vocabulary.words.into_iter().map(|w| (w.word, w.times as i64)).collect();
        FastText::new(settings, words, self.input.into_inner(), self.output.into_inner())
    }
}

/// Cuts a text at line breaks into so many parts of about the same length.
pub fn split_lines(text: &str, parts: usize) -> Vec<&str> {
    let mut out = Vec::with_capacity(parts);
    let mut rest = text;
    for left in (1..=parts.max(1)).rev() {
        let mut cut = rest.len() / left;
        if left > 1 {
            cut = rest.as_bytes()[cut..].iter().position(|&b| b == b'\n').map_or(rest.len(), |i| cut + i + 1);
        }
        let (part, after) = rest.split_at(cut);
        out.push(part);
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A word of one of two topics; the letters say nothing of the topic.
    fn word(topic: usize, i: usize) -> String {
        let mut n = (topic + 2 * i + 1) as u64;
        let mut letter = || {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (b'a' + (n >> 33) as u8 % 26) as char
        };
        (0..6).map(|_| letter()).collect()
    }

    /// Sentences of two topics that never mix.
    fn text() -> String {
        let mut random = TrainingRng::new(7);
        let mut line = |i: usize| (0..7).map(|_| word(i % 2, random.below(15))).collect::<Vec<_>>().join(" ") + "\n";
        (0..800).map(&mut line).collect()
    }

    fn vocabulary(text: &str) -> CorpusVocabulary {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        std::fs::write(&path, text).unwrap();
        CorpusVocabulary::of_file(&path, 1, 1 << 20).unwrap()
    }

    fn small(model: EmbeddingAlgorithm, loss: Loss) -> TrainSettings {
        TrainSettings {
            dim: 12,
            epochs: 8,
            min_count: 1,
            buckets: 500,
            sampling: 0.0,
            threads: 1,
            rate: 0.1,
            model,
            loss,
            ..TrainSettings::default()
        }
    }

    #[test]
    fn topics_come_apart() {
        let text = text();
        for model in [EmbeddingAlgorithm::SkipGram, EmbeddingAlgorithm::Cbow] {
            for loss in [Loss::Negative(3), Loss::Hierarchical] {
                let mut trainer = EmbeddingTrainer::new(vocabulary(&text), small(model, loss)).unwrap();
                let losses: Vec<f64> = (0..8).map(|_| trainer.round(&text)).collect();
                assert!(losses[7] < losses[0], "the loss must fall: {losses:?}");
                assert_eq!(trainer.progress().0, trainer.progress().1);
                let v = trainer.finish().into_vectors();
                let mean = |topic: usize| -> f32 {
                    let pair = |i: usize| v.similarity(&word(0, i), &word(topic, i + 5)).unwrap();
                    (0..10).map(pair).sum::<f32>() / 10.0
                };
                let (near, far) = (mean(0), mean(1));
                assert!(near > far + 0.1, "{model:?} {loss:?}: {near} {far}");
                assert!(v.vector("sunbeach").is_some(), "unknown words have vectors from their n-grams");
            }
        }
    }

    #[test]
    fn a_saved_training_goes_on_where_it_stopped() {
        let text = text();
        let make = || {
            EmbeddingTrainer::new(vocabulary(&text), small(EmbeddingAlgorithm::SkipGram, Loss::Negative(3))).unwrap()
        };
        let mut whole = make();
        for _ in 0..4 {
            whole.round(&text);
        }
        let mut first = make();
        for _ in 0..2 {
            first.round(&text);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        first.save(&path).unwrap();
        let mut second = make();
        second.resume(&path).unwrap();
        for _ in 0..2 {
            second.round(&text);
        }
        assert_eq!(whole.finish().write(), second.finish().write(), "one thread: the same to the last bit");
        let mut other = EmbeddingTrainer::new(
            vocabulary(&text),
            TrainSettings { dim: 13, ..small(EmbeddingAlgorithm::SkipGram, Loss::Negative(3)) },
        )
        .unwrap();
        assert!(other.resume(&path).unwrap_err().to_string().contains("other settings"));
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let refuse =
            |s: TrainSettings| EmbeddingTrainer::new(vocabulary("a b\n"), s).err().expect("refused").to_string();
        let good = small(EmbeddingAlgorithm::Cbow, Loss::Hierarchical);
        assert!(refuse(TrainSettings { dim: 0, ..good.clone() }).contains("1 to 2000"));
        assert!(refuse(TrainSettings { ngrams: (5, 3), ..good.clone() }).contains("shortest"));
        assert!(refuse(TrainSettings { rate: f32::NAN, ..good }).contains("rate"));
        assert!(EmbeddingTrainer::new(CorpusVocabulary::default(), TrainSettings::default()).is_err());
    }

    proptest! {
        #[test]
        fn parts_make_up_the_text(text in "[ab\nž]{0,60}", parts in 1usize..6) {
            let cut = split_lines(&text, parts);
            prop_assert_eq!(&cut.concat(), &text);
            // every part but the last that holds anything ends with a line
            let full: Vec<&str> = cut.iter().copied().filter(|p| !p.is_empty()).collect();
            prop_assert!(full.iter().rev().skip(1).all(|p| p.ends_with('\n')));
        }
    }
}
