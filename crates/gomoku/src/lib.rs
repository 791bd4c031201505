//! Gomoku: rules, players, file formats, the Gomocup protocol, and an engine with trained nets.
//!
//! Play legal moves ([`rules`]):
//!
//! ```
//! use gomoku::rules::{Point, Position, Rule, Status};
//!
//! let mut position = Position::new(Rule::Freestyle, 15)?;
//! for name in ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"] {
//!     position.play(Point::parse(name, 15)?)?;
//! }
//! assert!(matches!(position.status(), Status::Won { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Search for the best move ([`engine`]):
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use gomoku::engine::{Config, Engine, SearchLimits};
//! use gomoku::rules::{Color, Point, Rule};
//!
//! let mut engine = Engine::new(Config { table_mb: 1, ..Config::new(Rule::Freestyle, 15) })?;
//! let stones = [(Point::new(7, 7), Color::Black)];
//! let report =
//!     engine.search(&stones, Color::White, &SearchLimits::nodes(500), &AtomicBool::new(false), &mut |_| {})?;
//! println!("{:?}, win probability {:.2}", report.best, report.lines[0].win_probability);
//! # Ok::<(), gomoku::engine::EngineError>(())
//! ```
//!
//! Convert a game between file formats ([`formats`]):
//!
//! ```
//! use gomoku::formats::{self, Format};
//!
//! let game = formats::read("h8i9h9h10", 15)?;
//! assert!(formats::write(&game, Format::Sgf).contains(";B[hh];W[ig]"));
//! # Ok::<(), formats::FormatError>(())
//! ```

pub mod engine;
pub mod eval;
pub mod formats;
pub mod players;
pub mod protocol;
pub mod rules;
pub mod services;
pub mod table;

pub use table::Gomoku;
