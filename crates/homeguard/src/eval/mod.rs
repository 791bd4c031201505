//! Quality measured against simulated raters with known utilities.
//!
//! - [`raters`]: the utilities and the noisy ratings they give.
//! - [`sessions`]: rating sessions of the sixteen fixed raters and the lift of the proposed maps.
//! - [`population`], [`observed`]: raters in groups, half for design and half held out, and what they observe.
//! - [`trials`]: blind trials of the model and of baselines on that population.

pub mod observed;
pub mod population;
pub mod raters;
pub mod sessions;
pub mod trials;
