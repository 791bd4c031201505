//! Tables whose rows differ in length: where each row ends, and lists of numbers by row.

use super::{Column, Pack, PackError, Writer, numbers};
use std::ops::Range;
use std::sync::Arc;

/// Appends a number in variable-length bytes.
pub fn put_number(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Where the rows of a table end. Files keep the lengths, most of which fit one byte.
#[derive(Clone, Debug)]
pub struct Ends(Arc<[u32]>);

impl Ends {
    /// Writes the lengths of the rows as the section `name`.
    pub fn write(w: &mut Writer, name: &str, lengths: impl Iterator<Item = usize>) {
        let mut bytes = Vec::new();
        lengths.for_each(|n| put_number(u32::try_from(n).expect("a row stays below 4 GiB"), &mut bytes));
        w.add(name, &bytes);
    }

    /// Reads the section `name`; the rows must make up `data` elements.
    pub fn open(pack: &Pack, name: &str, data: usize) -> Result<Ends, PackError> {
        let bytes = pack.bytes(name)?;
        let mut ends = Vec::with_capacity(bytes.len());
        let mut at = 0u64;
        for length in numbers(bytes) {
            at += u64::from(length);
            ends.push(at.min(u64::from(u32::MAX)) as u32);
        }
        if at != data as u64 || bytes.last().is_some_and(|b| *b >= 0x80) {
            return Err(pack.damaged(format!("the rows of `{name}` make up {at} elements, expected {data}")));
        }
        Ok(Ends(ends.into()))
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where a row lies among the elements.
    pub fn range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.0[row - 1] as usize };
        start..self.0[row] as usize
    }

    /// All ends, rising.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }
}

/// Rows of bytes, read in place.
#[derive(Clone, Debug)]
pub struct ByteRows {
    ends: Ends,
    bytes: Column<u8>,
}

impl ByteRows {
    /// Writes rows as the sections `NAME.bytes` and `NAME.lengths`.
    pub fn write(w: &mut Writer, name: &str, rows: &[Vec<u8>]) {
        w.add(&format!("{name}.bytes"), &rows.concat());
        Ends::write(w, &format!("{name}.lengths"), rows.iter().map(Vec::len));
    }

    /// Opens the rows written under that name.
    pub fn open(pack: &Pack, name: &str) -> Result<ByteRows, PackError> {
        let bytes: Column<u8> = pack.column(&format!("{name}.bytes"))?;
        Ok(ByteRows { ends: Ends::open(pack, &format!("{name}.lengths"), bytes.len())?, bytes })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[u8] {
        &self.bytes[self.ends.range(i)]
    }
}

/// Lists of numbers by row, decoded when the file is opened.
#[derive(Clone, Debug)]
pub struct Lists {
    ends: Ends,
    values: Arc<[u32]>,
}

/// Folds a signed difference into a number, small ones into small ones.
fn fold(from: u32, to: u32) -> u32 {
    let d = to.wrapping_sub(from) as i32;
    ((d << 1) ^ (d >> 31)) as u32
}

fn unfold(from: u32, folded: u32) -> u32 {
    from.wrapping_add((folded >> 1) ^ (folded & 1).wrapping_neg())
}

impl Lists {
    /// Writes lists in their order as `NAME.bytes` (differences to the number before) and `NAME.lengths`.
    pub fn write<'a>(w: &mut Writer, name: &str, lists: impl Iterator<Item = &'a [u32]> + Clone) {
        let (mut bytes, mut before) = (Vec::new(), 0);
        for &value in lists.clone().flatten() {
            put_number(fold(before, value), &mut bytes);
            before = value;
        }
        w.add(&format!("{name}.bytes"), &bytes);
        Ends::write(w, &format!("{name}.lengths"), lists.map(<[u32]>::len));
    }

    /// Opens lists of numbers below `limit`.
    pub fn open(pack: &Pack, name: &str, limit: usize) -> Result<Lists, PackError> {
        let mut before = 0;
        let values: Arc<[u32]> = numbers(pack.bytes(&format!("{name}.bytes"))?)
            .map(|folded| {
                before = unfold(before, folded);
                before
            })
            .collect();
        if let Some(value) = values.iter().find(|&&v| v as usize >= limit) {
            return Err(pack.damaged(format!("`{name}` holds {value}, expected numbers below {limit}")));
        }
        Ok(Lists { ends: Ends::open(pack, &format!("{name}.lengths"), values.len())?, values })
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One list.
    pub fn row(&self, i: usize) -> &[u32] {
        &self.values[self.ends.range(i)]
    }

    /// Where a list lies among all numbers of all lists.
    pub fn range(&self, i: usize) -> Range<usize> {
        self.ends.range(i)
    }

    /// The numbers of all lists, one list after another.
    pub fn values(&self) -> &[u32] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_come_back(rows in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 0..5), 0..300)) {
            let bytes: Vec<Vec<u8>> = rows.iter().map(|r| r.iter().map(|&x| x as u8).collect()).collect();
            let mut w = Writer::new();
            Lists::write(&mut w, "list", rows.iter().map(Vec::as_slice));
            ByteRows::write(&mut w, "rows", &bytes);
            let pack = Pack::from_bytes("t", &w.to_bytes()).unwrap();
            let limit = rows.iter().flatten().max().map_or(0, |&m| m as usize + 1);
            let lists = Lists::open(&pack, "list", limit).unwrap();
            let read = ByteRows::open(&pack, "rows").unwrap();
            prop_assert_eq!((lists.len(), read.len()), (rows.len(), rows.len()));
            for i in 0..rows.len() {
                prop_assert_eq!(lists.row(i), &rows[i][..]);
                prop_assert_eq!(read.row(i), &bytes[i][..]);
            }
            prop_assert!(limit == 0 || Lists::open(&pack, "list", limit - 1).is_err());
        }

        #[test]
        fn damage_is_refused_or_read(a in proptest::collection::vec(any::<u8>(), 0..40), b in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut w = Writer::new();
            w.add("x.bytes", &a);
            w.add("x.lengths", &b);
            let pack = Pack::from_bytes("t", &w.to_bytes()).unwrap();
            if let Ok(rows) = ByteRows::open(&pack, "x") {
                prop_assert_eq!((0..rows.len()).map(|i| rows.row(i).len()).sum::<usize>(), a.len());
            }
            if let Ok(lists) = Lists::open(&pack, "x", 1000) {
                prop_assert!((0..lists.len()).all(|i| lists.row(i).iter().all(|&v| v < 1000)));
            }
        }
    }
}
