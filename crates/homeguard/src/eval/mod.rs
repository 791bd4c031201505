//! Quality measured against simulated raters with known utilities.
//!
//! - [`raters`]: the utilities and the noisy ratings they give.
//! - [`sessions`]: rating sessions and the lift of the proposed maps.

pub mod raters;
pub mod sessions;
