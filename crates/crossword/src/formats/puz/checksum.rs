//! The checksums of a `.puz` file.

use super::Puz;

/// All checksums of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Checksums {
    pub global: u16,
    pub header: u16,
    pub masked: [u8; 8],
    pub sections: Vec<u16>,
}

/// What the eight masked bytes are combined with.
const MASK: &[u8; 8] = b"ICHEATED";

/// Continues a checksum over some bytes: rotate right by one, add the byte.
fn over(bytes: &[u8], start: u16) -> u16 {
    bytes.iter().fold(start, |sum, &byte| sum.rotate_right(1).wrapping_add(u16::from(byte)))
}

/// Continues over the texts, as the format counts them: some with their zero, clues without, empty ones not at all.
fn over_texts(puz: &Puz, start: u16) -> u16 {
    let with_zero = |sum: u16, text: &[u8]| if text.is_empty() { sum } else { over(&[0], over(text, sum)) };
    let mut sum = [&puz.title, &puz.author, &puz.copyright].into_iter().fold(start, |sum, text| with_zero(sum, text));
    sum = puz.clues.iter().fold(sum, |sum, clue| over(clue, sum));
    // Versions before 1.3 leave the notes out.
    if puz.version >= *b"1.3\0" { with_zero(sum, &puz.notes) } else { sum }
}

impl Checksums {
    /// The checksums that fit the content.
    pub fn of(puz: &Puz) -> Self {
        let header = over(&puz.shape_bytes(), 0);
        let global = over_texts(puz, over(&puz.state, over(&puz.solution, header)));
        let parts = [header, over(&puz.solution, 0), over(&puz.state, 0), over_texts(puz, 0)];
        let mut masked = [0; 8];
        for (at, part) in parts.into_iter().enumerate() {
            let [low, high] = part.to_le_bytes();
            masked[at] = MASK[at] ^ low;
            masked[at + 4] = MASK[at + 4] ^ high;
        }
        Self { global, header, masked, sections: puz.sections.iter().map(|section| over(&section.data, 0)).collect() }
    }
}
