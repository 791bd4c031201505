//! Accounts: a name and a password that give a guest back on any machine. Nobody needs one to play.

use super::App;
use super::body::Json as Body;
use super::guard::address;
use super::identity::{Guest, Somebody, fresh_cookie};
use crate::api::{Credentials, GuestSummary, NewPassword};
use crate::error::{Answer, ApiError};
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

/// A request that tries a password: not too many from one address.
pub struct Signing;

impl FromRequestParts<App> for Signing {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        app.guard.may_sign(&format!("from {}", address(parts))).map(|()| Self)
    }
}

/// Gives me an account: from now on my name and password bring me back, on any machine.
#[utoipa::path(post, path = "/api/v1/account", tag = "account", request_body = Credentials,
    responses((status = 201, body = GuestSummary), (status = 409, body = crate::api::ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    _: Signing,
    somebody: Somebody,
    Body(wish): Body<Credentials>,
) -> Answer<(StatusCode, HeaderMap, Json<GuestSummary>)> {
    let login = fold(&wish.login)?;
    check_password(&wish.password)?;
    let password = hash(&app, wish.password).await?;
    let account = AccountRow { guest_id: somebody.guest.id.clone(), login, password, created_ms: time::now_ms() };
    app.house.store.create_account(account).await?;
    Ok((StatusCode::CREATED, somebody.cookie, Json(summary(somebody.guest))))
}

/// Brings me back: sets the cookie of my account.
#[utoipa::path(post, path = "/api/v1/account/login", tag = "account", request_body = Credentials,
    responses((status = 200, body = GuestSummary), (status = 401, body = crate::api::ErrorBody)))]
pub async fn login(
    State(app): State<App>,
    _: Signing,
    Body(wish): Body<Credentials>,
) -> Answer<(HeaderMap, Json<GuestSummary>)> {
    let login = fold(&wish.login)?;
    app.guard.may_sign(&format!("as {login}"))?;
    let account = app.house.store.account_by_login(&login).await?;
    // a name that nobody has takes as long as a wrong password
    let stored = match &account {
        Some(account) => account.password.clone(),
        None => nobody(&app).await?,
    };
    let right = verify(&app, wish.password, stored).await?;
    let (Some(account), true) = (account, right) else { return Err(wrong()) };
    let guest = app.house.store.guest(&account.guest_id).await?.ok_or_else(wrong)?;
    let (secret, cookie) = fresh_cookie(&app);
    app.house.store.open_session(&guest.id, &secret.hash(), time::now_ms()).await?;
    Ok((cookie, Json(GuestSummary { id: guest.id, name: guest.name })))
}

/// Signs me out on this machine; what comes next is a new guest.
#[utoipa::path(post, path = "/api/v1/account/logout", tag = "account",
    responses((status = 204), (status = 409, body = crate::api::ErrorBody)))]
pub async fn logout(State(app): State<App>, somebody: Somebody) -> Answer<(StatusCode, HeaderMap)> {
    own(&app, &somebody.guest.id).await?;
    app.house.store.end_session(&somebody.guest.id, &somebody.hash).await?;
    app.guests.forget(&somebody.guest.id);
    Ok((StatusCode::NO_CONTENT, fresh_cookie(&app).1))
}

/// Changes my password and signs me out everywhere else.
#[utoipa::path(put, path = "/api/v1/account/password", tag = "account", request_body = NewPassword,
    responses((status = 204), (status = 401, body = crate::api::ErrorBody)))]
pub async fn password(
    State(app): State<App>,
    _: Signing,
    somebody: Somebody,
    Body(wish): Body<NewPassword>,
) -> Answer<StatusCode> {
    check_password(&wish.new)?;
    confirm(&app, &somebody.guest.id, wish.old).await?;
    let password = hash(&app, wish.new).await?;
    app.house.store.set_password(&somebody.guest.id, &password, &somebody.hash).await?;
    app.guests.forget(&somebody.guest.id);
    Ok(StatusCode::NO_CONTENT)
}

/// The account of a guest, or an error that says there is none.
pub async fn own(app: &App, guest: &str) -> Answer<AccountRow> {
    let account = app.house.store.account_of(guest).await?;
    account.ok_or_else(|| ApiError::conflict("account.none", "you have no account: you are a guest on this machine"))
}

/// Whether this is the password of the guest's account.
pub async fn confirm(app: &App, guest: &str, password: String) -> Answer<()> {
    let account = own(app, guest).await?;
    app.guard.may_sign(&format!("as {}", account.login))?;
    if verify(app, password, account.password).await? { Ok(()) } else { Err(wrong()) }
}

fn summary(guest: Guest) -> GuestSummary {
    GuestSummary { id: guest.id, name: guest.name }
}

fn wrong() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "account.wrong", "the name or the password is wrong")
}

/// A login as it is compared.
fn fold(login: &str) -> Answer<String> {
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

fn check_password(password: &str) -> Answer<()> {
    if PASSWORD_LENGTH.contains(&password.chars().count()) {
        return Ok(());
    }
    Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "account.password", "a password has 8 to 200 characters"))
}

/// Does something costly with passwords, a few at once.
async fn work<T: Send + 'static>(app: &App, work: impl FnOnce() -> T + Send + 'static) -> Answer<T> {
    let busy = || ApiError::busy("account.busy", "too many are signing in: try again in a moment");
    let _place = app.signing.acquire().await.map_err(|_| busy())?;
    tokio::task::spawn_blocking(work).await.map_err(|_| busy())
}

/// Argon2id with the recommended cost and a fresh salt.
async fn hash(app: &App, password: String) -> Answer<String> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).expect("the machine gives random bytes");
    let hashed = work(app, move || {
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt).map(|hash: PasswordHash| hash.to_string())
    });
    hashed.await?.map_err(|_| ApiError::bad_form("the password cannot be used"))
}

async fn verify(app: &App, password: String, stored: String) -> Answer<bool> {
    work(app, move || {
        PasswordHash::new(&stored)
            .is_ok_and(|stored| Argon2::default().verify_password(password.as_bytes(), &stored).is_ok())
    })
    .await
}

/// The hash of a password that nobody has.
async fn nobody(app: &App) -> Answer<String> {
    static HASH: OnceLock<String> = OnceLock::new();
    match HASH.get() {
        Some(hash) => Ok(hash.clone()),
        None => {
            let made = hash(app, store::Secret::generate().reveal()).await?;
            Ok(HASH.get_or_init(|| made).clone())
        }
    }
}
