//! What is too much, too often, too large or from elsewhere is refused at once and with a reason.

use crate::common::{TestServer, against};
use hyper::Method;
use serde_json::{Value, json};
use server::Rate;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn too_many_requests_get_429_and_a_time_to_come_back() {
    let host = TestServer::with(|config| config.limits.per_caller = Rate { per_second: 2, burst: 5 }).await;
    let ada = host.guest().await;
    let mut answers = Vec::new();
    for _ in 0..12 {
        answers.push(ada.get("/games").await);
    }
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert!(refused.len() >= 5, "{}", refused.len());
    for answer in refused {
        assert_eq!(answer.code(), "limits.rate");
        let wait: u64 = answer.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
        assert!((1..=2).contains(&wait));
    }
    assert_eq!(host.guest().await.get("/games").await.status, 200, "others are not held up");
}

#[tokio::test]
async fn too_many_new_tables_get_429() {
    let host = TestServer::with(|config| config.limits.creation = Rate { per_second: 1, burst: 3 }).await;
    let ada = host.guest().await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(ada.post("/tables", against("me")).await.status);
    }
    assert_eq!(statuses, [201, 201, 429, 429], "the guest was the first thing made");
}

#[tokio::test]
async fn a_full_house_says_503_and_when_to_come_back() {
    let host = TestServer::with(|config| config.limits.live_tables = 1).await;
    let ada = host.guest().await;
    ada.table(against("me")).await;
    let answer = ada.post("/tables", against("me")).await;
    assert_eq!((answer.status, answer.code().as_str()), (503, "limits.tables"));
    assert_eq!(answer.headers["retry-after"], "1");
}

#[tokio::test]
async fn heavy_services_wait_in_a_bounded_queue_and_stall_nobody() {
    let host = TestServer::with(|config| {
        config.thinkers = 1;
        config.limits.waiting_services = 2;
    })
    .await;
    let ada = host.guest().await;
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let ada = ada.clone();
            tokio::spawn(async move { ada.post("/noughts/work", json!({ "ms": 700 })).await })
        })
        .collect();
    // the first call that is answered is one that found the queue full: all others wait or run
    while !calls.iter().any(tokio::task::JoinHandle::is_finished) {
        tokio::task::yield_now().await;
    }
    let id = ada.table(against("me")).await;
    assert_eq!(ada.cell(&id, 0).await.status, 200);
    assert!(calls.iter().any(|call| !call.is_finished()), "play goes on while services work");
    let mut statuses = Vec::new();
    for call in calls {
        let answer = call.await.expect("no panic");
        if answer.status == 503 {
            assert_eq!(answer.code(), "limits.services");
            assert_eq!(answer.headers["retry-after"], "1");
        }
        statuses.push(answer.status);
    }
    let served = statuses.iter().filter(|status| **status == 200).count();
    assert!((2..=3).contains(&served), "one works and two wait: {statuses:?}");
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
}

#[tokio::test]
async fn large_and_deep_bodies_are_refused() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let large = format!(r#"{{"game":"{}"}}"#, "x".repeat(300 << 10));
    let answer = ada.send(Method::POST, "/api/v1/tables", Some(large.into_bytes()), &[]).await;
    assert_eq!((answer.status, answer.code().as_str()), (413, "request.too_large"));
    let deep = format!(r#"{{"game":"noughts","settings":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    let answer = ada.send(Method::POST, "/api/v1/tables", Some(deep.into_bytes()), &[]).await;
    assert_eq!((answer.status, answer.code().as_str()), (400, "request.form"));
    for body in ["", "nonsense", "{", "\"x\"", "null", "{\"game\":5}", "\u{0}"] {
        let answer = ada.send(Method::POST, "/api/v1/tables", Some(body.as_bytes().to_vec()), &[]).await;
        assert_eq!(answer.status, 400, "{body}");
    }
}

#[tokio::test]
async fn pages_of_other_origins_change_nothing() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let body = Some(against("me").to_string().into_bytes());
    let from =
        async |origin: &str| ada.send(Method::POST, "/api/v1/tables", body.clone(), &[("origin", origin)]).await.status;
    assert_eq!(from("http://evil.example").await, 403);
    assert_eq!(from("null").await, 403);
    assert_eq!(from(&format!("http://{}", host.address)).await, 201);
    assert_eq!(from("http://127.0.0.1").await, 201, "the public address");
}

