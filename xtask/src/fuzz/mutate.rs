//! Damage: small changes to good inputs, the sort that finds what a reader did not think of.

use super::runner::Dice;

/// Pieces that readers of numbers, texts, JSON and XML trip over.
const PIECES: &[&[u8]] = &[
    b"0",
    b"-1",
    b"1",
    b"255",
    b"256",
    b"65535",
    b"65536",
    b"4294967295",
    b"18446744073709551615",
    b"-9223372036854775808",
    b"1e308",
    b"-1e-308",
    b"NaN",
    b"inf",
    b"\n",
    b"\r\n",
    b"\0",
    b"\t",
    b" ",
    b"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"[",
    b"]",
    b"{",
    b"}",
    b"[[[[[[[[",
    b"{\"\":{\"\":",
    b"<",
    b">",
    b"&amp;",
    b"<!DOCTYPE a [<!ENTITY b \"c\">]>",
    b"/",
    b"//",
    b";",
    b":",
    b",",
    b",,",
    b"null",
    b"true",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc5\x99",
    b"\xf0\x9f\x8e\xb2",
    b"\xe2\x80\xae",
    b"e\xcc\x81",
    b"%s",
    b"#",
    b"----",
    b"a",
];

/// An input made from others.
pub fn damaged(dice: &mut Dice, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = corpus[dice.below(corpus.len())].clone();
    for _ in 0..1 + dice.below(6) {
        change(dice, &mut input, corpus);
    }
    input.truncate(64 << 10);
    input
}

fn change(dice: &mut Dice, input: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let at = dice.below(input.len() + 1);
    let some = |dice: &mut Dice, most: usize| 1 + dice.below(most.clamp(1, 32));
    match dice.below(10) {
        0 if at < input.len() => input[at] ^= 1 << dice.below(8),
        1 if at < input.len() => input[at] = dice.below(256) as u8,
        2 => input.insert(at, dice.below(256) as u8),
        3 | 4 => {
            let piece = PIECES[dice.below(PIECES.len())];
            let end = if dice.below(2) == 0 { at } else { (at + piece.len()).min(input.len()) };
            input.splice(at..end, piece.iter().copied());
        }
        5 => {
            let end = (at + some(dice, input.len())).min(input.len());
            input.drain(at..end);
        }
        6 => {
            let end = (at + some(dice, input.len())).min(input.len());
            let copy = input[at..end].to_vec();
            let to = dice.below(input.len() + 1);
            for _ in 0..1 + dice.below(3) {
                input.splice(to..to, copy.iter().copied());
            }
        }
        7 => {
            let other = &corpus[dice.below(corpus.len())];
            let from = dice.below(other.len() + 1);
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
        8 => input.truncate(at),
        9 if at + 4 <= input.len() => {
            let values = [0u32, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0xffff, dice.below(1 << 20) as u32];
            input[at..at + 4].copy_from_slice(&values[dice.below(values.len())].to_le_bytes());
        }
        _ => {}
    }
}
