//! SIMD kernels: int8 dot products of many rows, and intersections of short sorted lists.

/// Numbers that are taken at once; a wide query is filled up with zeros to a multiple of it.
pub const LANES: usize = 16;

/// Scalar product of two byte vectors.
#[inline]
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(i16::from(x) * i16::from(y))).sum()
}

/// A byte vector in sixteen bits, filled up with zeros.
pub fn widen(bytes: &[i8]) -> Vec<i16> {
    let mut wide: Vec<i16> = bytes.iter().copied().map(i16::from).collect();
    wide.resize(bytes.len().next_multiple_of(LANES), 0);
    wide
}

/// Scalar products of a wide query with rows of `dim` bytes each that follow one another in `rows`,
/// beginning with row `first`; one per place of `out`.
pub fn dots(query: &[i16], rows: &[i8], dim: usize, first: usize, out: &mut [i32]) {
    debug_assert!(query.len() == dim.next_multiple_of(LANES) && (first + out.len()) * dim <= rows.len());
    let (mut at, mut done) = (first * dim, 0);
    // four rows at a time; the bytes of the row behind that are read along meet the query's zeros
    while done + 4 <= out.len() && at + 3 * dim + query.len() <= rows.len() {
        out[done..done + 4].copy_from_slice(&four(query, &rows[at..], dim));
        (at, done) = (at + 4 * dim, done + 4);
    }
    for sum in &mut out[done..] {
        *sum = query.iter().zip(&rows[at..at + dim]).map(|(&q, &r)| i32::from(q) * i32::from(r)).sum();
        at += dim;
    }
}

/// The first four rows of `rows`, each read as far as the query goes.
#[cfg(target_feature = "avx2")]
#[inline]
fn four(query: &[i16], rows: &[i8], dim: usize) -> [i32; 4] {
    use std::arch::x86_64::*;
    assert!(3 * dim + query.len() <= rows.len() && query.len().is_multiple_of(LANES));
    // SAFETY: AVX2 is there because the program is compiled for it, and every read stays within
    // the query and within `3 * dim + query.len()` bytes of the rows, as checked above.
    unsafe {
        let mut sums = [_mm256_setzero_si256(); 4];
        for i in (0..query.len()).step_by(LANES) {
            let q = _mm256_loadu_si256(query.as_ptr().add(i).cast());
            for (k, sum) in sums.iter_mut().enumerate() {
                let bytes = _mm_loadu_si128(rows.as_ptr().add(k * dim + i).cast());
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(q, _mm256_cvtepi8_epi16(bytes)));
            }
        }
        four_sums(sums)
    }
}

/// The first four rows of `rows`, each read as far as the query goes.
#[cfg(not(target_feature = "avx2"))]
#[inline]
fn four(query: &[i16], rows: &[i8], dim: usize) -> [i32; 4] {
    std::array::from_fn(|k| {
        let row = &rows[k * dim..][..query.len()];
        query.iter().zip(row).map(|(&q, &r)| i32::from(q) * i32::from(r)).sum()
    })
}

/// One in the sixteen bits of a fine vector.
const FINE: f32 = 32767.0;

/// A vector of at most unit length in sixteen bits a number, filled up with zeros to a multiple of [`LANES`].
pub fn fine(vector: &[f32]) -> impl Iterator<Item = i16> + '_ {
    let zeros = vector.len().next_multiple_of(LANES) - vector.len();
    vector.iter().map(|x| (x * FINE).round() as i16).chain(std::iter::repeat_n(0, zeros))
}

/// Rows of fine vectors that are taken at once.
pub const ROWS: usize = 4;

/// Scalar products of a fine vector with the next [`ROWS`] rows of `rows`, each as long as the vector.
/// Both being at most of unit length, no sum on the way leaves 32 bits.
#[inline]
pub fn row_products(vector: &[i16], rows: &[i16]) -> [f32; ROWS] {
    let stride = vector.len();
    assert!(stride.is_multiple_of(LANES) && rows.len() >= ROWS * stride);
    #[cfg(target_feature = "avx2")]
    let sums = {
        use std::arch::x86_64::*;
        // SAFETY: AVX2 is there because the program is compiled for it, and every read stays within
        // the vector and the first `ROWS * stride` numbers of the rows, as checked above.
        unsafe {
            let mut sums = [_mm256_setzero_si256(); ROWS];
            for i in (0..stride).step_by(LANES) {
                let v = _mm256_loadu_si256(vector.as_ptr().add(i).cast());
                for (k, sum) in sums.iter_mut().enumerate() {
                    let row = _mm256_loadu_si256(rows.as_ptr().add(k * stride + i).cast());
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(v, row));
                }
            }
            four_sums(sums)
        }
    };
    #[cfg(not(target_feature = "avx2"))]
    let sums: [i32; ROWS] = std::array::from_fn(|k| {
        let row = &rows[k * stride..][..stride];
        vector.iter().zip(row).map(|(&v, &r)| i32::from(v) * i32::from(r)).sum()
    });
    sums.map(|sum| sum as f32 * (1.0 / (FINE * FINE)))
}

