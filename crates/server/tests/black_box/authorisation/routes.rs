//! Every route.

use super::roles::{PASSWORD, People, ROLES, Role, Stage};
use super::{Cell, Line};
use crate::common::TestServer;
use crate::probes::every_route;
use hyper::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::Store;
use store::jobs::NewRun;

/// A question and who is to be answered.
struct Case {
    method: Method,
    /// As the API document has it.
    path: &'static str,
    /// What is special about this question.
    note: &'static str,
    stage: Stage,
    /// What the path's braces stand for besides the table, and the query.
    ask: &'static str,
    body: Value,
    /// Whether somebody may be gone afterwards.
    parting: bool,
    /// One letter per role: to move, other, elsewhere, spectator, stranger, account, operator.
    expected: &'static str,
}

const ALL: &str = "yyyyyyy";
const NONE: &str = "nnnnnnn";

fn case(method: Method, path: &'static str, stage: Stage, expected: &'static str) -> Case {
    Case { method, path, note: "", stage, ask: "", body: json!({}), parting: false, expected }
}

impl Case {
    fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }
    fn body(self, body: Value) -> Self {
        Self { body, ..self }
    }
    fn ask(self, ask: &'static str) -> Self {
        Self { ask, ..self }
    }
    fn parting(self) -> Self {
        Self { parting: true, ..self }
    }

    fn title(&self) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        format!("`{} {}`{note}", self.method, self.path)
    }
}

/// The hash of a file that a run reads.
const FILE: &str = "abababababababababababababababababababababababababababababababab";

fn cases() -> Vec<Case> {
    let mut cases = site_cases();
    cases.extend(table_cases());
    cases
}

/// The routes that are not about one table.
fn site_cases() -> Vec<Case> {
    use Stage::{Any, Running};
    let (get, post, put, delete) = (Method::GET, Method::POST, Method::PUT, Method::DELETE);
    let right = json!({ "password": PASSWORD });
    vec![
        case(get.clone(), "/", Any, ALL),
        case(get.clone(), "/t/{id}", Running, ALL).note("the page of a table"),
        case(get.clone(), "/api", Any, ALL),
        case(get.clone(), "/api/", Any, ALL),
        case(get.clone(), "/api/browse.js", Any, ALL),
        case(get.clone(), "/api/browse.css", Any, ALL),
        case(get.clone(), "/api/openapi.json", Any, ALL),
        case(get.clone(), "/healthz", Any, ALL),
        case(get.clone(), "/readyz", Any, ALL),
        case(get.clone(), "/metrics", Any, "nnnnnny"),
        case(get.clone(), "/ops", Any, ALL).note("the page, which asks for the token"),
        case(get.clone(), "/api/v1/operations", Any, "nnnnnny"),
        case(get.clone(), "/api/v1/games", Any, ALL),
        case(post.clone(), "/api/v1/guest", Any, ALL),
        case(get.clone(), "/api/v1/me", Any, ALL),
        case(put.clone(), "/api/v1/me", Any, ALL).body(json!({ "name": "Somebody" })),
        case(delete.clone(), "/api/v1/me", Any, "yyyyyny").note("without a password").parting(),
        case(delete.clone(), "/api/v1/me", Any, ALL).note("with my password").body(right).parting(),
        case(get.clone(), "/api/v1/me/data", Any, ALL),
        case(get.clone(), "/api/v1/me/keepsakes", Any, ALL),
        case(put.clone(), "/api/v1/me/keepsakes/{name}", Any, "nnnnnyn").ask("taste").body(json!({ "body": "{}" })),
        case(post.clone(), "/api/v1/account", Any, "yyyyyny").parting(),
        case(post.clone(), "/api/v1/account/login", Any, ALL)
            .note("with the right password")
            .body(json!({ "login": "member", "password": PASSWORD })),
        case(post.clone(), "/api/v1/account/login", Any, NONE)
            .note("with a wrong one")
            .body(json!({ "login": "member", "password": "wrong horse" })),
        case(post.clone(), "/api/v1/account/logout", Any, "nnnnnyn").parting(),
        case(put.clone(), "/api/v1/account/password", Any, "nnnnnyn")
            .note("with the right password")
            .body(json!({ "old": PASSWORD, "new": "battery staple" }))
            .parting(),
        case(put, "/api/v1/account/password", Any, NONE)
            .note("with a wrong one")
            .body(json!({ "old": "wrong horse", "new": "battery staple" })),
    ]
}

