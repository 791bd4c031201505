//! Hostile requests made by hand: what is sent, byte for byte, and which answers are right.
//!
//! The server's test and `cargo xtask load-test --hostile` send the same ones.

use serde_json::json;
use std::io::Write;

/// What a caller needs to know of the host that it means harm to.
pub struct Target {
    /// A running table of Gomoku.
    pub table: String,
    /// The secret of a seat at another table.
    pub foreign_token: String,
    /// The secret of seat 1, whose turn it is not.
    pub other_seat: String,
}

/// How something is sent.
pub enum How {
    /// These bytes at once; the answer is awaited.
    Bytes(Vec<u8>),
    /// These bytes and then nothing; the end is awaited.
    Stall(Vec<u8>),
    /// These bytes and then one more every now and then; the end is awaited.
    Drip(Vec<u8>),
    /// These bytes, of which no answer is read for long; the end is awaited.
    Deaf(Vec<u8>),
    /// A socket at the table, and then these bytes; a refusal or the end is awaited.
    Socket(Vec<u8>),
}

/// A hostile request.
pub struct Hostile {
    pub name: &'static str,
    pub how: How,
    /// What may come of it: statuses, `closed`, for sockets `nack` or the code they are closed with.
    pub right: &'static [&'static str],
}

fn hostile(name: &'static str, how: How, right: &'static [&'static str]) -> Hostile {
    Hostile { name, how, right }
}

/// A request with a body of the length that it says.
fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn get(path: &str, headers: &str) -> How {
    How::Bytes(request("GET", path, headers, b""))
}

fn post(path: &str, body: impl AsRef<[u8]>) -> How {
    How::Bytes(request("POST", path, "Content-Type: application/json\r\n", body.as_ref()))
}

fn nested(open: &str, times: usize, close: &str) -> String {
    open.repeat(times) + &close.repeat(times)
}

/// A frame of a socket as a client sends it: masked with zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ ..126 => bytes.push(0x80 | short as u8),
        middle @ ..65_536 => {
            bytes.push(0x80 | 126);
            bytes.extend((middle as u16).to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 127);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

const TEXT: u8 = 0x81;

/// A zip file whose one part unpacks to much more than it is.
fn bomb() -> String {
    use base64::Engine;
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![b' '; 1 << 20];
    (0..48).for_each(|_| packer.write_all(&zeros).expect("memory takes it"));
    let packed = packer.finish().expect("memory takes it");
    let (name, size) = (b"puzzle.jpz", 48u32 << 20);
    let mut zip = Vec::new();
    zip.extend(b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0");
    zip.extend((packed.len() as u32).to_le_bytes());
    zip.extend(size.to_le_bytes());
    zip.extend((name.len() as u16).to_le_bytes());
    zip.extend([0, 0]);
    zip.extend(name);
    let (begin, packed_size) = (0u32, packed.len() as u32);
    zip.extend(packed);
    let directory = zip.len() as u32;
    zip.extend(b"PK\x01\x02\x14\0\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0");
    zip.extend(packed_size.to_le_bytes());
    zip.extend(size.to_le_bytes());
    zip.extend((name.len() as u16).to_le_bytes());
    zip.extend([0; 12]);
    zip.extend(begin.to_le_bytes());
    zip.extend(name);
    let length = zip.len() as u32 - directory;
    zip.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    zip.extend(length.to_le_bytes());
    zip.extend(directory.to_le_bytes());
    zip.extend([0, 0]);
    base64::engine::general_purpose::STANDARD.encode(zip)
}

/// A .puz file that says it is 255 × 255 and holds nothing.
fn hollow_puz() -> String {
    use base64::Engine;
    let mut puz = vec![0; 0x34];
    puz[2..14].copy_from_slice(b"ACROSS&DOWN\0");
    (puz[0x2c], puz[0x2d]) = (255, 255);
    puz[0x2e..0x30].copy_from_slice(&u16::MAX.to_le_bytes());
    base64::engine::general_purpose::STANDARD.encode(puz)
}

/// All of them.
pub fn all(target: &Target) -> Vec<Hostile> {
    let mut list = no_http();
    list.extend(malformed_bodies());
    list.extend(excessive_values());
    list.extend(impostors(target));
    list.extend(paths());
    list.extend(files());
    list.extend(dawdlers());
    list.extend(on_sockets());
    list
}

/// What is no HTTP, or hardly.
fn no_http() -> Vec<Hostile> {
    let many: String = (0..1_000).map(|number| format!("X-{number}: 1\r\n")).collect();
    let tables = "/api/v1/tables";
    vec![
        hostile("noise instead of a request", How::Bytes(vec![0xff; 600]), &["400", "closed"]),
        hostile("the first bytes of TLS", How::Bytes(b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n".to_vec()), &["400", "closed"]),
        hostile("HTTP/2 without asking", How::Bytes(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec()), &["400", "closed"]),
        hostile("a version there is not", How::Bytes(b"GET / HTTP/7.3\r\n\r\n".to_vec()), &["400", "505", "closed"]),
        hostile("TRACE", How::Bytes(request("TRACE", "/", "", b"")), &["405"]),
        hostile("CONNECT to somebody else", How::Bytes(b"CONNECT 192.0.2.1:443 HTTP/1.1\r\nHost: x\r\n\r\n".to_vec()), &["400", "404", "405"]),
        hostile("a method there is not", How::Bytes(request("DANCE", tables, "", b"")), &["405"]),
        hostile("HEAD where one acts", How::Bytes(request("HEAD", "/api/v1/account/login", "", b"")), &["405"]),
        hostile("an address of 300 kB", get(&format!("/{}", "a".repeat(300 << 10)), ""), &["414", "431", "closed"]),
        hostile("a thousand headers", get(tables, &many), &["431", "closed"]),
        hostile("a header of a megabyte", get(tables, &format!("X: {}\r\n", "a".repeat(1 << 20))), &["431", "closed"]),
        hostile("a zero byte in a header", get(tables, "X: a\0b\r\n"), &["400"]),
        hostile("two lengths that differ", How::Bytes(b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\n{}".to_vec()), &["400", "closed"]),
        hostile("a negative length", How::Bytes(b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n".to_vec()), &["400", "closed"]),
        hostile("a chunk longer than any number", How::Bytes(b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}".to_vec()), &["400", "closed"]),
        hostile("length and chunks, with a request smuggled behind", How::Bytes(b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n".to_vec()), &["400", "closed"]),
        hostile("a promise of ten gigabytes", How::Bytes(b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 10737418240\r\n\r\n{".to_vec()), &["413"]),
    ]
}

/// Bodies that do not fit.
fn malformed_bodies() -> Vec<Hostile> {
    let tables = "/api/v1/tables";
    let packed = {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&vec![b'['; 1 << 20]).expect("memory takes it");
        packer.finish().expect("memory takes it")
    };
    vec![
        hostile("a table of 300 kB", post(tables, format!(r#"{{"game":"{}"}}"#, "x".repeat(300 << 10))), &["413"]),
        hostile(
            "a service's request of 9 MB",
            post("/api/v1/gomoku/import", format!(r#"{{"text":"{}"}}"#, "h".repeat(9 << 20))),
            &["413"],
        ),
        hostile("100,000 brackets", post(tables, nested("[", 100_000, "]")), &["400"]),
        hostile(
            "100,000 brackets in settings",
            post(tables, format!(r#"{{"game":"gomoku","settings":{}}}"#, nested("[", 100_000, "]"))),
            &["400"],
        ),
        hostile(
            "a million brackets for a service",
            post("/api/v1/gomoku/import", nested("[", 1_000_000, "]")),
            &["400"],
        ),
        hostile("30,000 objects in each other", post(tables, nested(r#"{"a":"#, 30_000, "}")), &["400"]),
        hostile("a number without end", post(tables, r#"{"game":"gomoku","settings":{"size":1e999999}}"#), &["400"]),
        hostile("zero bytes", post(tables, [0; 4_096]), &["400"]),
        hostile("bytes that are no text", post(tables, b"{\"game\":\"\xff\xfe\xc0\x80\"}"), &["400"]),
        hostile("one field twice", post(tables, r#"{"game":"gomoku","game":"scrabble"}"#), &["400"]),
        hostile("a field there is not", post(tables, r#"{"game":"gomoku","admin":true}"#), &["400"]),
        hostile(
            "XML",
            How::Bytes(request(
                "POST",
                tables,
                "Content-Type: text/xml\r\n",
                b"<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
            )),
            &["400"],
        ),
        hostile(
            "a form of another page",
            How::Bytes(request("POST", tables, "Content-Type: application/x-www-form-urlencoded\r\n", b"game=gomoku")),
            &["400"],
        ),
        hostile(
            "a packed body",
            How::Bytes(request("POST", tables, "Content-Encoding: gzip\r\n", &packed)),
            &["400", "413", "415"],
        ),
    ]
}

/// Bodies that are well formed and ask for what no game has.
fn excessive_values() -> Vec<Hostile> {
    let tables = "/api/v1/tables";
    let seats = format!(r#"{{"game":"gomoku","seats":[{}]}}"#, vec![r#"{"kind":"bot"}"#; 10_000].join(","));
    let moves = format!(r#"{{"game":"gomoku","moves":[{}]}}"#, vec![r#"{"text":"h8"}"#; 6_000].join(","));
    vec![
        hostile("ten thousand seats", post(tables, seats), &["400", "422"]),
        hostile("six thousand moves", post(tables, moves), &["400", "422"]),
        hostile(
            "a board of four billion",
            post(tables, r#"{"game":"gomoku","settings":{"size":4294967295}}"#),
            &["400", "422"],
        ),
        hostile("a board of 255", post(tables, r#"{"game":"gomoku","settings":{"size":255}}"#), &["422"]),
        hostile(
            "a map of a billion",
            post(tables, r#"{"game":"homeguard","settings":{"size":1000000000}}"#),
            &["400", "422"],
        ),
        hostile(
            "a clock of aeons",
            post(tables, r#"{"game":"gomoku","clock":{"per_move_ms":18446744073709551615}}"#),
            &["422"],
        ),
        hostile(
            "a name of 10,000 letters",
            How::Bytes(request("PUT", "/api/v1/me", "", json!({ "name": "x".repeat(10_000) }).to_string().as_bytes())),
            &["422"],
        ),
        hostile(
            "a name that moves the cursor",
            How::Bytes(request("PUT", "/api/v1/me", "", br#"{"name":"\u001b[2J"}"#)),
            &["422"],
        ),
        hostile(
            "a password of 200 kB",
            post("/api/v1/account/login", json!({ "login": "ada", "password": "x".repeat(200 << 10) }).to_string()),
            &["401", "422"],
        ),
    ]
}

/// Those who are not who they say they are.
fn impostors(target: &Target) -> Vec<Hostile> {
    let Target { table, foreign_token, other_seat } = target;
    let actions = format!("/api/v1/tables/{table}/actions");
    let act = |headers: &str, body: &str| How::Bytes(request("POST", &actions, headers, body.as_bytes()));
    let stone = r#"{"text":"a1"}"#;
    let cookies = format!("Cookie: {}\r\n", vec![format!("parlour_guest={}", "ab".repeat(32)); 80].join("; "));
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let socket = format!("/api/v1/tables/{table}/socket");
    vec![
        hostile("nobody acts", act("", stone), &["403"]),
        hostile(
            "a secret of another table",
            act(&format!("Authorization: Bearer {foreign_token}\r\n"), stone),
            &["403"],
        ),
        hostile("the other seat acts", act(&format!("Authorization: Bearer {other_seat}\r\n"), stone), &["409"]),
        hostile(
            "the other seat says that it is this one",
            act(&format!("Authorization: Bearer {other_seat}\r\n"), r#"{"text":"a1","seat":0}"#),
            &["403"],
        ),
        hostile(
            "a secret in capitals",
            act(&format!("Authorization: Bearer {}\r\n", other_seat.to_uppercase()), stone),
            &["403"],
        ),
        hostile(
            "a secret that is no text",
            How::Bytes(
                [
                    format!("POST {actions} HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\nAuthorization: Bearer ")
                        .as_bytes(),
                    b"\xff\xfe\r\n\r\n",
                    stone.as_bytes(),
                ]
                .concat(),
            ),
            &["400", "403"],
        ),
        hostile("eighty made-up cookies", act(&cookies, stone), &["403"]),
        hostile(
            "a page of another origin",
            act(&format!("Origin: http://evil.example\r\nAuthorization: Bearer {other_seat}\r\n"), stone),
            &["403"],
        ),
        hostile("a page without an origin", act("Origin: null\r\n", stone), &["403"]),
        hostile(
            "a socket for a page of another origin",
            get(&socket, &format!("{upgrade}Sec-WebSocket-Version: 13\r\nOrigin: https://evil.example\r\n")),
            &["403"],
        ),
        hostile(
            "a socket of another version",
            get(&socket, &format!("{upgrade}Sec-WebSocket-Version: 99\r\n")),
            &["400", "426"],
        ),
        hostile(
            "figures for somebody who says to be near",
            get("/metrics", "X-Forwarded-For: 127.0.0.1\r\n"),
            &["401"],
        ),
        hostile(
            "a guess at the operator's token",
            get("/api/v1/operations", &format!("Authorization: Bearer {}\r\n", "00".repeat(32))),
            &["401", "404"],
        ),
    ]
}

/// Addresses that lead out of the host.
fn paths() -> Vec<Hostile> {
    let query = vec!["seat=1"; 8_000].join("&");
    vec![
        hostile("a way up", get("/../../../../etc/passwd", ""), &["400", "404"]),
        hostile("a way up, coded", get("/%2e%2e/%2e%2e/%2e%2e/etc/passwd", ""), &["400", "404"]),
        hostile("a way up from the page's files", get("/assets/..%2f..%2fCargo.toml", ""), &["400", "404"]),
        hostile("a way up with a zero byte", get("/assets/%00/../index.html", ""), &["400", "404"]),
        hostile("a file of a job on a way up", get("/api/v1/artifacts/..%2f..%2fetc%2fpasswd", ""), &["404"]),
        hostile(
            "a table of 40,000 letters",
            get(&format!("/api/v1/tables/{}", "a".repeat(40_000)), ""),
            &["404", "414", "431"],
        ),
        hostile("a table with broken coding", get("/api/v1/tables/%zz%ff%00", ""), &["400", "404"]),
        hostile(
            "a table that asks the database",
            get("/api/v1/tables/'%20OR%201=1;DROP%20TABLE%20games;--", ""),
            &["404"],
        ),
        hostile(
            "eight thousand questions in one",
            get(&format!("/api/v1/tables/a?{query}"), ""),
            &["400", "404", "431"],
        ),
        hostile("seat 99999", How::Bytes(request("DELETE", "/api/v1/tables/a/seats/99999", "", b"")), &["400", "404"]),
    ]
}

/// Files that are not what they say.
fn files() -> Vec<Hostile> {
    let open = "/api/v1/crossword/open";
    let words: String = (0..400_000).map(|number| format!("w{number}\t")).collect();
    vec![
        hostile("a packed puzzle of 48 MB", post(open, json!({ "base64": bomb() }).to_string()), &["400", "422"]),
        hostile("a .puz of 255 × 255 with nothing in it", post(open, json!({ "base64": hollow_puz() }).to_string()), &["400", "422"]),
        hostile("an .ipuz of a billion squares", post(open, json!({ "text": r#"{"version":"http://ipuz.org/v2","kind":["http://ipuz.org/crossword#1"],"dimensions":{"width":1000000000,"height":1000000000},"puzzle":[[0]],"clues":{}}"# }).to_string()), &["400", "422"]),
        hostile("an .ipuz of 400,000 brackets", post(open, json!({ "text": nested("[", 200_000, "]") }).to_string()), &["400", "422"]),
        hostile("XML that grows when it is read", post(open, json!({ "text": "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">]><crossword-compiler-applet>&d;&d;&d;</crossword-compiler-applet>" }).to_string()), &["400", "422"]),
        hostile("a file of 4 MB", post(open, json!({ "text": "x".repeat(4 << 20) }).to_string()), &["400", "422"]),
        hostile("a Scrabble board of four billion", post("/api/v1/scrabble/position", r#"{"cgp":"4294967295/99999999999999999999 AEINRST/ 0/0 0","language":"en","n":5}"#), &["400", "422"]),
        hostile("a Scrabble game of 3 MB in one line", post("/api/v1/scrabble/import", json!({ "gcg": ">A: ".repeat(700_000), "language": "en" }).to_string()), &["400", "422"]),
        hostile("a Gomoku game of a million stones", post("/api/v1/gomoku/import", json!({ "text": "h8".repeat(1_000_000) }).to_string()), &["400", "422"]),
        hostile("400,000 words of Codenames", post("/api/v1/codenames/import", json!({ "lang": "en", "text": words }).to_string()), &["400", "422"]),
        hostile("a Homeguard map of 60,000 rows", post("/api/v1/homeguard/measure", json!({ "map": { "size": 60_000, "rows": vec!["."; 60_000] } }).to_string()), &["400", "422"]),
        hostile("a language on a way up", post("/api/v1/scrabble/word", r#"{"language":"../../../etc/passwd\u0000","word":"rate"}"#), &["400", "422", "503"]),
    ]
}

/// Those who take their time.
fn dawdlers() -> Vec<Hostile> {
    let half_body = b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{".to_vec();
    let deaf = request("GET", "/api/openapi.json", "", b"").repeat(400);
    vec![
        hostile("says nothing", How::Stall(Vec::new()), &["closed", "408"]),
        hostile(
            "half a head",
            How::Stall(b"GET /api/v1/games HTTP/1.1\r\nHost: x\r\nX-Slow: ".to_vec()),
            &["closed", "408"],
        ),
        hostile(
            "a head letter by letter",
            How::Drip(b"GET /api/v1/games HTTP/1.1\r\nHost: x\r\nX-Slow: ".to_vec()),
            &["closed", "408"],
        ),
        hostile("half a body", How::Stall(half_body.clone()), &["408"]),
        hostile("a body letter by letter", How::Drip(half_body), &["408"]),
        hostile("asks four hundred times and reads nothing", How::Deaf(deaf), &["closed"]),
    ]
}

/// On the socket of a table.
fn on_sockets() -> Vec<Hostile> {
    let many = frame(TEXT, br#"{"ping":1}"#).repeat(5_000);
    let parts = [frame(0x01, &[b'x'; 30_000]), frame(0x00, &[b'x'; 30_000]).repeat(40)].concat();
    let unmasked = vec![TEXT, 2, b'{', b'}'];
    vec![
        hostile("five thousand small messages", How::Socket(many), &["1008", "closed"]),
        hostile("a message of a megabyte", How::Socket(frame(TEXT, &vec![b' '; 1 << 20])), &["1009", "closed"]),
        hostile("a message in parts without end", How::Socket(parts), &["1009", "closed"]),
        hostile("100,000 letters of brackets", How::Socket(frame(TEXT, nested("[", 30_000, "").as_bytes())), &["nack"]),
        hostile("text that is none", How::Socket(frame(TEXT, b"\xff\xfe{}")), &["1007", "closed"]),
        hostile("a frame without a mask", How::Socket(unmasked), &["1002", "closed"]),
        hostile("a frame of an unknown kind", How::Socket(frame(0x8b, b"x")), &["1002", "closed"]),
        hostile("bytes", How::Socket(frame(0x82, b"\0\x01")), &["1003"]),
        hostile(
            "an action of somebody who does not sit",
            How::Socket(frame(TEXT, br#"{"action":{"text":"a1","seat":0}}"#)),
            &["nack"],
        ),
        hostile("a message there is not", How::Socket(frame(TEXT, br#"{"shutdown":{"now":true}}"#)), &["nack"]),
    ]
}
