//! word2vec's text and binary forms; fastText's `.vec` is the text form.

use super::{FileError, WordVectors};
use std::fmt::Write;

pub(super) fn read(bytes: &[u8]) -> Result<WordVectors, FileError> {
    let end = bytes.iter().position(|&b| b == b'\n').ok_or(FileError::Wrong("no line of vectors".into()))?;
    let first =
        std::str::from_utf8(&bytes[..end]).map_err(|_| FileError::Wrong("the first line is not UTF-8".into()))?;
    let fields: Vec<&str> = first.split_whitespace().collect();
    let header = match fields[..] {
        [n, dim] => n.parse::<usize>().ok().zip(dim.parse::<usize>().ok()),
        _ => None,
    };
    let Some((count, dim)) = header else { return read_text(bytes, None) };
    if dim == 0 {
        return Err(FileError::Wrong("line 1 says vectors of 0 numbers".into()));
    }
    // text if the first entry is a word and as many decimal numbers as announced
    let line = bytes[end + 1..].split(|&b| b == b'\n').next().unwrap_or(&[]);
    let is_text = std::str::from_utf8(line).is_ok_and(|l| {
        let fields: Vec<&str> = l.split_whitespace().collect();
        fields.len() > dim && fields[fields.len() - dim..].iter().all(|f| f.parse::<f32>().is_ok())
    });
    if is_text || count == 0 {
        read_text(&bytes[end + 1..], Some((count, dim)))
    } else {
        read_binary(bytes, end + 1, count, dim)
    }
}

fn read_text(bytes: &[u8], header: Option<(usize, usize)>) -> Result<WordVectors, FileError> {
    let text = std::str::from_utf8(bytes).map_err(|e| FileError::Wrong(format!("not UTF-8: {e}")))?;
    let (mut words, mut data, mut dim) = (Vec::new(), Vec::new(), header.map(|h| h.1));
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let line = line.trim_end();
        let fields: Vec<&str> = line.split(' ').collect();
        let dim = *dim.get_or_insert(fields.len().saturating_sub(1));
        let at = i + 1 + usize::from(header.is_some());
        if dim == 0 || fields.len() <= dim {
            return Err(FileError::Wrong(format!(
                "line {at}: {} numbers, expected {dim}",
                fields.len().saturating_sub(1)
            )));
        }
        let (word, numbers) = fields.split_at(fields.len() - dim);
        for n in numbers {
            let n: f32 = n.parse().map_err(|_| FileError::Wrong(format!("line {at}: `{n}` is not a number")))?;
            data.push(n);
        }
        words.push(word.join(" "));
    }
    if let Some((count, _)) = header.filter(|h| h.0 != words.len()) {
        return Err(FileError::Wrong(format!("line 1 says {count} words, the file has {}", words.len())));
    }
    WordVectors::new(words, dim.unwrap_or(0), data)
}

fn read_binary(bytes: &[u8], mut at: usize, count: usize, dim: usize) -> Result<WordVectors, FileError> {
    let size = dim.checked_mul(4).ok_or(FileError::Wrong(format!("vectors of {dim} numbers are too long")))?;
    if count.checked_mul(size).is_none_or(|n| n > bytes.len()) {
        return Err(FileError::Wrong(format!("line 1 says {count} words of {dim} numbers; the file is shorter")));
    }
    let (mut words, mut data) = (Vec::with_capacity(count), Vec::with_capacity(count * dim));
    for _ in 0..count {
        // some writers end every vector with a line break
        while bytes.get(at) == Some(&b'\n') {
            at += 1;
        }
        let short = |at| FileError::Short { what: "a word", at };
        let end = at + bytes.get(at..).and_then(|b| b.iter().position(|&b| b == b' ')).ok_or(short(at))?;
        let word = String::from_utf8_lossy(&bytes[at..end]).into_owned();
        at = end + 1;
        let numbers = bytes.get(at..at + size).ok_or(FileError::Short { what: "a vector", at })?;
        data.extend(numbers.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four bytes"))));
        words.push(word);
        at += size;
    }
    WordVectors::new(words, dim, data)
}

/// The text form (word2vec text, fastText `.vec`).
pub fn write_text(v: &WordVectors) -> Vec<u8> {
    let mut out = format!("{} {}\n", v.words().len(), v.dim());
    for (i, word) in v.words().iter().enumerate() {
        out.push_str(word);
        v.row(i).iter().for_each(|x| write!(out, " {x}").expect("memory takes it"));
        out.push('\n');
    }
    out.into_bytes()
}

/// The binary form of word2vec.
pub fn write_binary(v: &WordVectors) -> Vec<u8> {
    let mut out = format!("{} {}\n", v.words().len(), v.dim()).into_bytes();
    for (i, word) in v.words().iter().enumerate() {
        out.extend_from_slice(word.as_bytes());
        out.push(b' ');
        v.row(i).iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
        out.push(b'\n');
    }
    out
}