/// The routes of tables, and those that follow them in the API document.
fn table_cases() -> Vec<Case> {
    use Stage::{Any, Offered, Over, Running, TakenBack, Unhelped, Waiting};
    let (get, post, delete) = (Method::GET, Method::POST, Method::DELETE);
    let table = "/api/v1/tables/{id}";
    let seat = "/api/v1/tables/{id}/seats/{seat}";
    vec![
        case(get.clone(), "/api/v1/tables", Any, ALL),
        case(post.clone(), "/api/v1/tables", Any, ALL).body(json!({ "game": "noughts" })),
        case(get.clone(), table, Running, ALL),
        case(get.clone(), table, Running, ALL).note("asking to look from seat 0").ask("?seat=0"),
        case(get.clone(), table, Running, ALL).note("asking to look from seat 1").ask("?seat=1"),
        case(get.clone(), "/api/v1/tables/{id}/view", Running, ALL).ask("?at=1&seat=1"),
        case(post.clone(), seat, Waiting, ALL).note("a free seat for me").ask("1").body(json!({ "kind": "me" })),
        case(post.clone(), seat, Waiting, "ynnnnnn")
            .note("a free seat for the computer")
            .ask("1")
            .body(json!({ "kind": "bot" })),
        case(post.clone(), seat, Running, NONE).note("a seat after the start").ask("1").body(json!({ "kind": "me" })),
        case(delete.clone(), seat, Waiting, "ynnnnnn").note("seat 0 before the start").ask("0"),
        case(delete, seat, Running, NONE).note("seat 0 after the start").ask("0"),
        case(post.clone(), "/api/v1/tables/{id}/actions", Running, "ynnnnnn").body(json!({ "action": { "cell": 8 } })),
        case(post.clone(), "/api/v1/tables/{id}/actions", Running, "ynnnnnn")
            .note("saying seat 0")
            .body(json!({ "action": { "cell": 8 }, "seat": 0 })),
        case(post.clone(), "/api/v1/tables/{id}/actions", Running, NONE)
            .note("saying seat 1")
            .body(json!({ "action": { "cell": 8 }, "seat": 1 })),
        case(post.clone(), "/api/v1/tables/{id}/undo", Running, "yynnnnn").note("asking"),
        case(post.clone(), "/api/v1/tables/{id}/undo", Offered, "nynnnnn")
            .note("agreeing with seat 0")
            .body(json!({ "accept": true })),
        case(post.clone(), "/api/v1/tables/{id}/redo", TakenBack, "ynnnnnn").note("against the computer"),
        case(post.clone(), "/api/v1/tables/{id}/redo", Running, NONE).note("against somebody"),
        case(post.clone(), "/api/v1/tables/{id}/resign", Running, "yynnnnn"),
        case(post.clone(), "/api/v1/tables/{id}/resign", Running, "ynnnnnn")
            .note("saying seat 0")
            .body(json!({ "seat": 0 })),
        case(post.clone(), "/api/v1/tables/{id}/rematch", Over, "yynnnnn"),
        case(post.clone(), "/api/v1/tables/{id}/rematch", Running, NONE).note("before the end"),
        case(get.clone(), "/api/v1/tables/{id}/export", Running, ALL).ask("?format=cells&seat=1"),
        case(get.clone(), "/api/v1/tables/{id}/socket", Running, ALL).note("watching"),
        case(post.clone(), "/api/v1/tables/{id}/services/{service}", Running, ALL).ask("hint"),
        case(post.clone(), "/api/v1/tables/{id}/services/{service}", Unhelped, NONE)
            .note("where nobody is helped")
            .ask("hint"),
        case(post, "/api/v1/{game}/{service}", Any, ALL).ask("noughts/work").body(json!({ "ms": 0 })),
        case(get.clone(), "/api/v1/artifacts/{hash}", Any, ALL).note("of a running job").ask(FILE),
        case(get, "/api/v1/artifacts/{hash}", Any, NONE).note("of none").ask("00"),
    ]
}

