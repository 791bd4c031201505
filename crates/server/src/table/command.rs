//! The commands that a table's task accepts.

use crate::api::{Acknowledged, ActionRequest, Rematch, SeatRequest, Seated, UndoRequest, ViewAt};
use crate::error::ApiResult;
use catalog::{AnyView, BotDecision, ErasedBot};
use game::{BotError, Progress, Seat, Viewer};
use serde_json::Value;
use std::sync::Arc;
use store::SecretHash;
use tokio::sync::{mpsc, oneshot, watch};

/// Who sends a command: a guest by cookie, a program with the token of a seat, or neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    pub guest: Option<String>,
    pub token: Option<SecretHash>,
}

/// An open socket as the table sees it.
pub struct Subscriber {
    pub caller: Caller,
    /// The seat it wants to look from.
    pub seat: Option<Seat>,
    /// The newest view; a slow socket skips older ones.
    pub latest: watch::Sender<Option<Arc<str>>>,
    /// Short-lived messages; dropped when the socket does not keep up.
    pub transient: mpsc::Sender<Arc<str>>,
}

pub type Reply<T> = oneshot::Sender<ApiResult<T>>;

/// What a table's task can be told to do. Variants with `reply` are answered.
pub enum TableCommand {
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
        act: ActionRequest,
        reply: Reply<Acknowledged>,
    },
    Undo {
        caller: Caller,
        undo: UndoRequest,
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
        request: SeatRequest,
        reply: Reply<Seated>,
    },
    Stand {
        caller: Caller,
        seat: Seat,
        reply: Reply<Acknowledged>,
    },
    /// Whether the caller has a seat.
    IsSeated {
        caller: Caller,
        reply: Reply<bool>,
    },
    /// The caller's view for a service, and whether services are allowed now.
    ServiceContext {
        caller: Caller,
        seat: Option<Seat>,
        reply: Reply<ServiceContext>,
    },
    Subscribe {
        subscriber: Subscriber,
        since: Option<i64>,
        reply: Reply<u64>,
    },
    Unsubscribe {
        id: u64,
    },
    /// Sends the events after `since` and the current view.
    Resume {
        id: u64,
        since: i64,
    },
    Presence {
        id: u64,
        body: Value,
    },
    /// Progress of a service; goes to the caller's own sockets only.
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
    LogGrown {
        seq: i64,
    },
    /// The table may have no server that schedules its bots and clocks.
    CheckLease,
    /// A message of the table's task at another server.
    PeerMessage {
        server: String,
        text: String,
    },
    /// Another server has gone.
    PeerGone {
        server: String,
    },
    /// Closes the game without a result, unless somebody watches.
    Abandon {
        reply: Reply<bool>,
    },
    Stop,
}

/// What a service gets from a table.
pub struct ServiceContext {
    pub viewer: Viewer,
    pub view: AnyView,
    pub running: bool,
    pub help: bool,
    pub game: Arc<dyn catalog::ErasedGame>,
}

impl TableCommand {
    /// Whether it comes from a caller, whom another server may have acknowledged a change before.
    pub(super) fn is_from_caller(&self) -> bool {
        !self.is_between_servers()
            && !matches!(
                self,
                Self::Unsubscribe { .. }
                    | Self::Presence { .. }
                    | Self::ServiceProgress { .. }
                    | Self::BotProgress { .. }
                    | Self::BotDone { .. }
                    | Self::Stop
            )
    }

    /// Whether it comes from another server: no sign that anybody uses the table here.
    pub(super) fn is_between_servers(&self) -> bool {
        matches!(self, Self::LogGrown { .. } | Self::CheckLease | Self::PeerMessage { .. } | Self::PeerGone { .. })
    }
}
