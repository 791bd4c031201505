//! Measures the game's own code: quick against slow, program against file.

mod forbidden;

pub use forbidden::{ForbiddenCheck, Mismatch, check_forbidden, crowded_setup};
