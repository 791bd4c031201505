//! Middleware: limits on requests at once and per second, the check of their origin, the headers of every answer.

use super::GuestCache;
use super::HttpState;
use super::identity::credentials;
use crate::address_limit::{AddressLimit, counted};
use crate::config::{Rate, ServerLimits};
use crate::error::{ApiError, ApiResult};
use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::collections::HashSet;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use store::SecretHash;

/// Admits requests within the limits.
pub struct Admission {
    in_flight: AtomicUsize,
    most_in_flight: usize,
    by_address: Arc<AddressLimit>,
    callers: DefaultKeyedRateLimiter<String>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    creation: DefaultKeyedRateLimiter<IpAddr>,
    /// Password attempts, by address and by account name.
    passwords: DefaultKeyedRateLimiter<String>,
    clock: DefaultClock,
    /// Hashes of seat tokens that have acted for a seat: only they have a rate of their own.
    proven: Mutex<HashSet<String>>,
}

/// Most seat tokens that are remembered as proven.
const PROVEN: usize = 100_000;

/// The quota of a rate.
pub fn quota(rate: Rate) -> Quota {
    let some = |number: u32| NonZeroU32::new(number.max(1)).unwrap_or(NonZeroU32::MIN);
    Quota::per_second(some(rate.per_second)).allow_burst(some(rate.burst))
}

impl Admission {
    pub fn new(limits: &ServerLimits) -> Self {
        Self {
            in_flight: AtomicUsize::new(0),
            most_in_flight: limits.in_flight,
            by_address: AddressLimit::new(limits.in_flight_per_address),
            callers: RateLimiter::keyed(quota(limits.per_caller)),
            addresses: RateLimiter::keyed(quota(limits.per_address)),
            creation: RateLimiter::keyed(quota(limits.creation)),
            passwords: RateLimiter::keyed(quota(limits.passwords)),
            clock: DefaultClock::default(),
            proven: Mutex::default(),
        }
    }

    /// Forgets callers that have been quiet.
    pub fn sweep(&self) {
        self.callers.retain_recent();
        self.addresses.retain_recent();
        self.creation.retain_recent();
        self.passwords.retain_recent();
    }

    /// Whether a password may be tried now under this key: an account name or an address.
    pub fn check_password_rate(&self, name: &str) -> ApiResult<()> {
        self.passwords.check_key(&name.to_owned()).map_err(|until| self.later(&until))
    }

    /// Whether the sender may create another table or guest now.
    pub fn check_creation_rate(&self, parts: &Parts) -> ApiResult<()> {
        self.creation.check_key(&counted(address(parts))).map_err(|until| self.later(&until))
    }

    /// Remembers a token that has acted for a seat.
    pub fn prove(&self, token: &SecretHash) {
        let mut proven = self.proven.lock().expect("no panic while held");
        if proven.len() >= PROVEN {
            proven.clear();
        }
        proven.insert(token.as_str().to_owned());
    }

    /// Counts a request against its address, and against its caller: a known guest, a seat token that has acted, or
    /// for everybody else the address. Cookies and tokens that somebody makes up share one rate.
    fn check_request_rate(&self, parts: &Parts, guests: &GuestCache) -> ApiResult<()> {
        let address = counted(address(parts));
        self.addresses.check_key(&address).map_err(|until| self.later(&until))?;
        let (guest, token) = credentials(&parts.headers);
        let is_proven = |token: &SecretHash| self.proven.lock().expect("no panic while held").contains(token.as_str());
        let token = token.map(|token| token.hash()).filter(is_proven);
        let guest = guest.map(|guest| guest.hash()).filter(|hash| guests.knows(hash));
        let caller = token.or(guest).map_or_else(|| address.to_string(), |hash| hash.as_str().to_owned());
        self.callers.check_key(&caller).map_err(|until| self.later(&until))
    }

    fn later(&self, until: &governor::NotUntil<governor::clock::QuantaInstant>) -> ApiError {
        metrics::counter!("parlour_refused_total", "why" => "rate").increment(1);
        ApiError::too_many(until.wait_time_from(self.clock.now()).as_secs_f64().ceil() as u64)
    }
}

pub(super) fn address(parts: &Parts) -> IpAddr {
    let connected = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    connected.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(address)| address.ip())
}

/// The address a request comes from.
pub struct RemoteAddress(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for RemoteAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(address(parts)))
    }
}

