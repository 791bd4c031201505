//! Codenames: rules, legality of clues, spymasters and operatives, and measures of their quality.
//!
//! [`Codenames`] implements [`game::Game`]; [`LanguageModel`] scores clues against board words in one language; [`players`]
//! gives clues and guesses with it; [`eval`] measures the players on human turns and against each other. The players called
//! *jares* follow Jareš 2019 (`docs/codenames.md`).
//!
//! ```
//! use codenames::rules::{ClueLegality, Number, RefusalKind, Strictness};
//!
//! // without a language the rules go by spelling alone
//! let legality = ClueLegality::new(None, Strictness::Standard);
//! assert!(legality.check("ocean", &["whale", "snowman"]).is_ok());
//! let refusal = legality.check("snow", &["whale", "snowman"]).unwrap_err();
//! assert_eq!((refusal.kind, refusal.word.as_deref()), (RefusalKind::Contains, Some("snowman")));
//!
//! // a number allows one guess more; 0 and ∞ set no limit
//! assert_eq!(Number::parse("3").and_then(Number::guesses), Some(4));
//! assert_eq!(Number::parse("∞").and_then(Number::guesses), None);
//! ```

pub mod engine;
pub mod eval;
pub mod formats;
pub mod players;
pub mod rules;
pub mod services;
pub mod table;

pub use engine::meaning::LanguageModel;
pub use table::Codenames;
