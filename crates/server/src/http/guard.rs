//! What every request passes: how many at once, how often, from which page; and the headers of every answer.

use super::App;
use super::identity::credentials;
use crate::config::{Limits, Rate};
use crate::counts::Counts;
use crate::error::{Answer, ApiError};
use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Counts requests and says when there are too many.
pub struct Guard {
    in_flight: AtomicUsize,
    most_in_flight: usize,
    by_address: Arc<Counts>,
    callers: DefaultKeyedRateLimiter<String>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    making: DefaultKeyedRateLimiter<IpAddr>,
    /// Passwords tried, by address and by name.
    signing: DefaultKeyedRateLimiter<String>,
    clock: DefaultClock,
}

/// The quota of a rate.
pub fn quota(rate: Rate) -> Quota {
    let some = |number: u32| NonZeroU32::new(number.max(1)).unwrap_or(NonZeroU32::MIN);
    Quota::per_second(some(rate.per_second)).allow_burst(some(rate.burst))
}

impl Guard {
    pub fn new(limits: &Limits) -> Self {
        Self {
            in_flight: AtomicUsize::new(0),
            most_in_flight: limits.in_flight,
            by_address: Counts::new(limits.in_flight_per_address),
            callers: RateLimiter::keyed(quota(limits.per_caller)),
            addresses: RateLimiter::keyed(quota(limits.per_address)),
            making: RateLimiter::keyed(quota(limits.making)),
            signing: RateLimiter::keyed(quota(limits.signing)),
            clock: DefaultClock::default(),
        }
    }

    /// Forgets callers that have been quiet.
    pub fn sweep(&self) {
        self.callers.retain_recent();
        self.addresses.retain_recent();
        self.making.retain_recent();
        self.signing.retain_recent();
    }

    /// Whether a password may be tried now for this name, or from where the name stands.
    pub fn may_sign(&self, name: &str) -> Answer<()> {
        self.signing.check_key(&name.to_owned()).map_err(|until| self.later(&until))
    }

    /// Whether the sender may make another table or guest now.
    pub fn may_make(&self, parts: &Parts) -> Answer<()> {
        self.making.check_key(&address(parts)).map_err(|until| self.later(&until))
    }

    fn may_ask(&self, parts: &Parts) -> Answer<()> {
        let address = address(parts);
        self.addresses.check_key(&address).map_err(|until| self.later(&until))?;
        let (guest, token) = credentials(&parts.headers);
        let caller = token.or(guest).map_or_else(|| address.to_string(), |secret| secret.hash().as_str().to_owned());
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

/// Where a request comes from.
pub struct Sender(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Sender {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(address(parts)))
    }
}

/// A request being answered.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Lets a request in, or says why not.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let guard = &app.guard;
    let busy = guard.in_flight.fetch_add(1, Ordering::Relaxed);
    let _place = Place(&guard.in_flight);
    if busy >= guard.most_in_flight {
        metrics::counter!("parlour_refused_total", "why" => "busy").increment(1);
        return ApiError::busy("limits.busy", "the house is full: try again in a moment").into_response();
    }
    let (parts, body) = request.into_parts();
    let Some(_one_of_an_address) = guard.by_address.one_more(address(&parts)) else {
        metrics::counter!("parlour_refused_total", "why" => "crowd").increment(1);
        return ApiError::busy("limits.crowd", "too many requests from your address are being answered")
            .into_response();
    };
    // What no route takes is not waited for.
    let length = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > app.house.config.limits.service_body as u64) {
        return ApiError::too_large().into_response();
    }
    let allowed = guard.may_ask(&parts).and_then(|()| same_origin(&parts, &app.house.config.public_url));
    if let Err(error) = allowed {
        return error.into_response();
    }
    next.run(Request::from_parts(parts, body)).await
}

/// Pages of other origins may neither change anything nor open sockets. Programs send no origin.
fn same_origin(parts: &Parts, public_url: &str) -> Answer<()> {
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

/// The name of a method, or that it is none of ours: callers may make up as many as they like.
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

/// Counts and logs every answer, and sets the headers that every one has.
pub async fn answer(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = known(request.method());
    // the route, never the path: that names tables, and whoever knows a private one may watch it
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    let (took, status) = (begun.elapsed(), response.status().as_u16());
    let route = route.as_ref().map_or("page", MatchedPath::as_str);
    app.house.figures.answered(status);
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
