//! Vectors of sixteen f32: plain arrays that the compiler keeps in vector registers.

use std::ops::Add;

/// Vector width.
pub(crate) const LANES: usize = 16;

/// A vector of sixteen f32.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(crate) struct Lanes([f32; LANES]);

impl Lanes {
    /// Loads the first sixteen values of a slice.
    #[inline(always)]
    pub fn load(from: &[f32]) -> Self {
        Lanes(std::array::from_fn(|i| from[..LANES][i]))
    }

    /// Stores to the start of a slice.
    #[inline(always)]
    pub fn store(self, to: &mut [f32]) {
        to[..LANES].copy_from_slice(&self.0);
    }

    /// `self + factor · other`.
    #[inline(always)]
    pub fn plus(self, factor: f32, other: Lanes) -> Self {
        Lanes(std::array::from_fn(|i| factor.mul_add(other.0[i], self.0[i])))
    }

    /// `self + a · b`, elementwise.
    #[inline(always)]
    pub fn plus_products(self, a: Lanes, b: Lanes) -> Self {
        Lanes(std::array::from_fn(|i| a.0[i].mul_add(b.0[i], self.0[i])))
    }

    /// Horizontal sum.
    pub fn sum(self) -> f32 {
        self.0.iter().sum()
    }
}

impl Add for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn add(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}
