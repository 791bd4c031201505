//! Homeguard's long-running work: trees by the thousand, judging the taste model, and the study's experiments.
//!
//! - [`trees`]: the study's tree files; [`tree_work`] grows the trees as jobs of the queue.
//! - [`taste`]: the taste model against simulated players.
//! - [`dataset`], [`embeddings`], [`experiment`], [`report`]: the study's experiments on elimination (chapter 7).
//! - [`encoder`]: the study's network; [`encoding`] trains it and [`measuring`] measures maps as jobs of the queue.
//! - [`config`]: its configuration file with lists that expand to many runs.
//! - [`demo`]: the picture of the four elimination algorithms on a thousand points.

pub mod config;
pub mod contest;
pub mod dataset;
pub mod demo;
pub mod embeddings;
pub mod encoder;
pub mod encoding;
pub mod experiment;
pub mod measuring;
pub mod report;
pub mod run;
pub mod stats;
pub mod taste;
mod tree_bytes;
pub mod tree_work;
pub mod trees;
