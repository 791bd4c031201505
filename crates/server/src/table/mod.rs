//! Tables: the room in memory, the task that owns it, what it shows to whom, and the list of live ones.

mod actor;
mod ask;
mod bots;
mod hub;
mod present;
mod room;
mod summary;

pub use actor::level_of;
pub use ask::{Ask, Caller, Subscriber};
pub use hub::{Hub, Plan, to_json};
pub use present::Names;
pub use room::Sitter;
pub use summary::{Summary, list_line};
