//! Games stored by earlier versions replay: a backup of version 0.1 is restored and shows what it showed then.
#![cfg(feature = "server")]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(store: &Path, data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
            .args(["serve", "--listen", "127.0.0.1:0", "--store"])
            .arg(format!("sqlite:{}", store.display()))
            .arg("--data")
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("standard output is piped");
        BufReader::new(output).read_line(&mut line).expect("the server prints its address");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        Self { address: address.to_owned(), child }
    }

    /// HTTP/1.0, so that the answer is neither chunked nor compressed.
    fn get(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address).expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.0 200"), "{path}: {head}\n{body}");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first place where `shown` lacks or changes something of `expected`; additions are allowed.
fn difference(expected: &Value, shown: &Value, at: &str) -> Option<String> {
    match (expected, shown) {
        (Value::Object(expected), Value::Object(shown)) => expected.iter().find_map(|(key, value)| {
            let at = format!("{at}.{key}");
            match shown.get(key) {
                Some(shown) => difference(value, shown, &at),
                None if value.is_null() => None,
                None => Some(format!("{at} is missing")),
            }
        }),
        (Value::Array(expected), Value::Array(shown)) if expected.len() == shown.len() => expected
            .iter()
            .zip(shown)
            .enumerate()
            .find_map(|(i, (expected, shown))| difference(expected, shown, &format!("{at}[{i}]"))),
        _ if expected == shown => None,
        _ => Some(format!("{at} was {expected} and is {shown}")),
    }
}

#[test]
fn games_of_version_0_1_replay() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let fixture = root.join("fixtures/stored-0.1");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store: PathBuf = folder.path().join("restored.db");
    let restored = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(["restore", "--store"])
        .arg(format!("sqlite:{}", store.display()))
        .arg("--from")
        .arg(fixture.join("store.parlour"))
        .output()
        .expect("the program starts");
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));

    let server = Server::start(&store, &root.join("data"));
    let expected = std::fs::read_to_string(fixture.join("expected.json")).expect("the fixture can be read");
    let expected: Vec<Value> = serde_json::from_str(&expected).expect("the fixture is JSON");
    assert_eq!(expected.len(), 29);
    let mut faults = Vec::new();
    for game in &expected {
        let table = game["table"].as_str().expect("a table's id");
        let shown = server.get(&format!("/api/v1/tables/{table}"));
        if let Some(fault) = difference(&game["expected"], &shown, "") {
            faults.push(format!("{}: {fault}", game["name"]));
        }
    }
    assert!(faults.is_empty(), "{} of {} games differ:\n{}", faults.len(), expected.len(), faults.join("\n"));
}

#[test]
fn a_changed_value_is_a_difference_and_an_added_one_is_none() {
    let expected = serde_json::json!({"view": {"board": [1, 2]}, "note": null});
    assert_eq!(difference(&expected, &serde_json::json!({"view": {"board": [1, 2], "new": 1}}), ""), None);
    let changed = serde_json::json!({"view": {"board": [1, 3]}});
    assert_eq!(difference(&expected, &changed, "").as_deref(), Some(".view.board[1] was 2 and is 3"));
    assert!(difference(&expected, &serde_json::json!({"view": {}}), "").is_some());
}
