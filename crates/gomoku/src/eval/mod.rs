//! Checks of the fast code against slow oracles.

mod forbidden;

pub use forbidden::{ForbiddenCheck, Mismatch, check_forbidden, crowded_setup};