#[tokio::test]
async fn every_answer_carries_the_policy_and_the_cookie_is_locked_away() {
    let host = TestServer::open().await;
    let stranger = host.stranger();
    for path in ["/", "/api", "/api/openapi.json", "/api/v1/games", "/nothing", "/t/abc", "/healthz", "/readyz"] {
        let answer = stranger.send(Method::GET, path, None, &[]).await;
        let policy = answer.headers["content-security-policy"].to_str().expect("text");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.status, if path == "/nothing" { 404 } else { 200 }, "{path}");
    }
    let answer = stranger.send(Method::POST, "/api/v1/guest", None, &[]).await;
    let cookie = answer.headers["set-cookie"].to_str().expect("text");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"), "{cookie}");
    let secret = cookie.split(['=', ';']).nth(1).expect("a value");
    assert_eq!(secret.len(), 64, "256 bits");
    let store = std::fs::read(host.folder.path().join("test.db-wal")).expect("the store's file");
    assert!(!store.windows(64).any(|window| window == secret.as_bytes()), "the store keeps only the hash");
}

#[tokio::test]
async fn figures_are_there_for_prometheus() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    ada.cell(&id, 0).await;
    let text = ada.send(Method::GET, "/metrics", None, &[]).await.bytes;
    let text = String::from_utf8_lossy(&text).into_owned();
    for name in ["parlour_actions_total", "parlour_commit_seconds", "parlour_tables_live", "parlour_thinkers_working"] {
        assert!(text.contains(name), "{name} is missing from:\n{text}");
    }
}

#[tokio::test]
async fn where_no_help_is_agreed_nobody_is_helped_until_the_end() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let mut request = against("me");
    request["options"] = json!({ "help": false });
    let id = ada.table(request).await;
    let hint = format!("/tables/{id}/services/hint");
    assert_eq!(ada.post(&hint, json!({})).await.code(), "table.no_help");
    ada.post(&format!("/tables/{id}/resign"), json!({})).await;
    assert_eq!(ada.post(&hint, json!({})).await.json(), json!({ "cell": 0 }));
    assert_eq!(ada.post("/noughts/hint", json!({})).await.status, 400, "it needs a table");
    assert_eq!(ada.post(&format!("/tables/{id}/services/nothing"), json!({})).await.code(), "service.unknown");
    assert_eq!(ada.post("/noughts/work", json!({ "ms": 99_999_999 })).await.status, 400);
    assert_eq!(ada.post("/noughts/work", json!({ "ms": "x" })).await.status, 400);
}