/// A request being answered.
struct InFlight<'a>(&'a AtomicUsize);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Admits a request, or refuses it with a reason.
pub async fn admit(State(http): State<HttpState>, request: Request, next: Next) -> Response {
    if !is_known_host(request.headers(), &http.app.config.public_url) {
        let message = "this server does not answer under that name: start it with --public-url";
        return ApiError::forbidden("request.host", message).into_response();
    }
    let admission = &http.admission;
    let busy = admission.in_flight.fetch_add(1, Ordering::Relaxed);
    let _in_flight = InFlight(&admission.in_flight);
    if busy >= admission.most_in_flight {
        metrics::counter!("parlour_refused_total", "why" => "busy").increment(1);
        return ApiError::busy("limits.busy", "the server is busy: try again in a moment").into_response();
    }
    let (parts, body) = request.into_parts();
    let Some(_permit) = admission.by_address.acquire(address(&parts)) else {
        metrics::counter!("parlour_refused_total", "why" => "crowd").increment(1);
        return ApiError::busy("limits.crowd", "too many requests from your address are being answered")
            .into_response();
    };
    // A body that no route accepts is refused before it arrives.
    let length = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > http.app.config.limits.service_body as u64) {
        return ApiError::too_large().into_response();
    }
    let allowed = admission
        .check_request_rate(&parts, &http.guests)
        .and_then(|()| same_origin(&parts, &http.app.config.public_url));
    if let Err(error) = allowed {
        return error.into_response();
    }
    next.run(Request::from_parts(parts, body)).await
}

/// Whether a request names this server: the public address, an IP address, or a name that only a local network gives.
/// A page of another origin cannot reach the server under its own name by pointing that name here (DNS rebinding).
fn is_known_host(headers: &HeaderMap, public_url: &str) -> bool {
    const LOCAL: [&str; 6] = [".local", ".localhost", ".lan", ".internal", ".home.arpa", ".test"];
    let Some(host) = headers.get(header::HOST).and_then(|host| host.to_str().ok()) else { return true };
    let name = |authority: &str| match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name.to_ascii_lowercase(),
        _ => authority.to_ascii_lowercase(),
    };
    let host = name(host);
    let public = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().is_ok()
        || !host.contains('.')
        || host == name(public.split('/').next().unwrap_or_default())
        || LOCAL.iter().any(|suffix| host.ends_with(suffix))
}

/// Pages of other origins may neither change anything nor open sockets. Programs that are no browsers send no origin.
fn same_origin(parts: &Parts, public_url: &str) -> ApiResult<()> {
    let opens_socket = parts.headers.contains_key(header::UPGRADE);
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) && !opens_socket {
        return Ok(());
    }
    let Some(origin) = parts.headers.get(header::ORIGIN) else { return Ok(()) };
    if origin.to_str().is_ok_and(|origin| is_own(origin, &parts.headers, public_url)) {
        return Ok(());
    }
    Err(ApiError::forbidden("request.origin", "requests from pages of other origins are not answered"))
}

fn is_own(origin: &str, headers: &HeaderMap, public_url: &str) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let by_host = host
        .is_some_and(|host| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) == Some(host));
    by_host || origin == public_url
}

/// A method's name for metrics and logs; callers may invent methods, so unknown ones share a name.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// Scripts, styles and connections only from this server; nothing inline, nothing framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      font-src 'self'; media-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Counts and logs every answer, and sets the headers that all answers have.
pub async fn finish(State(http): State<HttpState>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = known(request.method());
    // The route, never the path: a path names a table, and a private table's id lets its reader watch it.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    let (took, status) = (begun.elapsed(), response.status().as_u16());
    let route = route.as_ref().map_or("page", MatchedPath::as_str);
    http.app.counters.answered(status);
    let class = ["1xx", "2xx", "3xx", "4xx", "5xx"][usize::from(status / 100).clamp(1, 5) - 1];
    let labels = [("method", method.to_owned()), ("route", route.to_owned()), ("status", class.to_owned())];
    metrics::counter!("parlour_requests_total", &labels).increment(1);
    metrics::histogram!("parlour_request_seconds", "route" => route.to_owned()).record(took);
    tracing::info!(method, route, status, ms = took.as_millis() as u64, "answered");
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_ours_or_local_are_answered() {
        let ask = |host: &str| {
            let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_str(host).expect("a header"))]);
            is_known_host(&headers, "https://play.example.org/parlour")
        };
        for host in
            ["play.example.org", "PLAY.example.org:443", "127.0.0.1:8080", "[::1]:8080", "laptop", "laptop.local:8080"]
        {
            assert!(ask(host), "{host}");
        }
        for host in ["evil.example", "play.example.org.evil.example", "127.0.0.1.evil.example:8080"] {
            assert!(!ask(host), "{host}");
        }
    }
}
