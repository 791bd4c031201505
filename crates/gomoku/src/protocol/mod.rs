//! The Gomocup protocol as a pure state machine: lines in, steps out. The caller reads, writes and thinks.
//!
//! A caller feeds every line to [`Session::line`] and executes the [`Step`]. It hands a chosen move to
//! [`Session::played`] or [`Session::opened`], which return the line to send.

mod clock;
mod command;
mod message;
mod session;

pub use clock::TimeControl;
pub use command::{Command, CommandError, InfoKey};
pub use message::{Detail, thought_messages};
pub use session::{Owner, Session, Step, ThinkRequest};
