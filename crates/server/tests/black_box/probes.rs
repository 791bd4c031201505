//! What the non-interference kit asks of every route. A route that is not listed here fails
//! `every_route_is_probed_or_says_why_not`.

use crate::common::TABLE;
use crate::viewpoint::Probes;
use hyper::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// One request.
pub struct Question {
    pub method: Method,
    /// With `/api/v1` where it belongs to the API.
    pub path: String,
    pub body: Option<Value>,
}

/// What is asked of a route.
pub enum Probe {
    /// These requests: their answers are compared.
    Asks(fn(&Probes) -> Vec<Question>),
    /// The same for viewers who are a guest with a fixed name: others are somebody new each time.
    AsksAsGuest(fn(&Probes) -> Vec<Question>),
    /// The socket: `Viewpoint` keeps one open and compares every message.
    Socket,
    /// Nothing about a table can leave here, and why.
    Silent(&'static str),
}

fn get(path: &str) -> Question {
    Question { method: Method::GET, path: path.to_owned(), body: None }
}

fn at_table(method: Method, path: &str, body: Option<Value>) -> Question {
    Question { method, path: format!("/api/v1/tables/{TABLE}{path}"), body }
}

fn post(path: &str, body: Value) -> Question {
    at_table(Method::POST, path, Some(body))
}

/// Actions that nobody may take now, on every seat and on none.
fn wrong_actions(probes_of: &Probes) -> Vec<Question> {
    let mut questions = Vec::new();
    for action in &probes_of.wrong {
        for seat in [json!(null), json!(0), json!(2), json!(3)] {
            questions.push(post("/actions", json!({ "action": action, "seat": seat })));
        }
    }
    questions.push(post("/actions", json!({ "text": "no such thing" })));
    questions.push(post("/actions", json!({ "text": "no such thing", "expect_ply": 99 })));
    questions
}

fn services(probes_of: &Probes) -> Vec<Question> {
    let mut questions = Vec::new();
    for (service, example) in &probes_of.services {
        for seat in ["", "?seat=0", "?seat=2"] {
            questions.push(post(&format!("/services/{service}{seat}"), example.clone()));
        }
    }
    questions
}

/// Every route with what is asked of it, in this order.
pub fn probes() -> Vec<(&'static str, Probe)> {
    use Probe::{Asks, AsksAsGuest, Silent, Socket};
    let seats = |_: &Probes| {
        let seats = ["", "?seat=0", "?seat=1", "?seat=2", "?seat=3", "?seat=9"];
        seats.map(|seat| at_table(Method::GET, seat, None)).into()
    };
    let moments =
        |_: &Probes| ["/view?at=0", "/view?at=1", "/view?at=99"].map(|path| at_table(Method::GET, path, None)).into();
    let exports = |probes_of: &Probes| {
        let ask = |format: &&str| at_table(Method::GET, &format!("/export?format={format}"), None);
        probes_of.formats.iter().map(ask).collect()
    };
    let account = "is about an account, which knows no table";
    let fixed = "a file that is part of the program";
    vec![
        ("GET /api/v1/tables/{id}", Asks(seats)),
        ("GET /api/v1/tables/{id}/view", Asks(moments)),
        ("GET /api/v1/tables/{id}/export", Asks(exports)),
        ("GET /api/v1/tables", Asks(|_| vec![get("/api/v1/tables"), get("/api/v1/tables?state=running")])),
        ("GET /api/v1/me", AsksAsGuest(|_| vec![get("/api/v1/me")])),
        ("GET /api/v1/me/data", AsksAsGuest(|_| vec![get("/api/v1/me/data")])),
        ("POST /api/v1/tables/{id}/services/{service}", Asks(services)),
        ("POST /api/v1/tables/{id}/actions", Asks(wrong_actions)),
        (
            "POST /api/v1/tables/{id}/undo",
            Asks(|_| vec![post("/undo", json!({ "keep": 99 })), post("/undo", json!({ "accept": true }))]),
        ),
        ("POST /api/v1/tables/{id}/redo", Asks(|_| vec![post("/redo", json!({}))])),
        ("POST /api/v1/tables/{id}/resign", Asks(|_| vec![post("/resign", json!({ "seat": 2 }))])),
        ("POST /api/v1/tables/{id}/rematch", Asks(|_| vec![post("/rematch", json!({ "seat": 9 }))])),
        ("POST /api/v1/tables/{id}/seats/{seat}", Asks(|_| vec![post("/seats/0", json!({ "kind": "bot" }))])),
        ("DELETE /api/v1/tables/{id}/seats/{seat}", Asks(|_| vec![at_table(Method::DELETE, "/seats/2", None)])),
        ("GET /api/v1/tables/{id}/socket", Socket),
        ("GET /t/{id}", AsksAsGuest(|_| vec![get(&format!("/t/{TABLE}"))])),
        ("POST /api/v1/{game}/{service}", Silent("its request says everything: it is given no table")),
        ("POST /api/v1/tables", Silent("makes another table")),
        ("GET /api/v1/games", Silent("what the installation offers, the same for everybody")),
        ("POST /api/v1/guest", Silent("makes a guest")),
        ("PUT /api/v1/me", Silent("changes a name")),
        ("DELETE /api/v1/me", Silent("deletes a guest and answers nothing")),
        ("GET /api/v1/me/keepsakes", Silent("what the page keeps for a guest, as it was written")),
        ("PUT /api/v1/me/keepsakes/{name}", Silent("what the page keeps for a guest, as it was written")),
        ("POST /api/v1/account", Silent(account)),
        ("POST /api/v1/account/login", Silent(account)),
        ("POST /api/v1/account/logout", Silent(account)),
        ("PUT /api/v1/account/password", Silent(account)),
        ("GET /api/v1/artifacts/{hash}", Silent("files of jobs")),
        ("GET /api/v1/operations", Silent("counts, for the operator alone")),
        ("GET /metrics", Silent("counts, for the operator alone")),
        ("GET /healthz", Silent("a word")),
        ("GET /readyz", Silent("a word")),
        ("GET /api", Silent(fixed)),
        ("GET /api/", Silent(fixed)),
        ("GET /api/browse.js", Silent(fixed)),
        ("GET /api/browse.css", Silent(fixed)),
        ("GET /api/openapi.json", Silent(fixed)),
    ]
}

/// Every route there is: those of the API document, and those that only the text of the router names.
pub fn every_route() -> BTreeSet<String> {
    let games = catalog::test_games::catalog();
    let generic = |path: &str| {
        let services = "/api/v1/tables/{id}/services/";
        if path.starts_with(services) {
            return format!("{services}{{service}}");
        }
        let of_a_game = games.games().iter().any(|game| path.starts_with(&format!("/api/v1/{}/", game.info().id)));
        if of_a_game { "/api/v1/{game}/{service}".to_owned() } else { path.to_owned() }
    };
    let document = server::openapi_document(&games);
    let mut routes = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            routes.insert(format!("{} {}", method.to_uppercase(), generic(path)));
        }
    }
    let documented = routes.len();
    // What the document leaves out (pages, scripts) is found in the text of the router.
    let router = include_str!("../../src/http/mod.rs");
    let mut found = 0;
    for line in router.lines().filter_map(|line| line.trim().strip_prefix(".route(\"")) {
        let (path, handlers) = line.split_once('"').expect("a path in quotes");
        for method in ["get", "post", "put", "delete", "patch", "any", "head", "options"] {
            if handlers.contains(&format!("{method}(")) {
                found += 1;
                let method = method.to_uppercase();
                if !routes.contains(&format!("{method} /api/v1{path}")) {
                    routes.insert(format!("{method} {path}"));
                }
            }
        }
    }
    assert!(documented > 25 && found > 30, "document and router are understood: {documented}, {found}");
    routes
}

#[test]
fn every_route_is_probed_or_says_why_not() {
    let probes: BTreeMap<_, _> = probes().into_iter().collect();
    for route in every_route() {
        assert!(probes.contains_key(route.as_str()), "{route}: say in probes.rs what of a table it may tell");
    }
    for (route, probe) in probes {
        if let Probe::Silent(why) = probe {
            assert!(!why.is_empty(), "{route}");
        }
    }
}
