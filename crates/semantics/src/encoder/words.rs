//! Encoded words: the encoder's vectors of frequent words as a file, and of all other texts by the encoder itself.

use super::{EncoderError, LazyEncoder, TextEncoder};
use crate::pack::{Column, Pack, PackError, Writer};
use crate::vectors::normalise;
use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

/// File of encoded words, in the folder of the encoder.
const FILE: &str = "en.words.pack";

/// Vectors of words by a sentence encoder, int8 with one scale a word.
#[derive(Debug)]
pub struct EncodedWords {
    encoder: LazyEncoder,
    /// Opened on first use.
    list: OnceLock<Option<List>>,
}

#[derive(Debug)]
struct List {
    dim: usize,
    index: HashMap<String, usize>,
    rows: Column<i8>,
}

impl List {
    fn open(path: &Path) -> Result<List, PackError> {
        let pack = Pack::open(path)?;
        let text = std::str::from_utf8(pack.bytes("encoded.words")?);
        let text = text.map_err(|_| pack.damaged("the list of words is not UTF-8".into()))?;
        let index: HashMap<String, usize> = text.lines().map(str::to_owned).zip(0..).collect();
        let dim = pack.slice::<u32>("encoded.dim")?.first().copied().unwrap_or(0) as usize;
        let rows: Column<i8> = pack.column("encoded.rows")?;
        if dim == 0 || rows.len() != dim * index.len() {
            return Err(pack.damaged(format!("{} numbers are no vectors of {} words", rows.len(), index.len())));
        }
        Ok(List { dim, index, rows })
    }

    fn get(&self, word: &str) -> Option<Vec<f32>> {
        let row = *self.index.get(word)?;
        let mut vector: Vec<f32> = self.rows[row * self.dim..][..self.dim].iter().map(|&x| f32::from(x)).collect();
        normalise(&mut vector);
        Some(vector)
    }
}

impl EncodedWords {
    /// The encoder of a data folder and its list of words; nothing is read yet.
    pub fn new(data: &Path) -> EncodedWords {
        EncodedWords { encoder: LazyEncoder::new(data), list: OnceLock::new() }
    }

    /// The unit vector of a word or text in lower case: from the list, else by the encoder. `None` if neither is
    /// installed.
    pub fn vector(&self, text: &str) -> Option<Vec<f32>> {
        let open = || List::open(&self.encoder.folder().join(FILE)).ok();
        let listed = self.list.get_or_init(open).as_ref().and_then(|list| list.get(text));
        listed.or_else(|| self.encoder.get()?.encode(text).ok())
    }

    /// Encodes words and writes them as a file in `folder`.
    ///
    /// # Errors
    /// If a word cannot be encoded or the file not be written.
    pub fn write(
        folder: &Path,
        encoder: &dyn TextEncoder,
        words: &[String],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), EncoderError> {
        let texts: Vec<&str> = words.iter().map(String::as_str).collect();
        let rows: Vec<i8> = encoder
            .encode_batch(&texts, cancelled)?
            .iter()
            .flat_map(|vector| {
                let largest = vector.iter().fold(1e-9f32, |most, x| most.max(x.abs()));
                vector.iter().map(move |x| (x / largest * 127.0).round() as i8)
            })
            .collect();
        let mut writer = Writer::new();
        writer.add("encoded.dim", &[encoder.dim() as u32]);
        writer.add("encoded.rows", &rows);
        writer.add("encoded.words", words.join("\n").as_bytes());
        let path = folder.join(FILE);
        writer.write(&path).map_err(|error| EncoderError::Damaged { path, what: error.to_string() })
    }
}
