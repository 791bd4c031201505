//! Positions and games as text.

mod cgp;
pub mod gcg;
pub mod html;
pub mod notation;

pub use cgp::{Cgp, CgpError};
