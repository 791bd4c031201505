//! Many short texts, compressed in blocks so that one can be read without the others.

use super::{Column, Pack, PackError, Writer};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use std::io::{Read, Write};

/// Texts that are compressed together.
pub const BLOCK: usize = 64;

/// Texts of a pack by number.
#[derive(Clone, Debug)]
pub struct Texts {
    offsets: Column<u32>,
    bytes: Column<u8>,
    len: usize,
}

/// Writes texts (none may hold a line break) as the sections `NAME.blocks`, `NAME.bytes`, `NAME.len`.
pub fn write_texts<S: AsRef<str>>(w: &mut Writer, name: &str, texts: &[S]) {
    let (mut offsets, mut bytes) = (vec![0u32], Vec::new());
    for block in texts.chunks(BLOCK) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        for text in block {
            let text = text.as_ref().replace('\n', " ");
            encoder.write_all(text.as_bytes()).and_then(|()| encoder.write_all(b"\n")).expect("memory takes it");
        }
        bytes.extend_from_slice(&encoder.finish().expect("memory takes it"));
        offsets.push(u32::try_from(bytes.len()).expect("texts of a pack stay below 4 GiB"));
    }
    w.add(&format!("{name}.blocks"), &offsets);
    w.add(&format!("{name}.bytes"), &bytes);
    w.add(&format!("{name}.len"), &[texts.len() as u32]);
}

impl Texts {
    /// Opens the texts written under that name.
    pub fn open(pack: &Pack, name: &str) -> Result<Texts, PackError> {
        let offsets: Column<u32> = pack.column(&format!("{name}.blocks"))?;
        let bytes: Column<u8> = pack.column(&format!("{name}.bytes"))?;
        let len: Column<u32> = pack.column(&format!("{name}.len"))?;
        let len = len.first().copied().unwrap_or(0) as usize;
        let sound = offsets.len() == len.div_ceil(BLOCK) + 1
            && offsets.windows(2).all(|w| w[0] <= w[1])
            && offsets.last().is_some_and(|&end| end as usize == bytes.len());
        if !sound {
            return Err(pack.damaged(format!("texts `{name}` have a wrong block table")));
        }
        Ok(Texts { offsets, bytes, len })
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One text; nothing if the number is too large or its block is damaged.
    pub fn get(&self, index: usize) -> Option<String> {
        if index >= self.len {
            return None;
        }
        self.unpack(index / BLOCK)?.split('\n').nth(index % BLOCK).map(str::to_owned)
    }

    /// The texts of one block, [`BLOCK`] of them or the rest; none if there is no such block or it is damaged.
    pub fn block(&self, block: usize) -> Vec<Box<str>> {
        let count = self.len.saturating_sub(block * BLOCK).min(BLOCK);
        let text = if count == 0 { None } else { self.unpack(block) };
        text.map_or(Vec::new(), |text| text.split('\n').take(count).map(Box::from).collect())
    }

    fn unpack(&self, block: usize) -> Option<String> {
        let range = self.offsets[block] as usize..self.offsets[block + 1] as usize;
        let mut text = String::new();
        DeflateDecoder::new(&self.bytes[range]).take(1 << 24).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_again() {
        let texts: Vec<String> = (0..200).map(|i| format!("gloss {i}; with žluťoučký text")).collect();
        let mut w = Writer::new();
        write_texts(&mut w, "gloss", &texts);
        let pack = Pack::from_bytes("t", &w.to_bytes()).unwrap();
        let read = Texts::open(&pack, "gloss").unwrap();
        assert_eq!(read.len(), 200);
        for (i, text) in texts.iter().enumerate() {
            assert_eq!(read.get(i).as_ref(), Some(text));
        }
        assert_eq!(read.get(200), None);
        let blocks: Vec<Box<str>> = (0..5).flat_map(|block| read.block(block)).collect();
        assert!(blocks.iter().map(|text| &**text).eq(texts.iter().map(String::as_str)));
    }
}
