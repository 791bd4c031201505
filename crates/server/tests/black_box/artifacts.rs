//! Files of jobs over HTTP: exactly those that a running job reads.

use crate::common::TestServer;
use hyper::Method;
use store::Store;
use store::jobs::{NewRun, RunState};

#[tokio::test]
async fn a_file_is_served_while_a_run_reads_it_and_nothing_else_is() {
    let host = TestServer::open().await;
    let store = Store::open(&host.store_address()).await.expect("the store opens");
    let hash = "ab".repeat(32);
    let run = NewRun {
        id: "r".into(),
        title: String::new(),
        kind: "test".into(),
        program: "p".into(),
        queue: "local".into(),
        jobs: vec!["j".into()],
        files: vec![hash.clone()],
        at_ms: 1,
    };
    store.open_run(run).await.unwrap();
    let bytes: Vec<u8> = (0..3_000_000u32).map(|i| (i % 253) as u8).collect();
    let client = host.stranger();
    let path = format!("/api/v1/artifacts/{hash}");
    let status = async || client.send(Method::GET, &path, None, &[]).await.status;
    for (part, piece) in bytes.chunks(1 << 20).enumerate() {
        store.put_artifact_part(&hash, part as i64, piece.to_vec()).await.unwrap();
    }
    assert_eq!(status().await, 404, "it is not whole yet");
    store.finish_artifact(&hash, bytes.len() as i64, 2).await.unwrap();
    let answer = client.send(Method::GET, &path, None, &[]).await;
    assert_eq!((answer.status, answer.headers["content-length"].to_str().unwrap()), (200, "3000000"));
    assert!(answer.bytes == bytes);
    for other in ["cd".repeat(32), "AB".repeat(32), "..%2f..%2fetc%2fpasswd".into(), "ab".into()] {
        let answer = client.send(Method::GET, &format!("/api/v1/artifacts/{other}"), None, &[]).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "artifact.unknown"), "{other}");
    }
    store.end_run("r", RunState::Done, 3).await.unwrap();
    assert_eq!(status().await, 404, "nobody reads it any more");
    store.close().await;
}
