//! Who calls: guests by cookie, programs by the secret of a seat.

use super::App;
use crate::error::{Answer, ApiError};
use crate::table::Caller;
use crate::{ids, time};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use store::{GuestRow, Secret, SecretHash};

/// The cookie that holds a guest's secret.
pub const COOKIE: &str = "parlour_guest";
/// How many guests are remembered without asking the store.
const REMEMBERED: usize = 100_000;
/// How long they are: another server may have ended a session.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);
const YEAR_SECONDS: u32 = 365 * 86_400;

/// A guest as requests need it.
#[derive(Clone, Debug)]
pub struct Guest {
    pub id: String,
    pub name: String,
}

/// The guests that called lately.
#[derive(Default)]
pub struct Guests {
    by_secret: Mutex<HashMap<String, (Guest, Instant)>>,
}

impl Guests {
    fn get(&self, hash: &SecretHash) -> Option<Guest> {
        let known = self.by_secret.lock().expect("no panic while held");
        let (guest, since) = known.get(hash.as_str())?;
        (since.elapsed() < REMEMBERED_FOR).then(|| guest.clone())
    }

    /// Forgets every secret of a guest.
    pub fn forget(&self, guest: &str) {
        self.by_secret.lock().expect("no panic while held").retain(|_, (known, _)| known.id != guest);
    }

    /// Remembers a guest.
    pub fn put(&self, hash: &SecretHash, guest: Guest) {
        let mut known = self.by_secret.lock().expect("no panic while held");
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(hash.as_str().to_owned(), (guest, Instant::now()));
    }
}

/// What a request says about who calls, before anything is looked up.
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

/// Who calls, as far as it is known.
pub struct Visitor {
    pub guest: Option<(SecretHash, Guest)>,
    pub token: Option<SecretHash>,
}

impl Visitor {
    pub fn caller(&self) -> Caller {
        Caller { guest: self.guest.as_ref().map(|(_, guest)| guest.id.clone()), token: self.token.clone() }
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let (secret, token) = credentials(&parts.headers);
        let guest = match secret {
            None => None,
            Some(secret) => find(app, &secret.hash()).await?,
        };
        Ok(Self { guest, token: token.map(|token| token.hash()) })
    }
}

async fn find(app: &App, hash: &SecretHash) -> Answer<Option<(SecretHash, Guest)>> {
    if let Some(guest) = app.guests.get(hash) {
        return Ok(Some((hash.clone(), guest)));
    }
    let Some(row) = app.house.store.guest_by_secret(hash).await? else { return Ok(None) };
    let guest = Guest { id: row.id, name: row.name };
    app.house.names.put(&guest.id, &guest.name);
    app.guests.put(hash, guest.clone());
    Ok(Some((hash.clone(), guest)))
}

/// A caller that is somebody: the guest of the cookie, or a new one whose cookie is to be set.
pub struct Somebody {
    pub hash: SecretHash,
    pub guest: Guest,
    pub token: Option<SecretHash>,
    pub cookie: HeaderMap,
}

impl Somebody {
    pub fn caller(&self) -> Caller {
        Caller { guest: Some(self.guest.id.clone()), token: self.token.clone() }
    }
}

impl FromRequestParts<App> for Somebody {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        if let Some((hash, guest)) = visitor.guest {
            return Ok(Self { hash, guest, token: visitor.token, cookie: HeaderMap::new() });
        }
        app.guard.may_make(parts)?;
        // The page hands out the cookie before anybody is written down: requests that race each other carry the same
        // secret, the first one makes the guest, the others find it.
        let (secret, cookie) = match credentials(&parts.headers).0 {
            Some(secret) => (secret, HeaderMap::new()),
            None => fresh_cookie(app),
        };
        let hash = secret.hash();
        let id = ids::fresh();
        let name = format!("Guest {}", id[..4].to_uppercase());
        let now = time::now_ms();
        let row = GuestRow { id, name, secret_hash: hash.clone(), created_ms: now, seen_ms: now };
        app.house.store.create_guest(row).await?;
        let (hash, guest) =
            find(app, &hash).await?.ok_or_else(|| ApiError::bad_form("the guest was not written down"))?;
        Ok(Self { hash, guest, token: visitor.token, cookie })
    }
}

/// A secret nobody has yet, and the header that gives it to a browser.
pub fn fresh_cookie(app: &App) -> (Secret, HeaderMap) {
    let secret = Secret::generate();
    let secure = if app.house.config.public_url.starts_with("https://") { "; Secure" } else { "" };
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
