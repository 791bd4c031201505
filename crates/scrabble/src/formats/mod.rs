//! Positions and games as text.

mod cgp;
pub mod notation;

pub use cgp::{Cgp, CgpError};
