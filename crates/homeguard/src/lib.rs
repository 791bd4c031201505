//! Homeguard: a tactics game for two sides of two soldiers on maps of rocks, trees and portals, and a system that
//! learns which maps a player likes. After P. Šindelář, *Procedurální generování obsahu do tahové strategické hry*
//! (Procedural content generation for a turn-based strategy game), bachelor's thesis, Charles University, 2024.
//!
//! One round on an empty map, greedy against maximin:
//!
//! ```
//! use homeguard::players::{GreedyPolicy, MaximinPolicy, OneRoundPolicy};
//! use homeguard::rules::{Battlefield, Faction, Map, Orders, Size, Troops};
//!
//! let board = Battlefield::new(Map::empty(Size::DEFAULT));
//! let mut troops = Troops::start(&board);
//! let home = GreedyPolicy.orders(&board, &troops, Faction::Home);
//! let away = MaximinPolicy.orders(&board, &troops, Faction::Away);
//! let round = troops.play(&board, Orders::of(home, away));
//! assert_eq!(round.moves.len(), 4);
//! assert_eq!(troops.score(), 0, "nobody is in range after one round");
//! ```
//!
//! - [`rules`]: maps, rounds, fire, score, end of the game; map generators.
//! - [`engine`]: search, playthrough trees, preference learning.
//! - [`players`]: the opponents of the thesis and the levels people meet.
//! - [`formats`]: the text and tensor files of the thesis, and JSON.
//! - [`table`]: the game at a table of the server, with its services.
//! - [`eval`]: simulated raters that measure the proposals.

pub mod engine;
pub mod eval;
pub mod formats;
pub mod players;
pub mod rules;
mod services;
pub mod table;

pub use table::Homeguard;
