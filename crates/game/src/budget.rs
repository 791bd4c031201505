//! How long a player may think, and how it is stopped.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use utoipa::ToSchema;

/// What a player may spend on one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many units of work; the same seed then gives the same decision on every machine.
    Nodes(u64),
    /// So much time; reproduced from the log, not from the seed.
    Time(Duration),
}

/// How far a long thought has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    /// 0 to 1.
    pub done: f64,
    /// One short line for people, e.g. the best move so far.
    pub note: String,
    /// Data for pictures (principal variation, candidates); its form is the service's own.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    #[schema(value_type = Object)]
    pub detail: serde_json::Value,
}

/// The other end of a long thought: tells it to stop and hears of its progress.
#[derive(Clone, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    listener: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl Control {
    /// A control that nobody listens to and nobody stops.
    pub fn new() -> Self {
        Self::default()
    }

    /// A control whose progress goes to `listener`.
    pub fn with_listener(listener: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self { stop: Arc::default(), listener: Some(Arc::new(listener)) }
    }

    /// Asks the work to stop soon with the best it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for engines that poll it in a hot loop.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Tells the listener, if there is one, how far the work has come.
    pub fn report(&self, progress: Progress) {
        if let Some(listener) = &self.listener {
            listener(progress);
        }
    }
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("stopped", &self.stopped()).finish()
    }
}
