//! Scrabble in any language: rules, move generation, players, exact endgames, records of games.
//!
//! The vocabulary is that of MAGPIE, wolges and Quackle: leave, anchor, cross-set, equity, rollout, bag, rack.
//!
//! ```
//! use lexicon::{Alphabet, LexiconBuilder};
//! use scrabble::engine::movegen::{MoveGenerator, NoLeaves, Rack};
//! use scrabble::{Dictionary, Layout, TileBoard, formats::notation, with_graph};
//!
//! let mut builder = LexiconBuilder::new(Alphabet::shipped("en").unwrap());
//! builder.add_text("cat\ncats\nact\nat\n");
//! let dictionary = Dictionary::new(builder.build().unwrap()).unwrap();
//! let layout = Layout::named("standard").unwrap();
//! let board = TileBoard::new(&layout);
//! let rack = Rack::new(&dictionary.alphabet().encode_rack("SCAT").unwrap(), &NoLeaves);
//! let best = with_graph!(dictionary, graph => {
//!     MoveGenerator::new(graph, dictionary.values(), &layout).best(&board, &rack, i32::MIN / 8)
//! });
//! let play = best.unwrap().play;
//! assert_eq!(notation::play_text(dictionary.alphabet(), &board, &play), "8G CATS");
//! assert_eq!(play.score, 12);
//! ```

pub mod engine;
pub mod eval;
pub mod formats;
pub mod players;
mod rules;
pub mod services;
pub mod table;

pub use engine::{LeaveError, LeaveModel, pair_index, triple_index};
pub use rules::*;
