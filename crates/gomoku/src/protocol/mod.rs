//! The Gomocup protocol as a pure state machine: lines in, steps out. Reading, writing and thinking are the caller's.
//!
//! A caller feeds every line to [`Session::line`] and does what the [`Step`] says; when a move was thought out it is
//! handed to [`Session::played`] or [`Session::opened`], which give the line to send.

mod clock;
mod command;
mod session;

pub use clock::TimeControl;
pub use command::{Command, CommandError, Info};
pub use session::{Owner, Question, Session, Step};
