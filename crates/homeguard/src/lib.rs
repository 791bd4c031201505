//! Homeguard: a tactics game for two sides of two soldiers on maps of rocks, trees and portals, and the machinery
//! that learns which maps a player likes. After the study "Homeguard" (Czech, 2024).
//!
//! - [`rules`]: boards, rounds, fire, score; total by construction.
//! - [`players`]: greedy, maximin, deeper maximin and the mixed-strategy searcher, and the levels for people.
//! - [`tree`]: branch-limited playthrough trees and their statistics.
//! - [`maps`]: genomes and the two generators.
//! - [`taste`]: what a player likes, learned from ratings; proposals; profiles.
//! - [`table`]: the game at a table of the house, with its services.
//! - [`formats`]: the study's text and tensor files, and JSON.

pub mod formats;
pub mod maps;
pub mod players;
pub mod rules;
mod services;
pub mod table;
pub mod taste;
pub mod tree;

pub use table::Homeguard;
