//! Word meaning: vectors, glosses, relations, co-occurrence, and the association model built on them.
//!
//! [`Language::open`] maps the packs of a language and offers
//! - [`Language::words`]: the vocabulary, [`WordId`] ↔ text,
//! - [`Language::vectors`]: unit vectors, similarity and exact nearest neighbours,
//! - [`Language::vector`]: a vector for any word, from character n-grams if the word is unknown,
//! - [`Language::lemma`], [`Language::stem`]: base forms and stems,
//! - [`Language::glosses`], [`Language::relations`], [`Language::cooccurrence`], [`Language::hand`],
//! - [`assoc::Assoc`]: the association of a clue and a word, with reasons,
//! - [`clue::ClueScorer`]: features of a crossword clue for every word of a length,
//! - [`encoder::TextEncoder`]: unit vectors of whole texts by a sentence encoder,
//! - [`sentence::vector`]: vectors of whole clues by the four methods of Gdowski 2019 and a weighted mean.
//!
//! The crate opens only the files whose paths it is given.
//!
//! ```
//! use semantics::files;
//!
//! // vectors of other programs: word2vec text, word2vec binary, fastText
//! let vectors = files::read(b"3 2\nking 1 0.2\nqueen 0.9 0.3\nbread 0 1\n")?;
//! let nearest = vectors.nearest(&["king"], &[], 1).unwrap();
//! assert_eq!(nearest[0].0, "queen");
//! # Ok::<(), files::FileError>(())
//! ```

pub mod assoc;
pub mod clue;
pub mod cooccurrence;
pub mod corpus;
pub mod encoder;
pub mod eval;
pub mod files;
pub mod glosses;
pub mod hand;
mod kernel;
mod language;
pub mod lemmas;
pub mod logit;
pub mod ngrams;
pub mod pack;
pub mod phrases;
pub mod readings;
pub mod relations;
pub mod retrieval;
pub mod sentence;
pub mod tokens;
pub mod vectors;
pub mod words;

pub use assoc::Assoc;
pub use clue::ClueScorer;
pub use glosses::Glosses;
pub use language::{GROUPS, Language};
pub use pack::{Pack, PackError};
pub use readings::Readings;
pub use relations::{Relation, Relations};
pub use vectors::Vectors;
pub use words::{Vocabulary, WordFlags, WordId};