/// The address of a question: `ask` fills the last braces or is the query.
fn address(case: &Case, table: &str) -> String {
    let path = case.path.replace("{id}", table);
    if case.ask.starts_with('?') || case.ask.is_empty() {
        return path + case.ask;
    }
    let begin = path.find('{').unwrap_or_else(|| panic!("{}: nothing to fill", case.path));
    path[..begin].to_owned() + case.ask
}

pub async fn check(host: &TestServer, people: &People, lines: &mut Vec<Line>) {
    let cases = cases();
    every_route_is_here(&cases);
    keep_a_file(host).await;
    for (number, case) in cases.iter().enumerate() {
        let mut cells = Vec::new();
        for role in ROLES {
            let client = if case.parting {
                people.passing(host, role, &format!("parting{number}")).await
            } else {
                people.client(role).clone()
            };
            let table = case.stage.table(people).await;
            let mut body = case.body.clone();
            if case.path == "/api/v1/account" {
                body = json!({ "login": format!("new{number}-{role:?}"), "password": PASSWORD });
            }
            cells.push(answer(&client, case, role, &address(case, &table), &body).await);
        }
        let line = Line { title: case.title(), cells };
        line.expect(case.expected);
        lines.push(line);
    }
}

async fn answer(client: &crate::common::Client, case: &Case, role: Role, path: &str, body: &Value) -> Cell {
    if case.path.ends_with("/socket") {
        let table = path.split('/').nth(4).expect("a table");
        let status = client.try_socket(table, &[]).await.err().unwrap_or(101);
        return Cell::of(status, &Value::Null);
    }
    let sent = (case.method != Method::GET).then(|| body.to_string().into_bytes());
    let answer = client.send(case.method.clone(), path, sent, &[]).await;
    let received = serde_json::from_slice(&answer.bytes).unwrap_or(Value::Null);
    let mut cell = Cell::of(answer.status, &received);
    if case.path == "/api/v1/tables/{id}" {
        let own = match role {
            Role::Mover => json!(0),
            Role::Other => json!(1),
            _ => Value::Null,
        };
        assert_eq!(received["viewer"], own, "{} looks through its own eyes only", role.name());
        cell.text += &own.as_u64().map_or(", as spectator".to_owned(), |seat| format!(", as seat {seat}"));
    }
    cell
}

/// A file that a running job reads.
async fn keep_a_file(host: &TestServer) {
    let store = Store::open(&host.store_address()).await.expect("the store opens");
    let run = NewRun {
        id: "r".into(),
        title: String::new(),
        kind: "test".into(),
        program: "p".into(),
        queue: "local".into(),
        jobs: vec!["j".into()],
        files: vec![FILE.into()],
        at_ms: 1,
    };
    store.open_run(run).await.expect("a run");
    store.put_artifact_part(FILE, 0, vec![1, 2, 3]).await.expect("a part");
    store.finish_artifact(FILE, 3, 2).await.expect("a file");
    store.close().await;
}

/// Nothing is answered that the matrix does not ask.
fn every_route_is_here(cases: &[Case]) {
    let known: BTreeSet<String> = cases.iter().map(|case| format!("{} {}", case.method, case.path)).collect();
    for route in every_route() {
        assert!(known.contains(&route), "{route} is not in the matrix");
    }
}
