//! Tables: the room in memory, the task that owns it, what it shows to whom, and the list of live ones.

mod actor;
mod ask;
mod bots;
mod disclosure;
mod distant;
mod early;
mod hub;
mod names;
mod play;
mod room;
mod seating;
mod summary;
mod together;

pub use ask::{Ask, Caller, Subscriber};
pub use disclosure::{Surroundings, exported};
pub use hub::{Hub, Plan, Replayed, replay, to_json};
pub use names::Names;
pub use room::Sitter;
pub use seating::level_of;
#[cfg(test)]
pub use summary::SeatLine;
pub use summary::{Summary, list_line};
