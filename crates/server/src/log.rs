//! The log filter: logs say what the server does and never contain what players send.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// Crates that would log whole messages, headers and statements at detailed levels.
const WIRE: [&str; 8] =
    ["async_nats", "h2", "hyper", "hyper_util", "rustls", "sqlx", "tokio_tungstenite", "tungstenite"];

/// A filter of log lines, such as `info` or `server=debug`. Crates that handle raw bytes only warn, whatever is asked:
/// cookies, passwords, racks and clues go through them.
pub fn log_filter(request: &str) -> Result<EnvFilter, ParseError> {
    WIRE.iter().try_fold(EnvFilter::try_new(request)?, |filter, name| {
        Ok(filter.add_directive(format!("{name}=warn").parse()?))
    })
}
