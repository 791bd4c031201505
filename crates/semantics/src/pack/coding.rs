//! Compact coding of sorted lists of numbers: differences as variable-length bytes.

use super::put_number;

/// Appends the coding of a strictly rising list to `out`.
pub fn pack_sorted(list: &[u32], out: &mut Vec<u8>) {
    let mut before = 0u32;
    for (i, &value) in list.iter().enumerate() {
        put_number(if i == 0 { value } else { value - before - 1 }, out);
        before = value;
    }
}

/// Reads variable-length numbers one after another, as [`pack_sorted`] codes lists of one.
pub fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mut value, mut shift) = (0u32, 0);
        loop {
            let byte = *bytes.get(at)?;
            at += 1;
            value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte < 0x80 {
                return Some(value);
            }
        }
    })
}

/// Reads back what [`pack_sorted`] wrote; damaged bytes give some rising list, never a panic.
pub fn unpack_sorted(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut before: Option<u32> = None;
    numbers(bytes).map_while(move |value| {
        let value = match before {
            None => value,
            Some(b) => b.checked_add(value)?.checked_add(1)?,
        };
        before = Some(value);
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_come_back(set in proptest::collection::btree_set(any::<u32>(), 0..200)) {
            let list: Vec<u32> = set.into_iter().collect();
            let mut bytes = Vec::new();
            pack_sorted(&list, &mut bytes);
            prop_assert_eq!(unpack_sorted(&bytes).collect::<Vec<_>>(), list);
        }

        #[test]
        fn damage_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let list: Vec<u32> = unpack_sorted(&bytes).collect();
            prop_assert!(list.windows(2).all(|w| w[0] < w[1]));
        }
    }
}
