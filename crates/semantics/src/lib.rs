//! Word meaning: vectors, glosses, links between words, associations, and what is built on them.
//!
//! Start with [`Language::open`]; it maps the packs of a language and offers
//! - [`Language::words`]: the vocabulary, [`WordId`] ↔ text,
//! - [`Language::vectors`]: unit vectors, similarity and exact nearest neighbours,
//! - [`Language::vector`]: a vector for any word, unknown ones from their n-grams,
//! - [`Language::lemma`], [`Language::stem`]: base forms and stems,
//! - [`Language::glosses`], [`Language::relations`], [`Language::cooccurrence`], [`Language::hand`],
//! - [`assoc::Assoc`]: how strongly a clue makes people think of a word, with reasons,
//! - [`clue::ClueScorer`]: evidence of a crossword clue for every word of a length,
//! - [`sentence::vector`]: vectors of whole clues by the crossword study's four methods and a better one.
//!
//! Nothing here does I/O except opening files that are named to it.

pub mod assoc;
pub mod clue;
pub mod cooccurrence;
pub mod corpus;
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
pub use words::{WordFlags, WordId, Words};