#[tokio::test]
async fn work_stops_when_nobody_waits_for_it() {
    let host = TestServer::with(|config| config.thinkers = 1).await;
    let ada = host.guest().await;
    // Each would hold the only thinker for a minute.
    for _ in 0..3 {
        let impatient = ada.clone();
        let call = tokio::spawn(async move { impatient.post("/noughts/work", json!({ "ms": 60_000 })).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        call.abort();
    }
    assert_eq!(ada.post("/noughts/work", json!({ "ms": 0 })).await.status, 200, "the thinker is free again");
}

#[tokio::test]
async fn my_data_is_sent_once_at_a_time_to_each_guest() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    for _ in 0..40 {
        ada.table(against("me")).await;
    }
    let live = host.server().live_tables();
    // Somebody who does not read what is sent holds no place but its own.
    let mut lazy = tokio::net::TcpStream::connect(host.server().address()).await.expect("the doors are open");
    let cookie = ada.cookie.clone().expect("a cookie");
    let request = format!("GET /api/v1/me/data HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n");
    lazy.write_all(request.as_bytes()).await.expect("it is taken");
    let bob = host.guest().await;
    assert_eq!(bob.get("/me/data").await.json()["games"], json!([]), "others are not held up");
    let mut first = [0; 15];
    lazy.read_exact(&mut first).await.expect("the answer begins");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    drop(lazy);
    let answers: Vec<_> = (0..8)
        .map(|_| {
            let ada = ada.clone();
            tokio::spawn(async move { ada.get("/me/data").await })
        })
        .collect();
    let mut whole = 0;
    for answer in answers {
        let answer = answer.await.expect("no panic");
        match answer.status {
            200 => {
                whole += 1;
                assert_eq!(answer.json()["games"].as_array().map(Vec::len), Some(40));
            }
            429 => assert_eq!(answer.code(), "limits.export"),
            other => panic!("{other}"),
        }
    }
    assert!(whole < 8, "eight at once were all answered");
    assert_eq!(host.server().live_tables(), live, "no table was loaded into memory");
}

#[tokio::test]
async fn any_body_is_answered_without_a_failure() {
    let host = TestServer::open().await;
    let ada = host.guest().await;
    let id = ada.table(against("me")).await;
    // Well-formed requests with one part replaced by something odd; a fixed generator keeps the test repeatable.
    let odd = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!("\u{0}\u{ffff}"),
        json!([[]]),
        json!({ "": {} }),
        json!(255),
        json!(16),
        json!("h8"),
        json!(true),
    ];
    let forms: Vec<(String, Value)> = vec![
        (
            "/tables".into(),
            json!({ "game": "noughts", "settings": {}, "seats": [], "clock": {}, "options": {}, "moves": [] }),
        ),
        (format!("/tables/{id}/actions"), json!({ "action": {}, "text": "", "seat": 0, "expect_ply": 0, "id": "" })),
        (format!("/tables/{id}/undo"), json!({ "keep": 0, "accept": true, "seat": 0 })),
        (format!("/tables/{id}/resign"), json!({ "seat": 9 })),
        (format!("/tables/{id}/seats/9"), json!({ "kind": "me", "level": "" })),
        (format!("/tables/{id}/services/hint"), json!({})),
        ("/noughts/work".into(), json!({ "ms": 0 })),
    ];
    for (path, form) in &forms {
        for field in form.as_object().expect("an object").keys() {
            for value in &odd {
                let mut body = form.clone();
                body[field] = value.clone();
                let answer = ada.post(path, body.clone()).await;
                assert!(answer.status != 500 && answer.status != 0, "{path} {body}: {}", answer.status);
            }
        }
    }
}

#[tokio::test]
async fn a_caller_who_dawdles_is_cut_off_and_holds_up_nobody() {
    let host = TestServer::with(|config| {
        config.limits.head_within = Duration::from_millis(300);
        config.limits.body_within = Duration::from_millis(300);
        config.limits.in_flight = 4;
        config.limits.connections = 24;
    })
    .await;
    let ada = host.guest().await;
    let half_heads = (0..8).map(|_| "GET /api/v1/games HTTP/1.1\r\nHost: x\r\nX-Slow: ".to_owned());
    let half_bodies =
        (0..8).map(|_| "POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{".to_owned());
    let address = host.server().address();
    let dawdlers = half_heads.chain(half_bodies).map(|start| {
        tokio::spawn(async move {
            let mut stream = tokio::net::TcpStream::connect(address).await.expect("the doors are open");
            stream.write_all(start.as_bytes()).await.expect("the start is taken");
            let mut rest = Vec::new();
            // A reset is an end as well as a proper one.
            let _ = stream.read_to_end(&mut rest).await;
            String::from_utf8_lossy(&rest).into_owned()
        })
    });
    let ends = dawdlers.collect::<Vec<_>>();
    for dawdler in ends {
        let received = tokio::time::timeout(Duration::from_secs(20), dawdler).await;
        let received = received.expect("cut off in time").expect("no panic");
        let fits = ["", "HTTP/1.1 408", "HTTP/1.1 503"];
        assert!(
            fits.iter().any(|start| received.starts_with(start) && (start.is_empty() == received.is_empty())),
            "{received}"
        );
    }
    assert_eq!(ada.get("/games").await.status, 200);
}
