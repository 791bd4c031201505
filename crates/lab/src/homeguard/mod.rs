//! Long-running work of Homeguard: tree files, evaluation of the preference model, and the experiments of
//! Šindelář 2024.
//!
//! - [`trees`]: tree files; [`tree_work`] grows the trees as jobs of the queue.
//! - [`preference`]: the preference model against simulated raters.
//! - [`trials`]: blind trials of the preference model on a population of raters.
//! - [`mod@matches`]: matches between levels.
//! - [`dataset`], [`embeddings`], [`experiment`], [`report`]: the elimination experiments (chapter 7).
//! - [`encode_work`] trains the encoder and [`measure_work`] measures maps as jobs of the queue.
//! - [`config`]: its configuration file with lists that expand to many runs.
//! - [`demo`]: the picture of the four elimination algorithms on a thousand points.

pub mod config;
pub mod dataset;
pub mod demo;
pub mod embeddings;
pub mod encode_work;
pub mod experiment;
pub mod matches;
pub mod measure_work;
pub mod preference;
pub mod report;
pub mod run;
mod tree_bytes;
pub mod tree_work;
pub mod trees;
pub mod trials;
