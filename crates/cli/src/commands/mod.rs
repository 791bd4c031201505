//! One file per sub-command; each has `Args` (clap) and `run`.

pub mod version;
