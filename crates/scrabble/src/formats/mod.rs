//! Files, notations and protocols shared with other programs: CGP, GCG, UCGI, HTML reports.

mod cgp;
pub mod gcg;
pub mod html;
pub mod notation;
pub mod ucgi;

pub use cgp::{Cgp, CgpError};
