//! Search budgets, and the handle that stops a search and reports its progress.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use utoipa::ToSchema;

/// The resources for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Units of work, for instance search nodes. The same seed gives the same decision on every machine.
    Nodes(u64),
    /// Wall-clock time. Such decisions are reproduced from the log, not from the seed.
    Time(Duration),
}

/// Progress of a long computation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    /// Completed share, 0 to 1.
    pub done: f64,
    /// One short line for people, e.g. the best move so far.
    pub note: String,
    /// Data for pictures (principal variation, candidates). Each service defines its form.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    #[schema(value_type = Object)]
    pub detail: serde_json::Value,
}

/// Handle of a long computation: requests its stop and receives its progress.
#[derive(Clone, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    listener: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl Control {
    /// A control without a listener.
    pub fn new() -> Self {
        Self::default()
    }

    /// A control that passes progress to `listener`.
    pub fn with_listener(listener: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self { stop: Arc::default(), listener: Some(Arc::new(listener)) }
    }

    /// Requests that the computation stops soon and returns its best result so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The stop flag, for engines that poll it in a hot loop.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Passes progress to the listener, if there is one.
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
