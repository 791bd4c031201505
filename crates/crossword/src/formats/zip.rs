//! The first file of a zip archive, for JPZ files that are packed.

use super::PuzzleFormatError;
use flate2::read::DeflateDecoder;
use std::io::Read;

/// How every local file header begins.
pub const MAGIC: &[u8; 4] = b"PK\x03\x04";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
/// Most bytes of the unpacked file.
const MOST: u64 = 4 << 20;

fn error(message: &str) -> PuzzleFormatError {
    PuzzleFormatError::new("jpz", format!("packed file: {message}"))
}

fn number(bytes: &[u8], at: usize, size: usize) -> Result<usize, PuzzleFormatError> {
    let field = bytes.get(at..at + size).ok_or_else(|| error("it is cut off"))?;
    Ok(field.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
}

/// Unpacks the first file of an archive (the central directory says where it is and how long).
pub fn first_file(bytes: &[u8]) -> Result<Vec<u8>, PuzzleFormatError> {
    let central =
        bytes.windows(4).position(|window| window == CENTRAL).ok_or_else(|| error("it has no list of files"))?;
    let method = number(bytes, central + 10, 2)?;
    let packed = number(bytes, central + 20, 4)?;
    let local = number(bytes, central + 42, 4)?;
    if bytes.get(local..local + 4) != Some(MAGIC) {
        return Err(error("its list of files points nowhere"));
    }
    let start = local + 30 + number(bytes, local + 26, 2)? + number(bytes, local + 28, 2)?;
    let body = bytes.get(start..start.saturating_add(packed)).ok_or_else(|| error("it is cut off"))?;
    let mut out = Vec::new();
    match method {
        0 => out.extend_from_slice(body),
        8 => {
            let mut reader = DeflateDecoder::new(body).take(MOST + 1);
            reader.read_to_end(&mut out).map_err(|_| error("it is damaged"))?;
        }
        other => return Err(error(&format!("method {other} is not known here; store or deflate it"))),
    }
    if out.len() as u64 > MOST {
        return Err(error(&format!("more than {MOST} bytes unpacked")));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, PuzzleFormat};

    /// An archive with one file, as zip programs write it.
    fn archive(method: u16, content: &[u8], packed: &[u8]) -> Vec<u8> {
        let fields = |head: &[u8], lead: &[u8]| {
            let mut out = head.to_vec();
            out.extend_from_slice(lead);
            out.extend_from_slice(&[0, 0]);
            out.extend_from_slice(&method.to_le_bytes());
            out.extend_from_slice(&[0; 8]);
            out.extend_from_slice(&(packed.len() as u32).to_le_bytes());
            out.extend_from_slice(&(content.len() as u32).to_le_bytes());
            out.extend_from_slice(&[5, 0, 0, 0]);
            out
        };
        let mut all = fields(MAGIC, &[20, 0]);
        all.extend_from_slice(b"a.xml");
        all.extend_from_slice(packed);
        all.extend(fields(CENTRAL, &[20, 0, 20, 0]));
        all.extend_from_slice(&[0; 14]);
        all.extend_from_slice(b"a.xml");
        all
    }

    #[test]
    fn packed_puzzles_are_read() {
        let puzzle = formats::gdowski::read("3 3\n...\n.#.\n...\n2\nfeline\njog\n2\nvehicle\ndigits\n").expect("good");
        let text = PuzzleFormat::Jpz.write(&puzzle).expect("it has a JPZ form");
        let mut packed = Vec::new();
        flate2::read::DeflateEncoder::new(text.as_slice(), flate2::Compression::default())
            .read_to_end(&mut packed)
            .expect("memory can be read");
        for file in [archive(0, &text, &text), archive(8, &text, &packed)] {
            let read = formats::read(&file).expect("a packed JPZ");
            assert_eq!(read.entries, PuzzleFormat::Jpz.read(&text).expect("readable").entries);
        }
        assert!(formats::read(&archive(12, &text, &packed)).expect_err("bzip2").message.contains("method 12"));
    }

    #[test]
    fn no_input_panics() {
        let good = archive(0, b"<a/>", b"<a/>");
        bolero::check!().for_each(|bytes: &[u8]| {
            let mut file = good.clone();
            for part in bytes.chunks_exact(2) {
                let at = usize::from(part[0]) % file.len();
                file[at] = part[1];
            }
            let _ = first_file(&file);
            let _ = first_file(bytes);
        });
    }
}
