//! Accounts: a login and a password that sign a guest in on any machine. Nobody needs one to play.

use super::HttpState;
use super::body::Json as Body;
use super::identity::{CurrentGuest, Guest, fresh_cookie};
use super::middleware::address;
use crate::address_limit::counted;
use crate::api::{Credentials, GuestSummary, NewPassword};
use crate::error::{ApiError, ApiResult};
use crate::time;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use std::sync::OnceLock;
use store::AccountRow;

const LOGIN_LENGTH: std::ops::RangeInclusive<usize> = 3..=32;
const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=200;

/// A request that tries a password; limited per address.
pub struct PasswordAttempt;

impl FromRequestParts<HttpState> for PasswordAttempt {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, http: &HttpState) -> Result<Self, ApiError> {
        http.admission.check_password_rate(&format!("from {}", counted(address(parts)))).map(|()| Self)
    }
}

/// Creates an account for the current guest; the session gets a fresh cookie.
#[utoipa::path(post, path = "/api/v1/account", tag = "account", request_body = Credentials,
    responses((status = 201, body = GuestSummary), (status = 409, body = crate::api::ErrorBody)))]
pub async fn create(
    State(http): State<HttpState>,
    _: PasswordAttempt,
    current: CurrentGuest,
    Body(request): Body<Credentials>,
) -> ApiResult<(StatusCode, HeaderMap, Json<GuestSummary>)> {
    let login = fold(&request.login)?;
    check_password(&request.password)?;
    let password = hash(&http, request.password).await?;
    let account = AccountRow { guest_id: current.guest.id.clone(), login, password, created_ms: time::now_ms() };
    http.app.store.create_account(account).await?;
    // A cookie that somebody planted before the sign-up must not open the account.
    let (secret, cookie) = fresh_cookie(&http);
    http.app.store.open_session(&current.guest.id, &secret.hash(), time::now_ms()).await?;
    http.app.store.end_session(&current.guest.id, &current.hash).await?;
    http.guests.forget(&current.guest.id);
    Ok((StatusCode::CREATED, cookie, Json(summary(current.guest))))
}

/// Signs in: sets the cookie of a fresh session.
#[utoipa::path(post, path = "/api/v1/account/login", tag = "account", request_body = Credentials,
    responses((status = 200, body = GuestSummary), (status = 401, body = crate::api::ErrorBody)))]
pub async fn login(
    State(http): State<HttpState>,
    _: PasswordAttempt,
    Body(request): Body<Credentials>,
) -> ApiResult<(HeaderMap, Json<GuestSummary>)> {
    let login = fold(&request.login)?;
    http.admission.check_password_rate(&format!("as {login}"))?;
    let account = http.app.store.account_by_login(&login).await?;
    // An unknown name takes as long as a wrong password.
    let stored = match &account {
        Some(account) => account.password.clone(),
        None => unknown_password(&http).await?,
    };
    let right = verify(&http, request.password, stored).await?;
    let (Some(account), true) = (account, right) else { return Err(wrong()) };
    let guest = http.app.store.guest(&account.guest_id).await?.ok_or_else(wrong)?;
    let (secret, cookie) = fresh_cookie(&http);
    http.app.store.open_session(&guest.id, &secret.hash(), time::now_ms()).await?;
    Ok((cookie, Json(GuestSummary { id: guest.id, name: guest.name })))
}

/// Signs out on this machine; the next request is a new guest's.
#[utoipa::path(post, path = "/api/v1/account/logout", tag = "account",
    responses((status = 204), (status = 409, body = crate::api::ErrorBody)))]
pub async fn logout(State(http): State<HttpState>, current: CurrentGuest) -> ApiResult<(StatusCode, HeaderMap)> {
    own(&http, &current.guest.id).await?;
    http.app.store.end_session(&current.guest.id, &current.hash).await?;
    http.guests.forget(&current.guest.id);
    Ok((StatusCode::NO_CONTENT, fresh_cookie(&http).1))
}

/// Changes my password and ends all other sessions.
#[utoipa::path(put, path = "/api/v1/account/password", tag = "account", request_body = NewPassword,
    responses((status = 204), (status = 401, body = crate::api::ErrorBody)))]
pub async fn password(
    State(http): State<HttpState>,
    _: PasswordAttempt,
    current: CurrentGuest,
    Body(request): Body<NewPassword>,
) -> ApiResult<StatusCode> {
    check_password(&request.new)?;
    confirm(&http, &current.guest.id, request.old).await?;
    let password = hash(&http, request.new).await?;
    http.app.store.set_password(&current.guest.id, &password, &current.hash).await?;
    http.guests.forget(&current.guest.id);
    Ok(StatusCode::NO_CONTENT)
}

/// The account of a guest; an error if there is none.
pub async fn own(http: &HttpState, guest: &str) -> ApiResult<AccountRow> {
    let account = http.app.store.account_of(guest).await?;
    account.ok_or_else(|| ApiError::conflict("account.none", "you have no account: you are a guest on this machine"))
}

/// Checks the password of the guest's account.
pub async fn confirm(http: &HttpState, guest: &str, password: String) -> ApiResult<()> {
    let account = own(http, guest).await?;
    http.admission.check_password_rate(&format!("as {}", account.login))?;
    if verify(http, password, account.password).await? { Ok(()) } else { Err(wrong()) }
}

fn summary(guest: Guest) -> GuestSummary {
    GuestSummary { id: guest.id, name: guest.name }
}

fn wrong() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "account.wrong", "the name or the password is wrong")
}

/// The canonical form of a login.
fn fold(login: &str) -> ApiResult<String> {
    let login = login.trim().to_lowercase();
    let fits = LOGIN_LENGTH.contains(&login.chars().count());
    if fits && login.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) {
        return Ok(login);
    }
    Err(ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "account.login",
        "a name has 3 to 32 letters, digits, dots, dashes or underlines",
    ))
}

fn check_password(password: &str) -> ApiResult<()> {
    if PASSWORD_LENGTH.contains(&password.chars().count()) {
        return Ok(());
    }
    Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "account.password", "a password has 8 to 200 characters"))
}

/// Hashes or verifies a password on a blocking thread, a few at once.
async fn work<T: Send + 'static>(http: &HttpState, work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
    let busy = || ApiError::busy("account.busy", "too many are signing in: try again in a moment");
    let _place = http.passwords.acquire().await.map_err(|_| busy())?;
    tokio::task::spawn_blocking(work).await.map_err(|_| busy())
}

/// Argon2id with the recommended cost and a fresh salt.
async fn hash(http: &HttpState, password: String) -> ApiResult<String> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).expect("the operating system gives random bytes");
    let hashed = work(http, move || {
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map(|hash: PasswordHash| hash.to_string())
    });
    hashed.await?.map_err(|_| ApiError::bad_form("the password cannot be used"))
}

async fn verify(http: &HttpState, password: String, stored: String) -> ApiResult<bool> {
    work(http, move || {
        PasswordHash::new(&stored)
            .is_ok_and(|stored| Argon2::default().verify_password(password.as_bytes(), &stored).is_ok())
    })
    .await
}

/// The hash of a password that no account has.
async fn unknown_password(http: &HttpState) -> ApiResult<String> {
    static HASH: OnceLock<String> = OnceLock::new();
    match HASH.get() {
        Some(hash) => Ok(hash.clone()),
        None => {
            let made = hash(http, store::Secret::generate().reveal()).await?;
            Ok(HASH.get_or_init(|| made).clone())
        }
    }
}
