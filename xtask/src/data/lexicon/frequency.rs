//! Word frequencies out of wordfreq's files: a list of words per hundredth of a decade.

use anyhow::{Context, Result, bail};
use std::io::Read;
use std::path::Path;

/// Words with their Zipf value, the most frequent first.
pub fn read(path: &Path) -> Result<Vec<(String, f64)>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).with_context(|| format!("{}", path.display()))?;
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes)?;
    let mut reader = Reader { bytes: &bytes, at: 0 };
    let mut words = Vec::new();
    let bins = reader.array()?;
    reader.skip()?;
    for bin in 0..bins.saturating_sub(1) {
        for _ in 0..reader.array()? {
            words.push((reader.text()?, 9.0 - bin as f64 / 100.0));
        }
    }
    Ok(words)
}

/// The few kinds of MessagePack values that these files hold.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, n: usize) -> Result<&[u8]> {
        let part = self.bytes.get(self.at..self.at + n).context("the frequency file is cut short")?;
        self.at += n;
        Ok(part)
    }

    fn number(&mut self, n: usize) -> Result<usize> {
        Ok(self.take(n)?.iter().fold(0, |v, &b| v << 8 | b as usize))
    }

    fn array(&mut self) -> Result<usize> {
        match self.number(1)? {
            b @ 0x90..=0x9f => Ok(b & 15),
            0xdc => self.number(2),
            0xdd => self.number(4),
            other => bail!("a list was expected, found {other:#x}"),
        }
    }

    fn text(&mut self) -> Result<String> {
        let length = match self.number(1)? {
            b @ 0xa0..=0xbf => b & 31,
            0xd9 => self.number(1)?,
            0xda => self.number(2)?,
            other => bail!("a word was expected, found {other:#x}"),
        };
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    /// Skips the header: a small map of words and numbers.
    fn skip(&mut self) -> Result<()> {
        match self.number(1)? {
            b @ 0x80..=0x8f => (0..2 * (b & 15)).try_for_each(|_| self.skip()),
            b @ 0xa0..=0xbf => self.take(b & 31).map(|_| ()),
            0x00..=0x7f | 0xc0..=0xc3 => Ok(()),
            0xcc => self.take(1).map(|_| ()),
            0xcd => self.take(2).map(|_| ()),
            other => bail!("the header has an unknown value {other:#x}"),
        }
    }
}
