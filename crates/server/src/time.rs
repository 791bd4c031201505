//! The server's time: the wall clock when the process started, counted on by a clock that never jumps.

use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

static START: LazyLock<(i64, Instant)> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_millis() as i64, Instant::now())
});

/// Milliseconds since 1970, never going backwards while the process lives.
pub fn now_ms() -> i64 {
    START.0 + START.1.elapsed().as_millis() as i64
}
