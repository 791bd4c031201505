//! Who sends a request: guests by cookie, programs by the token of a seat.

use super::HttpState;
use crate::address_limit::counted;
use crate::error::{ApiError, ApiResult};
use crate::table::Caller;
use crate::{ids, time};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use store::{GuestRow, Secret, SecretHash};

/// The cookie that holds a guest's secret.
pub const COOKIE: &str = "parlour_guest";
/// Most guests in the cache.
const CACHED: usize = 100_000;
/// How long a guest stays cached: another server may have ended the session.
const CACHED_FOR: Duration = Duration::from_secs(60);
const YEAR_SECONDS: u32 = 365 * 86_400;

/// A guest as requests need it.
#[derive(Clone, Debug)]
pub struct Guest {
    pub id: String,
    pub name: String,
}

/// The guests of recent requests, by the hash of their secret.
#[derive(Default)]
pub struct GuestCache {
    by_secret: Mutex<HashMap<String, (Guest, Instant)>>,
}

impl GuestCache {
    fn get(&self, hash: &SecretHash) -> Option<Guest> {
        let known = self.by_secret.lock().expect("no panic while held");
        let (guest, since) = known.get(hash.as_str())?;
        (since.elapsed() < CACHED_FOR).then(|| guest.clone())
    }

    /// Whether the secret is a guest's, as far as the cache tells.
    pub fn knows(&self, hash: &SecretHash) -> bool {
        self.get(hash).is_some()
    }

    /// Forgets every secret of a guest.
    pub fn forget(&self, guest: &str) {
        self.by_secret.lock().expect("no panic while held").retain(|_, (known, _)| known.id != guest);
    }

    /// Caches a guest.
    pub fn put(&self, hash: &SecretHash, guest: Guest) {
        let mut known = self.by_secret.lock().expect("no panic while held");
        if known.len() >= CACHED {
            known.clear();
        }
        known.insert(hash.as_str().to_owned(), (guest, Instant::now()));
    }
}

/// The guest secret and the seat token of a request, before anything is looked up.
pub fn credentials(headers: &HeaderMap) -> (Option<Secret>, Option<Secret>) {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let guest = cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
        .find_map(Secret::parse);
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = bearer.and_then(|line| line.strip_prefix("Bearer ")).and_then(|text| Secret::parse(text.trim()));
    (guest, token)
}

/// Who sends a request, as far as it is known.
pub struct Identity {
    pub guest: Option<(SecretHash, Guest)>,
    pub token: Option<SecretHash>,
}

impl Identity {
    pub fn caller(&self) -> Caller {
        Caller { guest: self.guest.as_ref().map(|(_, guest)| guest.id.clone()), token: self.token.clone() }
    }
}

impl Identity {
    /// On whose account the request's work runs: the guest's, or the address's.
    pub fn owner(&self, address: IpAddr) -> Arc<str> {
        match &self.guest {
            Some((_, guest)) => guest.id.as_str().into(),
            None => counted(address).to_string().into(),
        }
    }

    /// Notes that the request acted for a seat: a token that came with it is a real one.
    pub fn acted(&self, http: &HttpState) {
        if let Some(token) = &self.token {
            http.admission.prove(token);
        }
    }
}

impl FromRequestParts<HttpState> for Identity {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, http: &HttpState) -> Result<Self, ApiError> {
        let (secret, token) = credentials(&parts.headers);
        let guest = match secret {
            None => None,
            Some(secret) => find(http, &secret.hash()).await?,
        };
        Ok(Self { guest, token: token.map(|token| token.hash()) })
    }
}

async fn find(http: &HttpState, hash: &SecretHash) -> ApiResult<Option<(SecretHash, Guest)>> {
    if let Some(guest) = http.guests.get(hash) {
        return Ok(Some((hash.clone(), guest)));
    }
    let Some(row) = http.app.store.guest_by_secret(hash).await? else { return Ok(None) };
    let guest = Guest { id: row.id, name: row.name };
    http.app.names.put(&guest.id, &guest.name);
    http.guests.put(hash, guest.clone());
    Ok(Some((hash.clone(), guest)))
}

/// A caller that is current: the guest of the cookie, or a new one whose cookie is to be set.
pub struct CurrentGuest {
    pub hash: SecretHash,
    pub guest: Guest,
    pub token: Option<SecretHash>,
    pub cookie: HeaderMap,
}

impl CurrentGuest {
    pub fn caller(&self) -> Caller {
        Caller { guest: Some(self.guest.id.clone()), token: self.token.clone() }
    }
}

impl FromRequestParts<HttpState> for CurrentGuest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, http: &HttpState) -> Result<Self, ApiError> {
        let identity = Identity::from_request_parts(parts, http).await?;
        if let Some((hash, guest)) = identity.guest {
            return Ok(Self { hash, guest, token: identity.token, cookie: HeaderMap::new() });
        }
        http.admission.check_creation_rate(parts)?;
        // The page sets the cookie before a guest is stored: requests that race each other carry the same secret, the
        // first one creates the guest, the others find it.
        let (secret, cookie) = match credentials(&parts.headers).0 {
            Some(secret) => (secret, HeaderMap::new()),
            None => fresh_cookie(http),
        };
        let hash = secret.hash();
        let id = ids::fresh();
        let name = format!("Guest {}", id[..4].to_uppercase());
        let now = time::now_ms();
        let row = GuestRow { id, name, secret_hash: hash.clone(), created_ms: now, seen_ms: now };
        http.app.store.create_guest(row).await?;
        let (hash, guest) = find(http, &hash).await?.ok_or_else(|| ApiError::bad_form("the guest was not stored"))?;
        Ok(Self { hash, guest, token: identity.token, cookie })
    }
}

/// A fresh secret, and the header that gives it to a browser.
pub fn fresh_cookie(http: &HttpState) -> (Secret, HeaderMap) {
    let secret = Secret::generate();
    let secure = if http.app.config.public_url.starts_with("https://") { "; Secure" } else { "" };
    let text = format!("{COOKIE}={}; Path=/; Max-Age={YEAR_SECONDS}; HttpOnly; SameSite=Lax{secure}", secret.reveal());
    let mut value = HeaderValue::from_str(&text).expect("a secret is plain letters and digits");
    value.set_sensitive(true);
    (secret, HeaderMap::from_iter([(header::SET_COOKIE, value)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_found_among_other_cookies() {
        let secret = Secret::generate();
        let mut headers = HeaderMap::new();
        let line = format!("a=b; {COOKIE}={}; {COOKIE}x=1", secret.reveal());
        headers.insert(header::COOKIE, line.parse().expect("a header"));
        headers.insert(header::AUTHORIZATION, format!("Bearer {}", secret.reveal()).parse().expect("a header"));
        assert_eq!(credentials(&headers), (Some(secret.clone()), Some(secret)));
        headers.insert(header::COOKIE, format!("{COOKIE}=short").parse().expect("a header"));
        headers.insert(header::AUTHORIZATION, "Basic abc".parse().expect("a header"));
        assert_eq!(credentials(&headers), (None, None));
    }
}
