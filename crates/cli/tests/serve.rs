//! The server as people start it: the binary, its address on standard output, kill -9, restart, SIGTERM.
#![cfg(feature = "server")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder).stdout(Stdio::piped());
        if data.is_dir() {
            command.arg("--data").arg(data);
        }
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("it prints");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address").to_owned();
        Self { child, address }
    }

    fn call(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String, Value) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let length = body.len();
        let host = &self.address;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        // Answers of unknown length come in chunks; small ones come in one.
        let body = body.find(['{', '[']).map_or("", |start| &body[start..]);
        let end = body.rfind(['}', ']']).map_or(0, |end| end + 1);
        (status, head.to_owned(), serde_json::from_str(&body[..end]).unwrap_or(Value::Null))
    }

    fn end(&mut self) -> ExitStatus {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(status.success());
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(15), "it ends when told to");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_game_survives_kill_9_and_a_polite_end() {
    let folder = std::env::temp_dir().join(format!("parlour-serve-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let mut server = Server::start(&folder);
    assert_eq!(server.call("GET", "/healthz", "", "").0, 200);
    let wish = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, { "kind": "me" }] }).to_string();
    let (status, _, made) = server.call("POST", "/api/v1/tables", "", &wish);
    assert_eq!(status, 201);
    let id = made["table"]["id"].as_str().expect("an id").to_owned();
    let bearer = |seat: usize| {
        format!("Authorization: Bearer {}\r\n", made["seat_tokens"][seat]["token"].as_str().expect("a token"))
    };
    let act = json!({ "text": "h8", "expect_ply": 0 }).to_string();
    let (status, _, acknowledged) = server.call("POST", &format!("/api/v1/tables/{id}/actions"), &bearer(0), &act);
    assert_eq!((status, acknowledged["ply"].clone()), (200, json!(1)));

    server.child.kill().expect("kill -9");
    server.child.wait().expect("it is gone");
    let mut server = Server::start(&folder);
    let (_, _, table) = server.call("GET", &format!("/api/v1/tables/{id}"), &bearer(1), "");
    assert_eq!((table["ply"].clone(), table["viewer"].clone()), (json!(1), json!(1)));
    let (status, _, _) = server.call("POST", &format!("/api/v1/tables/{id}/actions"), &bearer(0), &act);
    assert_eq!(status, 200, "the same request again is acknowledged again");
    assert!(server.end().success(), "SIGTERM is a polite end");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn a_house_moves_with_its_backup() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let parlour = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_parlour");
        let output = Command::new(program).args(arguments).current_dir(folder.path()).output().expect("it runs");
        let told = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&told).into_owned())
    };
    let mut server = Server::start(folder.path());
    let wish = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, { "kind": "me" }] }).to_string();
    let (_, _, made) = server.call("POST", "/api/v1/tables", "", &wish);
    let id = made["table"]["id"].as_str().expect("an id").to_owned();
    let bearer = format!("Authorization: Bearer {}\r\n", made["seat_tokens"][0]["token"].as_str().expect("a token"));
    let act = |server: &Server, text: &str| {
        let act = json!({ "text": text, "seat": 0 }).to_string();
        server.call("POST", &format!("/api/v1/tables/{id}/actions"), &bearer, &act).0
    };
    assert_eq!(act(&server, "h8"), 200);
    let (done, told) = parlour(&["backup", "--out", "house.parlour"]);
    assert!(done && told.contains("rows of"), "while it serves: {told}");
    let (done, told) = parlour(&["backup", "--out", "house.parlour"]);
    assert!(!done && told.contains("--overwrite"), "{told}");
    let (done, told) = parlour(&["restore", "--store", "sqlite:parlour.db", "--from", "house.parlour", "--overwrite"]);
    assert!(!done && told.contains("another server"), "not while it serves: {told}");
    assert!(server.end().success());

    let (done, told) = parlour(&["restore", "--store", "sqlite:parlour.db", "--from", "house.parlour"]);
    assert!(!done && told.contains("not empty"), "{told}");
    for file in std::fs::read_dir(folder.path()).expect("a folder").flatten() {
        if file.file_name().to_string_lossy().starts_with("parlour.db") {
            std::fs::remove_file(file.path()).expect("it is ours");
        }
    }
    let (done, told) = parlour(&["restore", "--store", "sqlite:parlour.db", "--from", "house.parlour"]);
    assert!(done, "{told}");
    let mut server = Server::start(folder.path());
    let (_, _, table) = server.call("GET", &format!("/api/v1/tables/{id}"), &bearer, "");
    assert_eq!((table["ply"].clone(), table["viewer"].clone()), (json!(1), json!(0)), "the secret of the seat works");
    assert!(server.end().success());
}

#[test]
fn what_cannot_be_used_is_named() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_parlour")).args(arguments).output().expect("it runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let error = run(&["serve", "--listen", "127.0.0.1:0", "--store", "mysql://x"]);
    assert!(error.contains("sqlite:PATH"), "{error}");
    let error = run(&["serve", "--listen", "127.0.0.1:0", "--data", "/no/such/folder"]);
    assert!(error.contains("/no/such/folder"), "{error}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let error = run(&["serve", "--listen", &address]);
    assert!(error.contains(&address), "{error}");
}
