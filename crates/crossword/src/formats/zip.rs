//! The first file of a zip archive, for JPZ files that are packed.

use super::PuzzleFormatError;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// How every local file header begins.
pub const MAGIC: &[u8; 4] = b"PK\x03\x04";
/// Maximum size of the unpacked file in bytes.
const MOST: u64 = 4 << 20;

fn error(message: impl std::fmt::Display) -> PuzzleFormatError {
    PuzzleFormatError::new("jpz", format!("packed file: {message}"))
}

/// Unpacks the first file of an archive.
pub fn first_file(bytes: &[u8]) -> Result<Vec<u8>, PuzzleFormatError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(error)?;
    let file = archive.by_index(0).map_err(error)?;
    let mut out = Vec::new();
    // the size in the header may lie, so the limit is on what is unpacked
    file.take(MOST + 1).read_to_end(&mut out).map_err(error)?;
    if out.len() as u64 > MOST {
        return Err(error(format!("more than {MOST} bytes unpacked")));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, PuzzleFormat};
    use std::io::Write;
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    /// An archive with one file.
    fn archive(method: CompressionMethod, content: &[u8]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("a.xml", SimpleFileOptions::default().compression_method(method)).expect("a file");
        writer.write_all(content).expect("memory takes it");
        writer.finish().expect("an archive").into_inner()
    }

    #[test]
    fn packed_puzzles_are_read() {
        let puzzle = formats::gdowski::read("3 3\n...\n.#.\n...\n2\nfeline\njog\n2\nvehicle\ndigits\n").expect("good");
        let text = PuzzleFormat::Jpz.write(&puzzle).expect("it has a JPZ form");
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let read = formats::read(&archive(method, &text)).expect("a packed JPZ");
            assert_eq!(read.entries, PuzzleFormat::Jpz.read(&text).expect("readable").entries);
        }
    }

    #[test]
    fn a_file_that_unpacks_to_too_much_is_refused() {
        let bomb = archive(CompressionMethod::Deflated, &vec![b' '; MOST as usize + 1]);
        assert!(first_file(&bomb).expect_err("too large").message.contains("bytes unpacked"));
    }

    #[test]
    fn no_input_panics() {
        let good = archive(CompressionMethod::Stored, b"<a/>");
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
