//! Sentence encoders: from a text to a unit vector whose cosines measure similarity of meaning.
//!
//! [`TextEncoder`] is the interface; [`SentenceEncoder`] is the shipped one, all-MiniLM-L6 (Wang et al. 2020; Reimers &
//! Gurevych 2019) in ONNX format with int8 weights. [`LazyEncoder`] opens it on first use, so that a program that needs no
//! encoder does not pay for it.

mod unicode;
mod wordpiece;
mod words;

pub use wordpiece::WordPiece;
pub use words::EncodedWords;

use crate::vectors::normalise;
use neural::onnx::{OnnxError, OnnxInput, OnnxModel};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Folder of the shipped encoder below the data folder.
pub const FOLDER: &str = "encoders/minilm-l6";
/// Longest input in tokens, the two markers included; the rest of a text is cut off.
const MAX_TOKENS: usize = 128;

/// Why an encoder cannot be opened or a text not be encoded.
#[derive(Debug, thiserror::Error)]
pub enum EncoderError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{}: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(transparent)]
    Network(#[from] OnnxError),
    /// The caller stopped a batch.
    #[error("stopped")]
    Cancelled,
}

/// Turns texts into unit vectors.
pub trait TextEncoder: Send + Sync {
    /// Dimensions of a vector.
    fn dim(&self) -> usize;

    /// The unit vector of a text.
    ///
    /// # Errors
    /// If the network cannot be run.
    fn encode(&self, text: &str) -> Result<Vec<f32>, EncoderError>;

    /// The vectors of several texts, in order and in parallel. Stops with [`EncoderError::Cancelled`] soon after
    /// `cancelled` returns true.
    ///
    /// # Errors
    /// If the network cannot be run, or the caller stops.
    fn encode_batch(
        &self,
        texts: &[&str],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Vec<f32>>, EncoderError> {
        let encode = |text: &&str| if cancelled() { Err(EncoderError::Cancelled) } else { self.encode(text) };
        texts.par_iter().map(encode).collect()
    }
}

/// A BERT encoder with mean pooling.
pub struct SentenceEncoder {
    tokenizer: WordPiece,
    model: OnnxModel,
    dim: usize,
}

impl SentenceEncoder {
    /// Opens a folder with `model.onnx` and `vocab.txt`.
    ///
    /// # Errors
    /// If a file is missing or damaged, or the network is no encoder.
    pub fn open(folder: &Path) -> Result<SentenceEncoder, EncoderError> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|source| EncoderError::Io { path, source })
        };
        let vocabulary = String::from_utf8(read("vocab.txt")?);
        let damaged = |what: &str| EncoderError::Damaged { path: folder.join("vocab.txt"), what: what.to_owned() };
        let vocabulary = vocabulary.map_err(|_| damaged("not UTF-8"))?;
        let tokenizer = WordPiece::new(&vocabulary).ok_or_else(|| damaged("a marker such as [CLS] is missing"))?;
        let model = OnnxModel::from_bytes(read("model.onnx")?)?;
        let mut encoder = SentenceEncoder { tokenizer, model, dim: 0 };
        encoder.dim = encoder.encode("a")?.len();
        Ok(encoder)
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &WordPiece {
        &self.tokenizer
    }
}

impl TextEncoder for SentenceEncoder {
    fn dim(&self) -> usize {
        self.dim
    }

    fn encode(&self, text: &str) -> Result<Vec<f32>, EncoderError> {
        // one text at a time: dynamic quantisation would make a vector depend on the rest of its batch
        let ids = self.tokenizer.encode(text, MAX_TOKENS);
        let shape = [1, ids.len()];
        let (ones, zeros) = (vec![1; ids.len()], vec![0; ids.len()]);
        let inputs = [
            ("input_ids", OnnxInput::Int(&shape, &ids)),
            ("attention_mask", OnnxInput::Int(&shape, &ones)),
            ("token_type_ids", OnnxInput::Int(&shape, &zeros)),
        ];
        let hidden = self.model.run(&inputs, "last_hidden_state")?;
        let &[1, tokens, dim] = &hidden.shape[..] else {
            return Err(OnnxError::Port(format!("an output of shape {:?} is no encoding", hidden.shape)).into());
        };
        let mut mean = vec![0.0; dim];
        for row in hidden.data.chunks_exact(dim.max(1)).take(tokens) {
            mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        normalise(&mut mean);
        Ok(mean)
    }
}

/// The shipped encoder, opened on first use.
pub struct LazyEncoder {
    folder: PathBuf,
    opened: OnceLock<Option<Arc<dyn TextEncoder>>>,
}

impl LazyEncoder {
    /// The encoder of a data folder; nothing is read yet.
    pub fn new(data: &Path) -> LazyEncoder {
        LazyEncoder { folder: data.join(FOLDER), opened: OnceLock::new() }
    }

    /// An encoder that is already open.
    pub fn of(encoder: Arc<dyn TextEncoder>) -> LazyEncoder {
        LazyEncoder { folder: PathBuf::new(), opened: OnceLock::from(Some(encoder)) }
    }

    /// The folder of the encoder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The encoder; `None` if it is not installed or cannot be opened.
    pub fn get(&self) -> Option<&Arc<dyn TextEncoder>> {
        let open = || SentenceEncoder::open(&self.folder).ok().map(|e| Arc::new(e) as Arc<dyn TextEncoder>);
        self.opened.get_or_init(open).as_ref()
    }
}

impl std::fmt::Debug for LazyEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LazyEncoder").field("folder", &self.folder).field("open", &self.opened.get().is_some()).finish()
    }
}