/// The sums of the numbers in each of four registers.
#[cfg(target_feature = "avx2")]
#[inline]
fn four_sums(sums: [std::arch::x86_64::__m256i; 4]) -> [i32; 4] {
    use std::arch::x86_64::*;
    // SAFETY: AVX2 is there because the program is compiled for it.
    unsafe {
        let halves = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
        let whole = _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves));
        std::mem::transmute::<__m128i, [i32; 4]>(whole)
    }
}

/// Numbers that are compared with as many others at once.
pub const WIDTH: usize = 8;

/// Which numbers of `x` stand in `y` too: one bit each, the first number lowest.
#[inline]
pub fn shared_places(x: &[u32; WIDTH], y: &[u32; WIDTH]) -> u32 {
    #[cfg(target_feature = "avx2")]
    {
        use std::arch::x86_64::*;
        // SAFETY: AVX2 is there because the program is compiled for it; both lists are 32 bytes long.
        unsafe {
            let (x, mut y) = (_mm256_loadu_si256(x.as_ptr().cast()), _mm256_loadu_si256(y.as_ptr().cast()));
            let next = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
            let mut hits = _mm256_cmpeq_epi32(x, y);
            for _ in 1..WIDTH {
                y = _mm256_permutevar8x32_epi32(y, next);
                hits = _mm256_or_si256(hits, _mm256_cmpeq_epi32(x, y));
            }
            _mm256_movemask_ps(_mm256_castsi256_ps(hits)) as u32
        }
    }
    #[cfg(not(target_feature = "avx2"))]
    x.iter().enumerate().map(|(i, &x)| u32::from(place(x, y).is_some()) << i).sum()
}

/// Where a number stands in a short list.
#[inline]
pub fn place(x: u32, y: &[u32; WIDTH]) -> Option<usize> {
    #[cfg(target_feature = "avx2")]
    {
        use std::arch::x86_64::*;
        // SAFETY: AVX2 is there because the program is compiled for it; the list is 32 bytes long.
        let bits = unsafe {
            let equal = _mm256_cmpeq_epi32(_mm256_loadu_si256(y.as_ptr().cast()), _mm256_set1_epi32(x as i32));
            _mm256_movemask_ps(_mm256_castsi256_ps(equal))
        };
        (bits != 0).then(|| bits.trailing_zeros() as usize)
    }
    #[cfg(not(target_feature = "avx2"))]
    y.iter().position(|y| *y == x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn many_rows_at_once_are_the_rows_one_by_one(
            dim in 1usize..70, bytes in proptest::collection::vec(any::<i8>(), 700), skip in 0usize..5
        ) {
            let bytes: Vec<i8> = bytes.into_iter().map(|b| b.max(-127)).collect();
            let (query, rows) = bytes.split_at(dim);
            let n = rows.len() / dim;
            let rows = &rows[..n * dim];
            let mut out = vec![0; n - skip.min(n)];
            dots(&widen(query), rows, dim, skip.min(n), &mut out);
            let slow: Vec<i32> = rows.chunks_exact(dim).skip(skip).map(|row| dot(query, row)).collect();
            prop_assert_eq!(out, slow);
        }

        #[test]
        fn products_are_sums_of_products(numbers in proptest::collection::vec(-1f32..1.0, 5 * 24)) {
            let unit: Vec<Vec<f32>> = numbers
                .chunks_exact(24)
                .map(|row| {
                    let mut row = row.to_vec();
                    crate::vectors::normalise(&mut row);
                    row
                })
                .collect();
            let vector: Vec<i16> = fine(&unit[0]).collect();
            let rows: Vec<i16> = unit[1..].iter().flat_map(|row| fine(row)).collect();
            for (row, product) in unit[1..].iter().zip(row_products(&vector, &rows)) {
                let slow: f32 = row.iter().zip(&unit[0]).map(|(a, b)| a * b).sum();
                prop_assert!((slow - product).abs() < 1e-3);
            }
        }

        #[test]
        fn lists_share_a_number_or_not(x in any::<[u8; WIDTH]>(), y in any::<[u8; WIDTH]>()) {
            let (x, y) = (x.map(u32::from), y.map(u32::from));
            let bits = (0..WIDTH).filter(|&i| y.contains(&x[i])).map(|i| 1 << i).sum::<u32>();
            prop_assert_eq!(shared_places(&x, &y), bits);
            prop_assert!(x.iter().all(|a| place(*a, &y) == y.iter().position(|b| a == b)));
        }
    }
}
