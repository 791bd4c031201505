//! What one may ask of a table.

use crate::api::{Acknowledged, Act, Rematch, SeatWish, Seated, Undo, ViewAt};
use crate::error::Answer;
use catalog::{AnyView, BotDecision, ErasedBot};
use game::{BotError, Progress, Seat, Viewer};
use serde_json::Value;
use std::sync::Arc;
use store::SecretHash;
use tokio::sync::{mpsc, oneshot, watch};

/// Who asks: a guest by cookie, or a program that holds the secret of a seat, or neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    pub guest: Option<String>,
    pub token: Option<SecretHash>,
}

/// An open socket as the table sees it.
pub struct Subscriber {
    pub caller: Caller,
    /// The seat it asked to look from.
    pub seat: Option<Seat>,
    /// The newest view; a slow socket skips older ones.
    pub latest: watch::Sender<Option<Arc<str>>>,
    /// Short-lived messages; dropped when the socket does not keep up.
    pub passing: mpsc::Sender<Arc<str>>,
}

pub type Reply<T> = oneshot::Sender<Answer<T>>;

/// What one may ask of a table.
pub enum Ask {
    Show {
        caller: Caller,
        seat: Option<Seat>,
        reply: Reply<Arc<str>>,
    },
    ViewAt {
        caller: Caller,
        seat: Option<Seat>,
        ply: u32,
        reply: Reply<ViewAt>,
    },
    Act {
        caller: Caller,
        act: Act,
        reply: Reply<Acknowledged>,
    },
    Undo {
        caller: Caller,
        undo: Undo,
        reply: Reply<Acknowledged>,
    },
    Redo {
        caller: Caller,
        reply: Reply<Acknowledged>,
    },
    Resign {
        caller: Caller,
        seat: Option<Seat>,
        reply: Reply<Acknowledged>,
    },
    Rematch {
        caller: Caller,
        reply: Reply<Rematch>,
    },
    Sit {
        caller: Caller,
        seat: Seat,
        wish: SeatWish,
        reply: Reply<Seated>,
    },
    Stand {
        caller: Caller,
        seat: Seat,
        reply: Reply<Acknowledged>,
    },
    /// The caller's view for a service, and whether services may be asked for now.
    ForService {
        caller: Caller,
        seat: Option<Seat>,
        reply: Reply<ForService>,
    },
    Subscribe {
        subscriber: Subscriber,
        since: Option<i64>,
        reply: Reply<u64>,
    },
    Unsubscribe {
        id: u64,
    },
    /// Sends everything that happened after `since`, and the present view.
    CatchUp {
        id: u64,
        since: i64,
    },
    Presence {
        id: u64,
        body: Value,
    },
    /// How far a service of `caller` has come; goes to the caller's own sockets only.
    ServiceProgress {
        caller: Caller,
        service: String,
        id: Option<String>,
        progress: Progress,
    },
    BotProgress {
        ticket: u64,
        seat: Seat,
        progress: Progress,
    },
    BotDone {
        ticket: u64,
        seat: Seat,
        level: String,
        bot: Option<Box<dyn ErasedBot>>,
        result: Result<BotDecision, BotError>,
    },
    /// The log has grown to this sequence number, perhaps at another server.
    Grown {
        seq: i64,
    },
    /// Nobody may be looking after the table.
    Attend,
    /// What the table's task at another server says.
    Elsewhere {
        server: String,
        text: String,
    },
    /// Another server has gone.
    Gone {
        server: String,
    },
    /// Ends the game if nobody has come for long.
    Abandon {
        reply: Reply<bool>,
    },
    Stop,
}

/// What a service gets from a table.
pub struct ForService {
    pub viewer: Viewer,
    pub view: AnyView,
    pub running: bool,
    pub help: bool,
    pub game: Arc<dyn catalog::ErasedGame>,
}
