//! Rows of accounts and user data.

use crate::SecretHash;
use crate::rows::Rating;

/// An account: login and password of a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    pub guest_id: String,
    /// Case-folded by the caller.
    pub login: String,
    /// The password's hash, in PHC form.
    pub password: String,
    pub created_ms: i64,
}

/// User data: a named text of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserData {
    pub name: String,
    pub body: String,
    pub updated_ms: i64,
}

/// One write.
#[derive(Debug)]
pub(crate) enum AccountWrite {
    Create(AccountRow),
    Session {
        guest: String,
        secret: SecretHash,
        at_ms: i64,
    },
    EndSession {
        secret: SecretHash,
    },
    Password {
        guest: String,
        password: String,
        keep: SecretHash,
    },
    Keep {
        guest: String,
        keepsake: UserData,
    },
    DeleteGuest {
        guest: String,
    },
    /// New ratings of a finished game, each counting one game more than is in the store.
    Rate {
        game: String,
        ratings: Vec<Rating>,
        at_ms: i64,
    },
}
