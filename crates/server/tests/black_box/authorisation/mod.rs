//! Who may do what: every route and every message on a socket, for everybody there is.
//!
//! The expectations are in `routes` and `messages`; what was answered is written to docs/results/authorisation.md,
//! which is compared like a golden file.

mod roles;
mod routes;
mod socket_messages;

use crate::common::TestServer;
use hyper::StatusCode;
use roles::{ROLES, Role};
use serde_json::Value;
use server::Rate;
use store::Secret;

/// What somebody got: the figure and word of a refusal, or what was allowed.
struct Cell {
    allowed: bool,
    text: String,
}

impl Cell {
    fn of(status: u16, body: &Value) -> Self {
        let code = body["error"]["code"].as_str();
        let known = StatusCode::from_u16(status).expect("a status");
        let text = match (status, code) {
            (..400, _) => "yes".to_owned(),
            (_, Some(code)) => format!("{status} `{code}`"),
            (_, None) => format!("{status} {}", known.canonical_reason().unwrap_or_default()),
        };
        Self { allowed: status < 400, text }
    }
}

/// One line of the matrix.
struct Line {
    title: String,
    cells: Vec<Cell>,
}

impl Line {
    /// Compares with what is expected: one letter per role, `y` or `n`.
    fn expect(&self, expected: &str) {
        assert_eq!(expected.len(), ROLES.len(), "{}: one letter per role", self.title);
        for ((role, letter), cell) in ROLES.iter().zip(expected.chars()).zip(&self.cells) {
            assert_eq!(cell.allowed, letter == 'y', "{} for {}: {}", self.title, role.name(), cell.text);
        }
    }

    fn write(&self) -> String {
        let cells: Vec<&str> = self.cells.iter().map(|cell| cell.text.as_str()).collect();
        format!("| {} | {} |\n", self.title, cells.join(" | "))
    }
}

/// A host that refuses nobody for being quick, with an operator.
async fn host() -> (TestServer, Secret) {
    let token = Secret::generate();
    let host = TestServer::with(|config| {
        let often = Rate { per_second: 1_000_000, burst: 1_000_000 };
        let limits = &mut config.limits;
        (limits.per_caller, limits.per_address, limits.per_socket) = (often, often, often);
        (limits.creation, limits.passwords) = (often, often);
        config.operator = Some(token.hash());
    })
    .await;
    (host, token)
}

#[tokio::test]
async fn everybody_may_do_what_the_matrix_says_and_nothing_else() {
    let (host, token) = host().await;
    let people = roles::People::meet(&host, &token).await;
    let mut lines = Vec::new();
    routes::check(&host, &people, &mut lines).await;
    let after_routes = lines.len();
    socket_messages::check(&host, &people, &mut lines).await;

    let mut text = String::from(
        "# Who may do what\n\nWritten by the test `everybody_may_do_what_the_matrix_says_and_nothing_else` of the server \
         (`cargo nextest run -p parlour-server everybody_may_do`), which asks a real server over HTTP and sockets and \
         fails when an answer is not the one expected, when a route or a kind of message is not listed, and when this \
         file is not what was answered. Refusals show status and code.\n\n",
    );
    for role in ROLES {
        text += &format!("- **{}**: {}\n", role.name(), role.explained());
    }
    for (title, lines) in [("Routes", &lines[..after_routes]), ("Messages on a socket", &lines[after_routes..])] {
        text += &format!("\n## {title}\n\n| | {} |\n|---|", ROLES.map(Role::name).join(" | "));
        text += &"---|".repeat(ROLES.len());
        text.push('\n');
        lines.iter().for_each(|line| text += &line.write());
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/authorisation.md");
    game::conformance::golden::assert_file(path, &text);
}
