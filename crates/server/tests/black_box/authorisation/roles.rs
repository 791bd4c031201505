//! The people of the matrix, and tables at the moments it asks about.

use crate::common::{Client, TestServer, against};
use serde_json::json;
use store::Secret;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Mover,
    Other,
    Elsewhere,
    Spectator,
    Stranger,
    Member,
    Operator,
}

pub const ROLES: [Role; 7] =
    [Role::Mover, Role::Other, Role::Elsewhere, Role::Spectator, Role::Stranger, Role::Member, Role::Operator];

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Self::Mover => "seat to move",
            Self::Other => "other seat",
            Self::Elsewhere => "seat elsewhere",
            Self::Spectator => "spectator",
            Self::Stranger => "stranger",
            Self::Member => "account",
            Self::Operator => "operator",
        }
    }

    pub fn explained(self) -> &'static str {
        match self {
            Self::Mover => "a guest by cookie on seat 0, whose turn it is",
            Self::Other => "a guest by cookie on seat 1 (not seated where the table waits or the computer plays)",
            Self::Elsewhere => "a program with the secret of a seat at another table",
            Self::Spectator => "a guest by cookie with the link of the table",
            Self::Stranger => "nobody: neither cookie nor secret",
            Self::Member => "somebody signed in who does not sit at the table",
            Self::Operator => "the bearer of the operator's token",
        }
    }
}

pub const PASSWORD: &str = "correct horse";

/// Everybody who outlives one question.
pub struct People {
    pub mover: Client,
    pub other: Client,
    elsewhere: Client,
    spectator: Client,
    stranger: Client,
    member: Client,
    operator: Client,
}

impl People {
    pub async fn meet(host: &TestServer, operator: &Secret) -> Self {
        let (mover, other) = (host.guest().await, host.guest().await);
        let made = other.post("/tables", against("bot")).await.json();
        let mut elsewhere = host.stranger();
        elsewhere.token = made["seat_tokens"][0]["token"].as_str().map(str::to_owned);
        assert!(elsewhere.token.is_some());
        let (spectator, stranger) = (host.guest().await, host.stranger());
        let member = member(host, "member").await;
        Self { mover, other, elsewhere, spectator, stranger, member, operator: host.stranger().holding(operator) }
    }

    pub fn client(&self, role: Role) -> &Client {
        match role {
            Role::Mover => &self.mover,
            Role::Other => &self.other,
            Role::Elsewhere => &self.elsewhere,
            Role::Spectator => &self.spectator,
            Role::Stranger => &self.stranger,
            Role::Member => &self.member,
            Role::Operator => &self.operator,
        }
    }

    /// The same role as somebody whom the question may do away with.
    pub async fn passing(&self, host: &TestServer, role: Role, login: &str) -> Client {
        match role {
            Role::Elsewhere | Role::Stranger | Role::Operator => self.client(role).clone(),
            Role::Member => member(host, login).await,
            Role::Mover | Role::Other | Role::Spectator => host.guest().await,
        }
    }
}

/// A guest with an account.
async fn member(host: &TestServer, login: &str) -> Client {
    let mut client = host.guest().await;
    let made = client.post("/account", json!({ "login": login, "password": PASSWORD })).await;
    assert_eq!(made.status, 201, "{:?}", made.json());
    client.cookie = Some(made.cookie());
    client
}

/// The moment of a table that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No table is meant.
    Any,
    /// The mover sits and waits for somebody.
    Waiting,
    /// Both have moved once; it is the mover's turn.
    Running,
    /// The same, and nobody is to be helped.
    Unhelped,
    /// The mover has asked to take something back.
    Offered,
    /// The mover took back a move against the computer.
    TakenBack,
    Over,
}

impl Stage {
    /// A fresh table at this moment.
    pub async fn table(self, people: &People) -> String {
        let (ada, bob) = (&people.mover, &people.other);
        if self == Self::Any {
            return String::new();
        }
        if self == Self::TakenBack {
            let id = ada.table(against("bot")).await;
            assert_eq!(ada.cell(&id, 0).await.status, 200);
            ada.until(&id, |table| table["ply"] == json!(2)).await;
            assert_eq!(ada.post(&format!("/tables/{id}/undo"), json!({})).await.status, 200);
            return id;
        }
        let mut request = against("open");
        request["options"] = json!({ "help": self != Self::Unhelped });
        let id = ada.table(request).await;
        if self == Self::Waiting {
            return id;
        }
        assert_eq!(bob.post(&format!("/tables/{id}/seats/1"), json!({ "kind": "me" })).await.status, 200);
        assert_eq!(ada.cell(&id, 0).await.status, 200);
        assert_eq!(bob.cell(&id, 1).await.status, 200);
        let last = match self {
            Self::Offered => Some("undo"),
            Self::Over => Some("resign"),
            _ => None,
        };
        if let Some(last) = last {
            assert_eq!(ada.post(&format!("/tables/{id}/{last}"), json!({})).await.status, 200);
        }
        id
    }
}
