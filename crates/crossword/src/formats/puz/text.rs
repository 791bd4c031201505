//! Windows-1252, the encoding of old `.puz` files.

/// The characters of bytes 0x80 to 0x9f; unassigned ones stand for themselves.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Bytes to text; every byte has a character.
pub fn decode(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| match byte {
            0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
            _ => char::from(byte),
        })
        .collect()
}

/// Text to bytes, or `None` where a character has no place.
pub fn encode(text: &str) -> Option<Vec<u8>> {
    text.chars()
        .map(|c| match u32::from(c) {
            code @ (0..=0x7f | 0xa0..=0xff) => Some(code as u8),
            _ => HIGH.iter().position(|&high| high == c).map(|at| at as u8 + 0x80),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(encode(&decode(&all)), Some(all));
        assert_eq!(encode("č"), None);
        assert_eq!(decode(&[0x93, 0xe9, 0x94]), "“é”");
    }
}
