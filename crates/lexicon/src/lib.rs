//! Alphabets, tiles and word graphs: everything a word game needs to know about a language's words.
//!
//! A [`Alphabet`] maps letters (single- or multi-character) to small integers, a [`Lexicon`] holds all words in one
//! node array that is both a DAWG (words forwards) and a GADDAG (every reversed prefix, then the rest of the word),
//! and a [`WalkGraph`] is the same graph unfolded in memory for searches that take millions of steps.
//!
//! ```
//! use lexicon::{Alphabet, LexiconBuilder};
//! let english = Alphabet::shipped("en").unwrap();
//! let mut builder = LexiconBuilder::new(english);
//! builder.add_text("cat\ncats\nat\n");
//! let lexicon = builder.build().unwrap();
//! assert!(lexicon.contains_text("CATS"));
//! assert_eq!(lexicon.words().count(), 3);
//! ```

mod alphabet;
mod arcs;
mod build;
mod file;
mod frequency;
mod graph;
mod propose;
mod query;
mod walk;

pub use alphabet::{Alphabet, AlphabetError, Letter, MAX_LETTERS, SHIPPED, Tile};
pub use build::{BuildError, BuildReport, LexiconBuilder};
pub use file::LoadError;
pub use frequency::{Frequencies, FrequencyError};
pub use graph::{Lexicon, NodeIndex, Words};
pub use propose::propose_tiles;
pub use query::{Hooks, Pattern, PatternError};
pub use walk::{Arc32, Arc64, TooBig, WalkArc, WalkGraph};
