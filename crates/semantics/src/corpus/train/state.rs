//! Saving and resuming a training between rounds.

use super::EmbeddingTrainer;
use crate::corpus::CorpusError;
use crate::pack::{Pack, PackPart, write_parts};
use crate::words::stable_fingerprint;
use std::path::Path;
use std::sync::atomic::Ordering;

impl EmbeddingTrainer {
    /// A number that differs when vocabulary or settings differ; the number of threads may change.
    fn fingerprint(&self) -> u64 {
        let settings = super::TrainSettings { threads: 0, ..self.settings.clone() };
        let words = self.vocabulary.words.iter().map(|w| w.word.as_str());
        stable_fingerprint(words.chain([format!("{settings:?}").as_str()]))
    }

    /// Writes the state of the training.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&mut self, path: &Path) -> Result<(), CorpusError> {
        let numbers = [self.fingerprint(), self.rounds, self.read.load(Ordering::Relaxed)];
        let (input, output) = (self.input.all(), self.output.all());
        let parts = [
            ("train.input", PackPart::Bytes(bytemuck::cast_slice(input))),
            ("train.numbers", PackPart::Bytes(bytemuck::cast_slice(&numbers))),
            ("train.output", PackPart::Bytes(bytemuck::cast_slice(output))),
        ];
        Ok(write_parts(path, &parts)?)
    }

    /// Resumes a saved state; vocabulary and settings must be the same.
    ///
    /// # Errors
    /// If the state is damaged or belongs to another training.
    pub fn resume(&mut self, path: &Path) -> Result<(), CorpusError> {
        let pack = Pack::open(path)?;
        let numbers = pack.slice::<u64>("train.numbers")?;
        let (input, output) = (pack.slice::<f32>("train.input")?, pack.slice::<f32>("train.output")?);
        let &[fingerprint, rounds, read] = numbers else {
            return Err(pack.damaged("it says no place in the corpus".into()).into());
        };
        let (own_input, own_output) = (self.input.all().len(), self.output.all().len());
        if fingerprint != self.fingerprint() || input.len() != own_input || output.len() != own_output {
            return Err(pack.damaged("a training of another corpus or with other settings".into()).into());
        }
        self.input.all().copy_from_slice(input);
        self.output.all().copy_from_slice(output);
        (self.rounds, *self.read.get_mut()) = (rounds, read);
        Ok(())
    }
}
